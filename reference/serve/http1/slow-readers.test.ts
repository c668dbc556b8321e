import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { serve } from "../server/serve.ts";

test("content is produced no faster than the client reads it", async () => {
  let made = 0;
  async function* many(): AsyncGenerator<Uint8Array> {
    for (; made < 2_000; made++) {
      // Lets the transport take what it can.
      if (made % 50 === 0) await pause(1);
      yield new Uint8Array(65_536);
    }
  }
  const server = await serve(() => ({ status: 200, body: many() }), { alpn: ["http/1.1"], graceMs: 0 });
  const socket = connect(server.port, "127.0.0.1").pause();
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => made).toBeGreaterThan(0);
  await pause(300);
  const sofar = made;
  socket.destroy();
  await server.close();
  expect(sofar).toBeLessThan(1_000);
});
