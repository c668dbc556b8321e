import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accepted, connectionError, get, handshake, send } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { ServerDriver } from "./server.ts";

/** A server that ends every connection gracefully after its first request. */
let server: Http2Server;
let driver: ServerDriver;
beforeAll(async () => {
  server = createServer({}, (request, response) => {
    response.end("the last");
    request.stream.session?.close();
  });
  server.on("sessionError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  driver = new ServerDriver({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, timeout: 5_000 });
});
afterAll(() => server.close());

const about = (spec: Case["spec"]): Case => ({
  id: "http2/x",
  spec,
  covers: ["rfc9113#6.9/x"],
  level: "MUST",
  role: "server",
  title: "T.",
  steps: [handshake, send(get(1))],
  control: [handshake, send(get(1))],
  allowed: accepted,
});

test("a request after a graceful GOAWAY that is not answered proves nothing", async () => {
  expect(await driver.play(about("rfc9113#6.9"))).toMatchObject({ is: "unproved" });
  expect(await driver.control(about("rfc9113#6.9"))).toMatchObject({ is: "unproved" });
});

test("in a case about GOAWAY it counts", async () => {
  expect(await driver.play(about("rfc9113#6.8"))).toMatchObject({ is: "other" });
});

test("an error before the GOAWAY is judged as ever", async () => {
  const ping: Case = {
    ...about("rfc9113#6.7"),
    steps: [handshake, send({ type: "PING", hex: "00" })],
    allowed: connectionError("FRAME_SIZE_ERROR"),
  };
  expect(await driver.play(ping)).toMatchObject({ is: "allowed", index: 0 });
});
