import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Handler } from "../handler.ts";
import { serve } from "../server/serve.ts";
import { talk } from "../testing.ts";

/** What a server answers to a request whose content has not come to its end. */
async function answerOf(handler: Handler): Promise<string> {
  await using server = await serve(handler, { alpn: ["http/1.1"], graceMs: 0 });
  return (await talk(server.port, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")).toString();
}

test("content that the handler refuses to read on: the response says that the connection closes (rfc9112#9.6)", async () => {
  const said = await answerOf(async ({ body }) => {
    for await (const _ of body) break;
    return { status: 413 };
  });
  expect(said).toMatch(/^HTTP\/1\.1 413 /);
  expect(said).toContain("\r\nConnection: close\r\n");
});

test("a response before the content: the handler reads on what arrives afterwards", async () => {
  const later = Promise.withResolvers<string>();
  await using server = await serve(
    ({ body }) => {
      void (async () => {
        let text = "";
        for await (const piece of body) text += Buffer.from(piece).toString();
        return text;
      })().then(later.resolve, later.reject);
      return { status: 200 };
    },
    { alpn: ["http/1.1"], graceMs: 0 },
  );
  const socket = connect({ host: "127.0.0.1", port: server.port });
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc");
  socket.once("data", () => socket.write("def"));
  expect(await later.promise).toBe("abcdef");
  socket.destroy();
});
