import { describe, expect, test } from "vitest";
import { build } from "../../wire/http2/build.ts";
import { readFrame } from "../../wire/http2/read.ts";
import type { FieldSpec, FrameSpec } from "../vocabulary.ts";
import { framesInDetail } from "./details.ts";
import type { Seen } from "./log.ts";

const setting = { stream: (ref: unknown) => ref as number, text: (value: string) => value };

/** What a subject sent on the connection `on`. */
const sent = (on: number, ...specs: readonly FrameSpec[]): Seen[] =>
  specs.map((spec): Seen => {
    const frame = readFrame(build(spec, setting));
    if (spec.type !== "HEADERS") return { is: "frame", at: 0, on, frame };
    const { endStream = false, stream, fragment: block = new Uint8Array() } = frame;
    const fields = (spec.fields ?? []).map(([name, value]) => [name, value] as const);
    return { is: "frame", at: 0, on, frame, section: { of: "HEADERS", stream, fields, endStream, block } };
  });
const inDetail = (...specs: readonly FrameSpec[]): string => framesInDetail({ seen: sent(0, ...specs) });
const status: FieldSpec = [":status", "200"];
const headers = (stream: number, ...fields: readonly FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream,
  flags: ["END_HEADERS"],
  fields: [status, ...fields],
});

describe("what frames had besides what an observation lists", () => {
  test("settings, the first credit of the connection, and the first GOAWAY with its debug data", () => {
    const update: FrameSpec = { type: "WINDOW_UPDATE", stream: 0, increment: 5 };
    const goaway: FrameSpec = { type: "GOAWAY", last: 3, code: "NO_ERROR", text: "why" };
    const frames = [{ type: "SETTINGS", settings: [["MAX_FRAME_SIZE", 20_000]] } as const, update, update, goaway, { ...goaway, last: 1 }];
    expect(inDetail(...frames)).toBe("0: SETTINGS MAX_FRAME_SIZE=20000, GOAWAY 3 NO_ERROR why, WINDOW_UPDATE 5");
  });

  test("names of fields, the values that the protocol defines, and the form of each field", () => {
    expect(inDetail(headers(1, ["content-length", "2"], ["x-a", "b", "indexing"], ["x-c", "d", "never indexed"]))).toBe(
      "0: ; 1: HEADERS :status=200 content-length=2 x-a x-c {pp pp +pp !pp}",
    );
  });

  test("the form of a date does not count, nor does an index that it moves", () => {
    const dated = (block: string): FrameSpec => ({ ...headers(1, ["date", "now"], ["x-a", "b"]), block });
    expect(inDetail(dated("88" + "c0" + "c1"))).toBe("0: ; 1: HEADERS :status=200 date x-a {i8 date id}");
    expect(inDetail(dated("88" + "61036e6f77" + "c2"))).toBe(inDetail(dated("88" + "c0" + "c1")));
  });

  test("the content of a stream, and which frame ended it; not how it was divided", () => {
    const data = (octets: number, end?: true): FrameSpec => ({
      type: "DATA",
      stream: 1,
      data: octets,
      ...(end && { flags: ["END_STREAM"] }),
    });
    expect(inDetail(headers(1), data(2), data(3, true))).toContain("5 octets, ended by DATA");
    expect(inDetail(headers(1), data(5, true))).toBe(inDetail(headers(1), data(2), data(3, true)));
    expect(inDetail(headers(1), data(5), data(0, true))).toContain("5 octets, ended by empty DATA");
    expect(inDetail(headers(1), data(5))).toContain("5 octets, open");
  });

  test("of many streams the first and the last, of long details a digest; connections apart", () => {
    expect(inDetail(...[1, 3, 5, 7, 9].map((stream) => headers(stream))).match(/\d+: HEADERS/g)).toEqual([
      "1: HEADERS",
      "3: HEADERS",
      "5: HEADERS",
      "9: HEADERS",
    ]);
    const long = (name: string): string =>
      inDetail(headers(1, ...Array.from({ length: 90 }, (): FieldSpec => ["x-name", "1"]), [name, "1"]));
    expect(long("x-a")).toMatch(/… \(sha256 [\da-f]{12}…\)$/);
    expect(long("x-a")).not.toBe(long("x-b"));
    const two = [...sent(0, headers(1)), ...sent(1, headers(1))];
    expect(framesInDetail({ seen: two }).split(" | ")).toHaveLength(2);
  });
});
