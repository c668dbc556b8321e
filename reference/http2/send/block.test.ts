import { expect, test } from "vitest";
import { field } from "../../core/index.ts";
import { Decoder } from "../../hpack/index.ts";
import { readFrames } from "../frame/index.ts";
import { fieldList, get, id, join, post, server } from "../testing.ts";

const long = fieldList([["x", "~".repeat(40_000)]]);

test("a block too large for one frame continues in CONTINUATION, cut at the peer's frame size", () => {
  const rig = server();
  rig.events(get(1));
  rig.c.respond(id(1), 200, long, true);
  const frames = readFrames(join(rig.c.take()));
  const blocks = frames.flatMap((frame) => (frame.is === "HEADERS" || frame.is === "CONTINUATION" ? [frame] : []));
  expect(blocks.map(({ is, endHeaders, block }) => `${is} ${endHeaders} ${block.length}`).slice(0, -1)).toEqual([
    "HEADERS false 16384",
    "CONTINUATION false 16384",
  ]);
  expect([blocks.at(-1)!.endHeaders, frames[0]!.is === "HEADERS" && frames[0]!.endStream]).toEqual([true, true]);
  const decoded = new Decoder({ maxListSize: 100_000 }).decode(join(blocks.map(({ block }) => block)));
  expect(decoded).toMatchObject({ is: "fields", fields: [{ name: ":status", value: "200" }, long[0]] });
});

test("a promise too large for one frame names the promised stream in the first", () => {
  const rig = server();
  rig.events(post(1));
  rig.c.push(id(1), [
    ...fieldList([
      [":method", "GET"],
      [":scheme", "http"],
      [":authority", "localhost"],
      [":path", "/"],
    ]),
    ...long,
  ]);
  const frames = readFrames(join(rig.c.take()));
  expect(frames.map(({ is }) => is)).toEqual(["PUSH_PROMISE", "CONTINUATION", "CONTINUATION"]);
  expect(frames[0]).toMatchObject({ promised: 2, endHeaders: false });
});

test("a block of exactly the frame size needs no CONTINUATION", () => {
  // One octet for `:status: 200`, one for the kind of literal, two for its name, three for the length of its value.
  for (const [spare, frames] of [
    [1, 1],
    [0, 1],
    [-1, 2],
  ] as const) {
    const rig = server();
    rig.events(get(1));
    rig.c.respond(id(1), 200, [field("~", "\u00ff".repeat(16_384 - 7 - spare), true)], true);
    const sent = readFrames(rig.octets());
    expect([spare, sent.length]).toEqual([spare, frames]);
  }
});
