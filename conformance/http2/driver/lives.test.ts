import { expect, test } from "vitest";
import { build } from "../../wire/http2.ts";
import { readFrame } from "../../wire/http2-read.ts";
import type { FrameSpec } from "../vocabulary.ts";
import { Lives } from "./lives.ts";

const frame = (spec: FrameSpec) => readFrame(build(spec, { stream: (ref) => ref as number, text: (value) => value }));

test("Lives: a stream is open until both sides have ended it, or one has reset it", () => {
  const lives = new Lives();
  for (const stream of [1, 3, 5]) lives.ours(frame({ type: "HEADERS", stream, flags: ["END_STREAM", "END_HEADERS"], block: "82" }));
  expect(lives.open).toBe(3);
  lives.theirs(frame({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], block: "88" }));
  expect(lives.open).toBe(3);
  lives.theirs(frame({ type: "DATA", stream: 1, flags: ["END_STREAM"] }));
  lives.theirs(frame({ type: "RST_STREAM", stream: 3, code: "REFUSED_STREAM" }));
  lives.ours(frame({ type: "RST_STREAM", stream: 5, code: "CANCEL" }));
  expect(lives.open).toBe(0);
});

test("Lives: content that is still to come keeps a stream open, trailers open no new one", () => {
  const lives = new Lives();
  lives.ours(frame({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], block: "82" }));
  lives.theirs(frame({ type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], block: "88" }));
  expect(lives.open).toBe(1);
  lives.ours(frame({ type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], block: "82" }));
  expect(lives.open).toBe(0);
});
