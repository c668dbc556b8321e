import { afterEach, expect, test } from "vitest";
import { serve } from "../server/serve.ts";
import type { Server } from "../server/options.ts";
import { talk } from "../testing.ts";

let server: Server | undefined;
afterEach(() => server?.close());

test("a request for an https resource in clear text is misdirected, and the next one is answered", async () => {
  server = await serve(() => ({ status: 200, body: "served" }), { alpn: ["http/1.1"], graceMs: 200 });
  const wrong = ["POST https://a/ HTTP/1.1", "Host: a", "Content-Length: 5", "", "hello"].join("\r\n");
  const right = ["GET http://a/ HTTP/1.1", "Host: a", "Connection: close", "", ""].join("\r\n");
  const text = (await talk(server.port, wrong + right)).toString();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 421", "HTTP/1.1 200"]);
});
