import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { check } from "./check.ts";
import { Unreachable, WrongUse } from "./harness/driver.ts";
import { SUITES } from "./suites.ts";
import { serve } from "../reference/serve/index.ts";

/** Addresses where something else is than the user thinks: one line that says so. */

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
const BANNER = "SSH-2.0-OpenSSH_9.2p1\r\n";

/** A server of SSH: it speaks first, and ends the connection when it reads something else. */
async function ssh(): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.write(BANNER);
    socket.once("data", () => socket.end("Invalid SSH identification string.\r\n"));
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const problem = (suite: string, url: string): Promise<unknown> =>
  check(SUITES, { suite, subject: { url }, timeout: 500 }).then(
    () => "it was judged",
    (error: unknown) => error,
  );
const ofHttp = ["http1", "http2", "rpc", "metrics", "metrics-target", "remotewrite", "websocket"] as const;

describe("an SSH server", () => {
  test.each(ofHttp)("%s: one line with the address", async (suite) => {
    const where = await ssh();
    const error = await problem(suite, `${suite === "websocket" ? "ws" : "http"}://${where}/`);
    expect(error).toBeInstanceOf(Unreachable);
    const { message } = error as Error;
    expect(message).toContain(where);
    expect(message).not.toContain("\n");
    expect(message).toMatch(/HTTP|answer|handshake/);
  });

  test("over TLS: it does not speak it", async () => {
    const error = await problem("http1", `https://${await ssh()}/`);
    expect((error as Error).message).toContain("does not speak TLS: write http://");
  });
});

test("a server that refuses h2 in ALPN is named as one without HTTP/2", async () => {
  await using server = await serve(() => ({ status: 200 }), { tls: true, alpn: ["http/1.1"], graceMs: 0 });
  const { message } = (await problem("http2", server.url)) as Error;
  expect(message).toMatch(/^127\.0\.0\.1:\d+ .*h2 by ALPN.*not an HTTP\/2 server/);
});

test.each(ofHttp)("%s: port 99999 is a wrong command, and the message shows how to write an address", async (suite) => {
  const error = await problem(suite, `${suite === "websocket" ? "ws" : "http"}://127.0.0.1:99999/`);
  expect(error).toBeInstanceOf(WrongUse);
  expect((error as Error).message).toContain("127.0.0.1:99999");
});
