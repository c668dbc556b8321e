import { expect, test } from "vitest";
import { build } from "./build.ts";
import { readFrame } from "./read.ts";
import type { FrameSpec } from "./frame-spec.ts";
import { OpenStreams } from "./open-streams.ts";

const frame = (spec: FrameSpec) => readFrame(build(spec, { stream: (ref) => ref as number, text: (value) => value }));

test("OpenStreams: a stream is open until both sides have ended it, or one has reset it", () => {
  const streams = new OpenStreams();
  for (const stream of [1, 3, 5]) streams.ours(frame({ type: "HEADERS", stream, flags: ["END_STREAM", "END_HEADERS"], block: "82" }));
  expect(streams.open).toBe(3);
  streams.theirs(frame({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], block: "88" }));
  expect(streams.open).toBe(3);
  streams.theirs(frame({ type: "DATA", stream: 1, flags: ["END_STREAM"] }));
  streams.theirs(frame({ type: "RST_STREAM", stream: 3, code: "REFUSED_STREAM" }));
  streams.ours(frame({ type: "RST_STREAM", stream: 5, code: "CANCEL" }));
  expect(streams.open).toBe(0);
});

test("OpenStreams: content that is still to come keeps a stream open, trailers open no new one", () => {
  const streams = new OpenStreams();
  streams.ours(frame({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], block: "82" }));
  streams.theirs(frame({ type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], block: "88" }));
  expect(streams.open).toBe(1);
  streams.ours(frame({ type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], block: "82" }));
  expect(streams.open).toBe(0);
});
