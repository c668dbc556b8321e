import { once } from "node:events";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Content } from "../../http/index.ts";
import { pour, TunnelBody } from "./tunnel.ts";

async function* pieces(): AsyncGenerator<Uint8Array | string> {
  yield "a";
  await Promise.resolve();
  yield Buffer.from("b");
}

const CONTENTS: readonly (readonly [name: string, content: Content | undefined, expected: string])[] = [
  ["a string", "ab", "ab"],
  ["octets", Buffer.from("ab"), "ab"],
  ["an iteration", pieces(), "ab"],
  ["nothing", undefined, ""],
];

test.each(CONTENTS)("a tunnel carries %s whole, and then its end", async (_, content, expected) => {
  const socket = new PassThrough();
  const carried = text(socket);
  const errors: unknown[] = [];
  await pour(content, socket, (error) => void errors.push(error));
  expect([await carried, errors]).toEqual([expected, []]);
});

test("a tunnel whose peer has left: its content is read to the end, and not sent", async () => {
  const socket = new PassThrough();
  socket.destroy();
  await once(socket, "close");
  let isRead = false;
  async function* content(): AsyncGenerator<string> {
    yield "a";
    yield "b";
    isRead = await Promise.resolve(true);
  }
  await pour(content(), socket);
  expect(isRead).toBe(true);
});

test("the content of a tunnel: what arrived with the request first, then the rest; without a tunnel, nothing", async () => {
  const open = new TunnelBody();
  const socket = new PassThrough();
  socket.end("cd");
  open.open({ socket, rest: Buffer.from("ab") });
  expect(await open.text()).toBe("abcd");
  expect([...(await open.trailers)]).toEqual([]);
  const closed = new TunnelBody();
  closed.end();
  expect(await closed.text()).toBe("");
});
