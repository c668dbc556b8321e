import { once } from "node:events";
import { connect as tcp } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { Handler } from "../handler.ts";
import { serve } from "./serve.ts";
import type { ServeOptions } from "./options.ts";
import { ask, pairOf, talk } from "../testing.ts";

const GET = { ":path": "/" };
/** A grace longer than any test: everything must end before it. */
const FOREVER = 3_600_000;
const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

async function pair(handler: Handler, options?: ServeOptions) {
  const both = await pairOf(handler, options);
  open.push(both);
  return both;
}

describe("close", () => {
  test("requests in progress complete, new connections are refused", async () => {
    const { server, session } = await pair(() => pause(150, { status: 200, body: "late" }), { graceMs: FOREVER });
    const answer = ask(session, GET);
    await pause(30);
    const closing = server.close();
    expect((await answer).body).toBe("late");
    await closing;
    await expect(talk(server.port, "")).rejects.toThrow("ECONNREFUSED");
  });

  test("requests that do not complete in time are dropped", async () => {
    const { server, session } = await pair(() => new Promise(() => {}), { graceMs: 100 });
    session.request(GET).on("error", () => {});
    await pause(30);
    await server.close();
    expect(server.connections).toBe(0);
  });

  test("silent connections do not delay it, in clear text and during a TLS handshake", async () => {
    for (const tls of [false, true]) {
      const server = await serve(() => ({ status: 200 }), { tls, graceMs: FOREVER });
      const socket = tcp(server.port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      await pause(20);
      await server.close();
      expect(server.connections).toBe(0);
      socket.destroy();
    }
  });

  test("a second call has no effect", async () => {
    const { server } = await pair(() => ({ status: 200 }));
    await Promise.all([server.close(), server.close()]);
    expect(server.connections).toBe(0);
  });
});
