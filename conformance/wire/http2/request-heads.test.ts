import { describe, expect, test } from "vitest";
import { build } from "./build.ts";
import type { FrameSpec } from "./frame-spec.ts";
import { RequestHeads } from "./request-heads.ts";

const request: FrameSpec = {
  type: "HEADERS",
  stream: 1,
  flags: ["END_HEADERS"],
  fields: [
    [":method", "GET"],
    ["x-own", "1"],
  ],
};
const names = (heads: RequestHeads, ...frames: readonly FrameSpec[]): string[][] =>
  frames.map((frame) => heads.more(frame).map(([name]) => name));
const ours = (): RequestHeads =>
  new RequestHeads([
    ["Authorization", "secret"],
    ["X-Own", "2"],
  ]);

describe("RequestHeads", () => {
  test("a request gets the fields that it does not have, in lower case and never indexed", () => {
    expect(ours().more(request)).toEqual([["authorization", "secret", "never indexed"]]);
  });

  test("trailers get none", () => {
    const trailers: FrameSpec = { type: "HEADERS", stream: 1, flags: ["END_HEADERS", "END_STREAM"], fields: [["x-sum", "1"]] };
    expect(names(ours(), request, trailers)).toEqual([["authorization"], []]);
  });

  test("a block in several frames gets them in the last, after the pseudo-fields of all", () => {
    const first: FrameSpec = { ...request, flags: [] };
    const last: FrameSpec = { type: "CONTINUATION", stream: 1, flags: 0x4, fields: [[":path", "/"]] };
    expect(names(ours(), first, last)).toEqual([[], ["authorization"]]);
  });

  test("a block without any field stays empty", () => {
    expect(ours().more({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], fields: [] })).toEqual([]);
  });

  test("a section of a stated size: the fields count", () => {
    const setting = { stream: Number, text: (value: string) => value };
    const sized: FrameSpec = { ...request, sectionSize: 4000 };
    const octets = build(sized, { ...setting, more: ours().more(sized) }).length;
    expect(build(sized, setting).length - octets).toBe(
      "authorization".length + "secret".length + 32 - ("authorization".length + "secret".length + 3),
    );
  });

  test("without fields nothing is added", () => {
    expect(new RequestHeads([]).more(request)).toEqual([]);
  });
});
