import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import { EnvelopeReader } from "../../rpc/envelope.ts";
import { CallFailed, type Codec, type Implementation, type Method, type Service, writeEnvelope } from "../../rpc/index.ts";
import { nodeClient } from "../testing.ts";
import type { RpcServeOptions } from "./options.ts";
import { implement, serveRpc } from "./server.ts";

/** What the tests of this folder share: a service whose messages are text, and a client that is not ours. */

const TEXT: Codec<string> = {
  encode: (text) => Buffer.from(text),
  decode: (octets) => {
    const text = Buffer.from(octets).toString();
    if (text === "undecodable") throw new Error("it is not text");
    return text;
  },
};
const method = <RequestStream extends boolean, ResponseStream extends boolean>(
  name: string,
  requestStream: RequestStream,
  responseStream: ResponseStream,
): Method<string, string, RequestStream, ResponseStream> => ({
  path: `/test.Echo/${name}`,
  requestStream,
  responseStream,
  request: TEXT,
  response: TEXT,
});

export const ECHO = {
  name: "test.Echo",
  methods: {
    one: method("One", false, false),
    gather: method("Gather", true, false),
    spread: method("Spread", false, true),
    chat: method("Chat", true, true),
  },
} satisfies Service;

/** Answers them. */
export const ECHOES: Required<Implementation<typeof ECHO>> = {
  one: (text) => text.toUpperCase(),
  gather: async (texts) => (await Array.fromAsync(texts)).join("+"),
  async *spread(text) {
    for (const part of text.split(",")) {
      await Promise.resolve();
      yield part;
    }
  },
  async *chat(texts) {
    for await (const text of texts) yield `${text}!`;
  },
};

export const envelope = (text: string, isCompressed = false): Uint8Array => writeEnvelope({ isCompressed, octets: Buffer.from(text) });

/** A response as it came: with its messages, or without headers if trailers came alone. */
export type Answered = {
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the headers ended the stream. */
  readonly trailers: IncomingHttpHeaders | undefined;
  readonly messages: readonly string[];
  readonly flags: readonly boolean[];
  /** The error code with which the stream ended. */
  readonly code: number;
};

/** Begins a call with `node:http2`. */
export const begin = (session: ClientHttp2Session, name: string, headers: OutgoingHttpHeaders = {}, endStream = false): ClientHttp2Stream =>
  session.request(
    { ":method": "POST", ":path": `/test.Echo/${name}`, "content-type": "application/rpc", te: "trailers", ...headers },
    { endStream },
  );

/** Everything that comes of a call. */
export async function answered(stream: ClientHttp2Stream): Promise<Answered> {
  let headers: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders | undefined;
  const envelopes: { isCompressed: boolean; octets: Uint8Array }[] = [];
  const reader = new EnvelopeReader(1_000_000);
  stream.on("response", (got) => (headers = got));
  stream.on("trailers", (got) => (trailers = got));
  stream.on("error", () => {});
  stream.on("data", (chunk: Buffer) => reader.receive(Uint8Array.from(chunk), envelopes));
  await new Promise<void>((resolve) => (stream.closed ? resolve() : stream.once("close", resolve)));
  return {
    headers,
    trailers,
    messages: envelopes.map(({ octets }) => Buffer.from(octets).toString()),
    flags: envelopes.map(({ isCompressed }) => isCompressed),
    code: stream.rstCode,
  };
}

/** A server of the service, and a client of it. */
export async function started(implementation: Implementation<typeof ECHO> = ECHOES, options: RpcServeOptions = {}) {
  const server = await serveRpc([implement(ECHO, implementation)], { graceMs: 200, ...options });
  const client = await nodeClient(server.url);
  return {
    server,
    session: client.session,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/** A whole call. */
export function call(
  session: ClientHttp2Session,
  name: string,
  messages: readonly (string | Uint8Array)[],
  headers?: OutgoingHttpHeaders,
): Promise<Answered> {
  const stream = begin(session, name, headers);
  for (const message of messages) stream.write(typeof message === "string" ? envelope(message) : message);
  stream.end();
  return answered(stream);
}

/** The status of an answer, wherever it stands. */
export const statusOf = ({ headers, trailers }: Answered): string | undefined => (trailers ?? headers)["rpc-status"] as string | undefined;
export const messageOf = ({ headers, trailers }: Answered): string | undefined =>
  (trailers ?? headers)["rpc-message"] as string | undefined;

/** What a call fails with. */
export const failure = async (call: Promise<unknown> | AsyncIterable<unknown>): Promise<CallFailed> => {
  try {
    await (call instanceof Promise ? call : Array.fromAsync(call));
  } catch (error) {
    if (error instanceof CallFailed) return error;
    throw error;
  }
  throw new Error("the call did not fail");
};
