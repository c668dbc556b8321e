import { once } from "node:events";
import { connect as http2Connect, type ClientHttp2Session, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http2";
import { connect as tcp } from "node:net";

/** What the tests of this folder share: a client that is not ours, and octets as they are. */

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: string;
  readonly interim: number[];
};

/** One request of `node:http2`, and all that comes of it; rejects with the error of its stream, where that breaks off. */
export async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, content?: string | Uint8Array): Promise<Answer> {
  const stream = session.request(headers, { endStream: content === undefined });
  let head: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  const interim: number[] = [];
  const chunks: Buffer[] = [];
  stream.on("response", (got) => (head = got));
  stream.on("headers", (got) => interim.push(Number(got[":status"])));
  stream.on("trailers", (got) => (trailers = got));
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  if (content !== undefined) stream.end(content);
  await once(stream, "close");
  return { status: Number(head[":status"]), headers: head, trailers, body: Buffer.concat(chunks).toString(), interim };
}

/** Connects with `node:http2`, and closes it when the test is done with it. */
export async function nodeClient(url: string, options: object = {}): Promise<AsyncDisposable & { readonly session: ClientHttp2Session }> {
  const session = http2Connect(url, { rejectUnauthorized: false, ...options });
  session.on("error", () => {});
  await once(session, "connect");
  return {
    session,
    [Symbol.asyncDispose]: async () => {
      session.destroy();
      await Promise.resolve();
    },
  };
}

/** Sends octets over TCP, and returns what comes until the other end is done, or `ms` have passed. */
export function talk(port: number, octets: Uint8Array | string, ms = 5_000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = tcp(port, "127.0.0.1", () => socket.write(octets));
    socket.setTimeout(ms, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(Buffer.concat(chunks)));
  });
}
