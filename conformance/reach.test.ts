import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createHttp2 } from "node:http2";
import type { AddressInfo, ListenOptions } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { check, type CheckOptions } from "./check.ts";
import type { Result } from "./harness/result.ts";
import { SUITES } from "./suites.ts";

/** Servers of others that want credentials, or are somewhere else than their address says. */

const CREDENTIALS = "Basic dXNlcjpwYXNzd29yZA==";
const FIELDS = [["Authorization", CREDENTIALS]] as const;
const folder = mkdtempSync(join(tmpdir(), "touchstone-reach-"));
afterAll(() => rmSync(folder, { recursive: true }));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function listening(
  server: Pick<Server, "listen" | "address" | "close">,
  at: ListenOptions = { port: 0, host: "127.0.0.1" },
): Promise<string> {
  server.listen(at);
  await once(server as Server, "listening");
  ends.push(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const open: RequestListener = (_, response) => response.writeHead(200, { "content-type": "text/plain" }).end("hello");
/** Answers those who have the credentials; the others get 401. */
const guarded: RequestListener = (request, response) => {
  const isKnown = request.headers.authorization === CREDENTIALS;
  response.writeHead(isKnown ? 200 : 401, { "content-type": "text/plain" }).end(isKnown ? "hello" : "");
};
const run = (options: Omit<CheckOptions, "subject"> & { readonly url: string }): Promise<Result> => {
  const { url, ...rest } = options;
  return check(SUITES, { ...rest, subject: { url } });
};
const verdicts = ({ cases }: Result): string[] => cases.map(({ id, verdict }) => `${id} ${verdict}`);

describe("a server that wants credentials", () => {
  test("HTTP/1.1: every request has them, and no report shows them", async () => {
    const url = `http://${await listening(createServer(guarded))}/`;
    const only = ["http1/pipelined-hundred", "http1/host-*"];
    await expect(run({ suite: "http1", url, only })).rejects.toThrow("give credentials with --auth or -H");
    const anyone = await run({ suite: "http1", url: `http://${await listening(createServer(open))}/`, only });
    const result = await run({ suite: "http1", url, only, fields: FIELDS });
    expect(verdicts(result)).toEqual(verdicts(anyone));
    expect(result.summary.pass).toBeGreaterThan(0);
    expect(JSON.stringify(result)).not.toContain("dXNlcjpw");
    expect(JSON.stringify(result)).not.toContain(Buffer.from("dXNlcjpw").toString("hex"));
  });

  test("HTTP/2: every request has them", async () => {
    const url = `http://${await listening(createHttp2(guarded as never) as never)}/`;
    const only = ["http2/trailers-*", "http2/ping-*", "http2/window-update-*"];
    const there = `http://${await listening(createHttp2(open as never) as never)}/`;
    await expect(run({ suite: "http2", url, only })).rejects.toThrow("answered with 401");
    expect(verdicts(await run({ suite: "http2", url, only, fields: FIELDS }))).toEqual(
      verdicts(await run({ suite: "http2", url: there, only })),
    );
  });

  test("WebSocket: every handshake has them", async () => {
    const http = createServer();
    const server = new WebSocketServer({
      server: http,
      verifyClient: ({ req }: { req: IncomingMessage }) => req.headers.authorization === CREDENTIALS,
    });
    server.on("connection", (socket) =>
      socket.on("error", () => {}).on("message", (data, isBinary) => socket.send(data, { binary: isBinary })),
    );
    const url = `ws://${await listening(http)}/`;
    ends.push(() => {
      for (const client of server.clients) client.terminate();
    });
    const only = ["websocket/ping-*", "websocket/unmasked-*"];
    await expect(run({ suite: "websocket", url, only })).rejects.toThrow("401");
    const { summary } = await run({ suite: "websocket", url, only, fields: FIELDS });
    expect(summary).toMatchObject({ fail: 0, error: 0, unproved: 0 });
    expect(summary.pass).toBeGreaterThan(2);
  });

  test.each([
    ["rpc", "/touchstone.conformance.v1.Conformance/Unary"],
    ["metrics", "/api/v1/"],
    ["metrics-target", "/metrics"],
    ["remotewrite", "/api/v1/write"],
  ] as const)("%s: its requests have them", async (suite, path) => {
    const seen: (string | undefined)[] = [];
    const taking: RequestListener = (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { "content-type": "text/plain" }).end("up 1\n");
    };
    const server = suite === "rpc" ? (createHttp2(taking as never) as never) : createServer(taking);
    const url = `http://${await listening(server)}${suite === "metrics" || suite === "rpc" ? "/" : path}`;
    // What comes back is of no use to most of these suites.
    await run({ suite, url, fields: FIELDS, timeout: 300 }).catch(() => undefined);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen)).toEqual(new Set([CREDENTIALS]));
  });
});

describe("a server that is elsewhere", () => {
  const naming: RequestListener = (request, response) => response.writeHead(request.headers.host === "site.test" ? 200 : 404).end("hello");

  test("at another address: requests name the host of the URL", async () => {
    const [, port] = (await listening(createServer(naming))).split(":");
    const place = { host: "127.0.0.1", port: Number(port) };
    const { summary } = await run({ suite: "http1", url: "http://site.test/", place, only: ["http1/host-*"] });
    expect(summary).toMatchObject({ error: 0 });
    expect(summary.pass).toBeGreaterThan(0);
  });

  test("on a Unix socket: as over TCP, and resets that it does not have are no error", async () => {
    const socket = join(folder, "socket");
    await listening(createServer(naming), { path: socket });
    const only = ["http1/host-*", "http1/connection-lost-*"];
    const { summary } = await run({ suite: "http1", url: "http://site.test/", place: { socket }, only });
    expect(summary).toMatchObject({ error: 0 });
    expect(summary.pass).toBeGreaterThan(0);
    await expect(run({ suite: "http1", url: "http://site.test/", place: { socket: `${socket}.none` } })).rejects.toThrow("ENOENT");
  });

  test("metrics: its client goes there too", async () => {
    const socket = join(folder, "metrics");
    const seen: (string | undefined)[] = [];
    await listening(
      createServer((request, response) => {
        seen.push(request.headers.host);
        response.end();
      }),
      { path: socket },
    );
    await run({ suite: "metrics", url: "http://site.test/", place: { socket }, timeout: 300 }).catch(() => undefined);
    expect(seen[0]).toBe("site.test");
  });
});

test("what a suite does not support is refused: nothing is ignored", async () => {
  await expect(run({ suite: "http3", url: "https://a.test/", place: { socket: "/x" } })).rejects.toThrow("does not support --unix-socket");
  await expect(run({ suite: "tls", url: "https://a.test/", fields: FIELDS })).rejects.toThrow("does not support -H and --auth");
  await expect(check(SUITES, { suite: "http1", subject: { client: "curl {url}" }, fields: FIELDS })).rejects.toThrow(
    "for a server at a URL",
  );
  await expect(run({ suite: "http1", url: "http://user:secret@a.test/" })).rejects.toThrow("--auth, not in the address");
});
