import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { connect } from "../client/connect.ts";
import { StreamFailed } from "../errors.ts";
import { createClient } from "../client/pool.ts";
import { serve } from "../server/serve.ts";
import type { Alpn } from "../versions.ts";
import { CLIENT_FAULTS } from "./index.ts";

/** Clients that misbehave, and servers of Node, which nobody here wrote. */

const PATIENCE_MS = 20_000;

const portOf = async (server: NetServer): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

/** What a server of node:http reports of its client: requests with the length of their content, and codes of errors. */
function nodeHttp(noted: string[], isPatient: boolean): Server {
  const patience = isPatient ? {} : { requestTimeout: 300, headersTimeout: 200, connectionsCheckingInterval: 50 };
  const server = createServer(patience, (request, response) => {
    let length = 0;
    request.on("data", (bytes: Buffer) => (length += bytes.length)).on("error", () => {});
    request.on("end", () => {
      noted.push(`${request.method} ${length}`);
      response.end("ok");
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    noted.push(error.code ?? error.message);
    socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  return server;
}

/** The status of a request with content, or why it failed, at last that nobody answers within `ms`. */
async function outcome({ url, alpn, fault, ms }: { url: string; alpn: Alpn; fault: string; ms: number }): Promise<string> {
  try {
    await using client = await connect(url, { alpn: [alpn], faults: fault === "" ? [] : [fault], graceMs: 0 });
    const { status, body } = await client.request({ method: "POST", body: "hello", signal: AbortSignal.timeout(ms) });
    await body.text();
    return String(status);
  } catch (error) {
    return error instanceof StreamFailed ? error.reason : "no connection";
  }
}

const HTTP1: readonly (readonly [fault: string, noted: string, outcome?: string])[] = [
  ["", "POST 5", "200"],
  ["drop", "HPE_INVALID_EOF_STATE"],
  ["half-head", "HPE_INVALID_EOF_STATE"],
  ["hang-up", "", "unanswered"],
  ["silence", "ERR_HTTP_REQUEST_TIMEOUT"],
  ["unfinished", "ERR_HTTP_REQUEST_TIMEOUT"],
  ["delay:ms=20", "POST 5", "200"],
  ["slow:octets=20,ms=5", "POST 5", "200"],
  ["false-length:how=long", "ERR_HTTP_REQUEST_TIMEOUT"],
  ["false-length:how=short", "HPE_INVALID_METHOD"],
  ["two-lengths", "HPE_UNEXPECTED_CONTENT_LENGTH"],
  ["bad-chunk:how=size", "HPE_INVALID_CHUNK_SIZE"],
  ["bad-chunk:how=sign", "HPE_INVALID_CHUNK_SIZE"],
  ["bad-chunk:how=huge", "HPE_INVALID_CHUNK_SIZE"],
  ["bad-chunk:how=short", "HPE_STRICT"],
  ["bad-chunk:how=bare-lf", "HPE_CR_EXPECTED"],
  ["bad-chunk:how=cut", "HPE_INVALID_EOF_STATE"],
  ["smuggle:how=cl-te", "HPE_INVALID_TRANSFER_ENCODING"],
  ["smuggle:how=te-cl", "HPE_INVALID_TRANSFER_ENCODING"],
  ["smuggle:how=te-te", "HPE_INVALID_TRANSFER_ENCODING"],
  ["extra", "HPE_INVALID_METHOD"],
  ["bad-field:how=no-colon", "HPE_INVALID_HEADER_TOKEN"],
  ["bad-field:how=space", "HPE_INVALID_HEADER_TOKEN"],
  ["bad-field:how=nul", "HPE_INVALID_HEADER_TOKEN"],
  ["bad-field:how=bare-cr", "HPE_LF_EXPECTED"],
  ["bad-field:how=bare-lf", "HPE_CR_EXPECTED"],
  ["endless-head", "HPE_HEADER_OVERFLOW", "closed"],
  ["garbage", "HPE_INVALID_METHOD"],
  ["bad-line:how=version", "HPE_INVALID_VERSION"],
  ["bad-line:how=method", "HPE_INVALID_METHOD"],
  ["bad-line:how=space", "HPE_INVALID_CONSTANT"],
  ["bad-line:how=short", "HPE_INVALID_METHOD"],
  ["host:how=none", ""],
  ["host:how=two", "POST 5", "200"],
];

/** The outcome at the client says what node:http2 did: it refuses the connection with GOAWAY, or resets the stream. */
const HTTP2: readonly (readonly [fault: string, outcome: string])[] = [
  ["", "200"],
  ["reset", "refused"],
  ["reset-midway", "aborted"],
  ["goaway", "refused"],
  ["drop", "closed"],
  ["half-frame", "closed"],
  ["stray-reset", "refused"],
  ["delay:ms=20", "200"],
  ["slow:octets=20,ms=5", "200"],
  ["silence", "aborted"],
  ["settings-ack:how=twice", "refused"],
  ["ping-ack", "200"],
  ["window-update:how=zero", "refused"],
  ["window-update:how=overflow", "refused"],
  ["bad-setting:which=enable-push", "refused"],
  ["bad-setting:which=initial-window", "refused"],
  ["bad-setting:which=length", "refused"],
  ["settings-on-stream", "refused"],
  ["bad-block:how=index", "closed"],
  ["bad-block:how=huffman", "closed"],
  ["bad-block:how=cut", "closed"],
  ["endless-continuation", "closed"],
  ["stray-continuation", "closed"],
  ["upper-case-field", "reset"],
  ["connection-field", "reset"],
  ["late-pseudo-field", "reset"],
  ["unknown-pseudo-field", "reset"],
  ["no-path", "reset"],
  ["two-paths", "reset"],
  ["false-length", "reset"],
  ["oversize-frame", "closed"],
  ["window-overrun", "closed"],
  ["wrong-stream:which=even", "refused"],
  ["wrong-stream:which=connection", "refused"],
  ["data-after-end", "closed"],
  ["headers-after-end", "closed"],
  ["data-before-headers", "refused"],
  ["padding-lie", "closed"],
  ["flood:what=ping", "refused"],
  ["garbage", "refused"],
  ["http1", "refused"],
];

describe.concurrent("a client that misbehaves in HTTP/1.1, and node:http", () => {
  it.each(HTTP1.map(([fault, noted, seen = "400"]) => [fault, noted, seen] as const))("%s: %s, %s", async (fault, noted, seen) => {
    const all: string[] = [];
    // Only who waits for the rest of a request loses patience: a busy machine is slow too.
    const server = nodeHttp(all, noted !== "ERR_HTTP_REQUEST_TIMEOUT");
    const url = `http://127.0.0.1:${await portOf(server)}/`;
    expect(await outcome({ url, alpn: "http/1.1", fault, ms: PATIENCE_MS })).toBe(seen);
    server.closeAllConnections();
    server.close();
    expect(all[0] ?? "").toBe(noted);
  });
  it("every fault is tried", () => {
    const names = new Set(HTTP1.map(([fault]) => fault.split(":")[0]));
    expect(CLIENT_FAULTS.http1.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe.concurrent("a client that misbehaves in HTTP/2, and node:http2", () => {
  it.each(HTTP2)("%s: %s", async (fault, seen) => {
    const server = createHttp2Server((request, response) => {
      request.on("error", () => {}).resume();
      response.on("error", () => {});
      request.on("end", () => response.end("ok"));
    });
    server.on("session", (session) => session.on("error", () => {}));
    server.on("stream", (stream) => stream.on("error", () => {}));
    server.on("sessionError", () => {});
    const url = `http://127.0.0.1:${await portOf(server)}/`;
    expect(await outcome({ url, alpn: "h2", fault, ms: seen === "aborted" ? 600 : PATIENCE_MS })).toBe(seen);
    server.close();
  });
  it("every fault is tried", () => {
    const names = new Set(HTTP2.map(([fault]) => fault.split(":")[0]));
    expect(CLIENT_FAULTS.http2.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("faults of clients", () => {
  it("must be known in every version that the connection can speak", async () => {
    await using server = await serve(() => ({ status: 200 }), { graceMs: 0, onError: () => {} });
    const { url } = server;
    await expect(connect(url, { alpn: ["h2"], faults: ["bad-chunk"] })).rejects.toThrow(
      /HTTP\/2 cannot do "bad-chunk", which HTTP\/1\.1 can/,
    );
    await expect(connect(url, { faults: ["push-unasked"] })).rejects.toThrow(/HTTP\/1\.1 has no fault "push-unasked"\. Known: drop/);
    await expect(createClient({ faults: ["no-such"] }).request(url)).rejects.toThrow(/has no fault "no-such"/);
    // In clear text it speaks HTTP/1.1 alone.
    await using client = await connect(url, { faults: ["bad-chunk"], graceMs: 0 });
    expect((await client.request()).status).toBe(400);
  });
  it("after and times select requests of a connection", async () => {
    await using server = await serve(({ fields }) => ({ status: 200, body: fields.get("x-fault") ?? "none" }), {
      graceMs: 0,
      onError: () => {},
    });
    await using client = await connect(server.url, { alpn: ["h2"], faults: ["upper-case-field:after=2,times=1"], graceMs: 0 });
    const statuses: number[] = [];
    for (let nth = 0; nth < 3; nth++) statuses.push((await client.request()).status);
    expect(statuses).toEqual([200, 400, 200]);
  });
});
