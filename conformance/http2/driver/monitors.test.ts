import { describe, expect, test } from "vitest";
import { Writer } from "../../../reference/core/index.ts";
import { Encoder } from "../../../reference/hpack/index.ts";
import { build } from "../../wire/http2/build.ts";
import { readFrame } from "../../wire/http2/read.ts";
import { toHex } from "../../wire/octets.ts";
import type { FieldSpec, FrameSpec } from "../vocabulary.ts";
import { Log } from "./log.ts";
import { monitor, monitorNames } from "./monitors.ts";

const setting = { stream: (ref: unknown) => ref as number, text: (value: string) => value, tableLimit: 4096 };
const frameOf = (spec: FrameSpec) => readFrame(build(spec, setting));

/** A conversation as both sides wrote it: `theirs` and `ours` in the order in which they crossed. */
class Talk {
  readonly log = new Log();
  readonly sent: { readonly at: number; readonly frame: ReturnType<typeof readFrame>; readonly after: number }[] = [];
  ours(...specs: FrameSpec[]): this {
    for (const spec of specs) this.sent.push({ at: 0, frame: frameOf(spec), after: this.log.seen.length });
    return this;
  }
  theirs(...specs: FrameSpec[]): this {
    for (const spec of specs) {
      const frame = frameOf(spec);
      const section =
        spec.fields === undefined && spec.block === undefined
          ? undefined
          : {
              of: frame.type === "PUSH_PROMISE" ? ("PUSH_PROMISE" as const) : ("HEADERS" as const),
              stream: frame.stream,
              fields: (spec.fields ?? []).map(([name, value]) => [name, value] as const),
              endStream: frame.endStream === true,
              block: frame.fragment ?? new Uint8Array(),
            };
      this.log.push({ is: "frame", at: 0, on: 0, frame, ...(section === undefined ? {} : { section }) });
    }
    return this;
  }
  says(name: string, role: "server" | "client" = "server"): string | undefined {
    return monitor(name, { log: this.log, role, sent: this.sent });
  }
}
const talk = (...theirs: FrameSpec[]): Talk => new Talk().theirs(...theirs);
const headers = (stream: number, fields: FieldSpec[], ...flags: ("END_STREAM" | "END_HEADERS")[]): FrameSpec => ({
  type: "HEADERS",
  stream,
  flags: ["END_HEADERS", ...flags],
  fields,
});
const ok = (...more: FieldSpec[]): FieldSpec[] => [[":status", "200"], ...more];
const settings = (...pairs: (readonly [never, number])[]): FrameSpec => ({ type: "SETTINGS", settings: pairs });
const ack: FrameSpec = { type: "SETTINGS", flags: ["ACK"] };
const data = (stream: number, octets: number, ...flags: "END_STREAM"[]): FrameSpec => ({ type: "DATA", stream, data: octets, flags });

const REQUEST: FieldSpec[] = [
  [":method", "GET"],
  [":scheme", "http"],
  [":authority", "a"],
  [":path", "/"],
];
const push = (stream: number, promised: number, fields = REQUEST): FrameSpec => ({
  type: "PUSH_PROMISE",
  stream,
  promised,
  flags: ["END_HEADERS"],
  fields,
});

/** For each monitor what keeps it, and what breaks it. */
const EXAMPLES: Readonly<Record<string, readonly [holds: Talk, breaks: Talk, role?: "client"]>> = {
  "settings-first": [talk({ type: "SETTINGS" }), talk(ack)],
  "content-of-stream-3-first": [talk(data(3, 2), data(1, 1)), talk(data(1, 1), data(3, 2))],
  "settings-acknowledged": [new Talk().ours({ type: "SETTINGS" }).theirs(ack), new Talk().ours({ type: "SETTINGS" }).theirs(ack, ack)],
  "setting-values-legal": [talk(settings(["MAX_FRAME_SIZE" as never, 16_384])), talk(settings(["ENABLE_PUSH" as never, 1]))],
  "frames-well-formed": [talk({ type: "PING", hex: "00".repeat(8) }), talk({ type: "PING", hex: "00" })],
  "frame-sizes": [talk(data(1, 16_384)), talk(data(1, 16_385))],
  "reserved-bit-unset": [talk(data(1, 1)), talk({ ...data(1, 1), reservedBit: true })],
  "undefined-flags-unset": [talk(data(1, 1)), talk({ ...data(1, 1), flags: 0x40 })],
  "padding-zero": [talk({ type: "DATA", stream: 1, data: "a", pad: 2 }), talk({ type: "DATA", stream: 1, hex: "0161ff", flags: 0x8 })],
  "stream-identifiers": [talk({ type: "PING", hex: "00".repeat(8) }), talk({ type: "PING", stream: 1, hex: "00".repeat(8) })],
  "field-blocks-contiguous": [
    talk({ type: "HEADERS", stream: 1, block: "88" }, { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], block: "" }),
    talk({ type: "HEADERS", stream: 1, block: "88" }, { type: "PING", hex: "00".repeat(8) }),
  ],
  "nothing-after-end-stream": [
    talk(headers(1, ok()), data(1, 1, "END_STREAM"), { type: "WINDOW_UPDATE", stream: 1, increment: 1 }),
    talk(headers(1, ok()), data(1, 1, "END_STREAM"), data(1, 1)),
  ],
  "flow-control": [
    new Talk()
      .theirs(data(1, 65_535))
      .ours({ type: "WINDOW_UPDATE", increment: 10 }, { type: "WINDOW_UPDATE", stream: 1, increment: 10 })
      .theirs(data(1, 10)),
    talk(data(1, 65_535), data(1, 1)),
  ],
  "window-increments-not-zero": [talk({ type: "WINDOW_UPDATE", increment: 1 }), talk({ type: "WINDOW_UPDATE", increment: 0 })],
  "no-push": [
    talk(headers(1, ok())),
    talk({ type: "PUSH_PROMISE", stream: 1, promised: 2, flags: ["END_HEADERS"], fields: [[":method", "GET"]] }),
  ],
  "stream-identifiers-increase": [talk(headers(1, []), headers(3, [])), talk(headers(3, []), headers(2, [])), "client"],
  "goaway-never-rises": [
    talk({ type: "GOAWAY", last: 5 }, { type: "GOAWAY", last: 3 }),
    talk({ type: "GOAWAY", last: 3 }, { type: "GOAWAY", last: 5 }),
  ],
  "nothing-beyond-goaway": [
    talk({ type: "GOAWAY", last: 5 }, headers(5, ok()), data(3, 1)),
    talk({ type: "GOAWAY", last: 5 }, { type: "GOAWAY", last: 3 }, headers(5, ok())),
  ],
  "concurrent-streams": [
    new Talk()
      .ours(settings(["MAX_CONCURRENT_STREAMS" as never, 1]))
      .theirs(ack, headers(1, []))
      .ours(data(1, 0, "END_STREAM"))
      .theirs(headers(3, [])),
    new Talk().ours(settings(["MAX_CONCURRENT_STREAMS" as never, 1])).theirs(ack, headers(1, []), headers(3, [])),
    "client",
  ],
  "rst-stream-not-answered": [
    new Talk().ours({ type: "RST_STREAM", stream: 3, code: 8 }).theirs({ type: "RST_STREAM", stream: 1, code: 8 }),
    new Talk().ours({ type: "RST_STREAM", stream: 1, code: 8 }).theirs({ type: "RST_STREAM", stream: 1, code: 8 }),
  ],
  "no-stream-after-goaway": [
    new Talk()
      .theirs(headers(1, []))
      .ours({ type: "GOAWAY", last: 1 }, { type: "PING", hex: "01".repeat(8) })
      .theirs({ type: "PING", flags: ["ACK"], hex: "01".repeat(8) }),
    new Talk()
      .ours({ type: "GOAWAY", last: 1 }, { type: "PING", hex: "01".repeat(8) })
      .theirs({ type: "PING", flags: ["ACK"], hex: "01".repeat(8) }, headers(1, [])),
    "client",
  ],
  "one-rst-stream-per-stream": [
    talk({ type: "RST_STREAM", stream: 1, code: 8 }),
    talk({ type: "RST_STREAM", stream: 1, code: 8 }, { type: "RST_STREAM", stream: 1, code: 8 }),
  ],
  "field-names-valid": [talk(headers(1, ok(["x-a", "b"]))), talk(headers(1, ok(["X-a", "b"])))],
  "field-values-valid": [talk(headers(1, ok(["x-a", "b c"]))), talk(headers(1, ok(["x-a", "b "])))],
  "no-connection-fields": [talk(headers(1, ok(["te", "trailers"]))), talk(headers(1, ok(["connection", "close"])))],
  "pseudo-fields-first": [
    talk(headers(1, ok(["x", "y"]))),
    talk(
      headers(1, [
        ["x", "y"],
        [":status", "200"],
      ]),
    ),
  ],
  "status-valid": [
    talk(headers(1, [[":status", "103"]]), headers(1, ok()), headers(1, [["x", "y"]], "END_STREAM")),
    talk(headers(1, [[":status", "20"]])),
  ],
  "interim-valid": [talk(headers(1, [[":status", "103"]])), talk(headers(1, [[":status", "101"]]))],
  "trailers-end-stream": [talk(headers(1, ok()), headers(1, [["x", "y"]], "END_STREAM")), talk(headers(1, ok()), headers(1, [["x", "y"]]))],
  "request-fields-valid": [
    talk(
      headers(1, [
        [":method", "GET"],
        [":scheme", "http"],
        [":path", "/"],
      ]),
    ),
    talk(
      headers(1, [
        [":method", "GET"],
        [":scheme", "http"],
        [":path", ""],
      ]),
    ),
    "client",
  ],
  "authority-valid": [
    talk(
      headers(1, [
        [":method", "GET"],
        [":authority", "a"],
        ["host", "a"],
      ]),
    ),
    talk(
      headers(1, [
        [":method", "GET"],
        [":authority", "u@a"],
      ]),
    ),
    "client",
  ],
  "content-length-agrees": [
    talk(headers(1, ok(["content-length", "2"])), data(1, 2, "END_STREAM")),
    talk(headers(1, ok(["content-length", "2"])), data(1, 3, "END_STREAM")),
  ],
  "content-after-header": [talk(headers(1, ok()), data(1, 1)), talk(headers(1, [[":status", "103"]]), data(1, 1))],
  "no-content-with-head-204-304": [
    talk(headers(1, [[":status", "204"]], "END_STREAM")),
    talk(headers(1, [[":status", "204"]]), data(1, 1, "END_STREAM")),
  ],
  "promised-requests-safe": [talk(push(1, 2)), talk(push(1, 2, [[":method", "POST"], ...REQUEST.slice(1)]))],
  "promises-on-open-streams": [
    new Talk().ours(headers(1, REQUEST, "END_STREAM")).theirs(push(1, 2), headers(1, ok(), "END_STREAM")),
    new Talk().ours(headers(1, REQUEST, "END_STREAM")).theirs(headers(1, ok(), "END_STREAM"), push(1, 2)),
  ],
  "date-present": [talk(headers(1, ok(["date", "x"]))), talk(headers(1, ok()))],
};

/** Blocks of an encoder that heeds our limit, and of one that does not. */
function lowered(heeds: boolean): Talk {
  const encoder = new Encoder();
  const fields = [{ name: "x-a", value: "b", sensitive: false }];
  const encode = (): string => {
    const into = new Writer();
    encoder.encode(fields, into);
    return toHex(into.take());
  };
  const first = encode();
  if (heeds) encoder.maxTableSize = 0;
  const second = encode();
  return new Talk()
    .theirs({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], block: first })
    .ours(settings(["HEADER_TABLE_SIZE" as never, 0]))
    .theirs(ack, { type: "HEADERS", stream: 3, flags: ["END_HEADERS"], block: second });
}
const block = (hex: string): Talk => talk({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], block: hex });

describe("monitors", () => {
  test.each(Object.entries(EXAMPLES))("%s: holds, and breaks", (name, [holds, breaks, role]) => {
    expect(holds.says(name, role)).toBeUndefined();
    expect(breaks.says(name, role)).toEqual(expect.any(String));
  });

  test("size-update-follows-settings: after our lower limit was acknowledged", () => {
    expect(lowered(true).says("size-update-follows-settings")).toBeUndefined();
    expect(lowered(false).says("size-update-follows-settings")).toContain("no size update");
  });

  test("size-update-follows-settings: of the sizes in one frame only the last takes effect, and a table below it owes nothing", () => {
    const size = (value: number): [never, number] => ["HEADER_TABLE_SIZE" as never, value];
    const asked = (...sizes: number[]): Talk =>
      new Talk()
        .theirs({ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], block: "3f2188" })
        .ours(settings(...sizes.map(size)))
        .theirs(ack, { type: "HEADERS", stream: 3, flags: ["END_HEADERS"], block: "88" });
    expect(asked(0, 4096).says("size-update-follows-settings")).toBeUndefined();
    expect(asked(64).says("size-update-follows-settings")).toBeUndefined();
    expect(asked(4096, 63).says("size-update-follows-settings")).toContain("after the limit became 63");
  });

  test("field blocks by their representations", () => {
    expect(block("3fe11f88").says("size-updates-within-limit")).toBeUndefined();
    expect(block("3fe21f88").says("size-updates-within-limit")).toContain("beyond 4096");
    expect(block("2088").says("size-updates-first")).toBeUndefined();
    expect(block("8820").says("size-updates-first")).toContain("after a field");
    expect(block("88").says("field-blocks-well-formed")).toBeUndefined();
    expect(block("40").says("field-blocks-well-formed")).toContain("breaks off");
  });

  test("a field block that cannot be decoded", () => {
    const wrong = block("88");
    expect(wrong.says("field-blocks-decode")).toBeUndefined();
    wrong.log.push({
      is: "frame",
      at: 0,
      on: 0,
      frame: frameOf({ type: "HEADERS", stream: 3, block: "80" }),
      section: { of: "HEADERS", stream: 3, fields: [], endStream: false, block: new Uint8Array(), problem: "indexZero" },
    });
    expect(wrong.says("field-blocks-decode")).toContain("indexZero");
  });

  test("h2c among the ALPN names", () => {
    const offering = talk();
    offering.log.offered.add("h2");
    expect(offering.says("h2c-not-offered", "client")).toBeUndefined();
    offering.log.offered.add("h2c");
    expect(offering.says("h2c-not-offered", "client")).toContain("offers h2c");
  });

  test("an unknown name is a mistake in the case", () => {
    expect(() => talk().says("peace")).toThrow('There is no monitor "peace"');
  });

  test("every monitor of the wire and of messages has its example here", () => {
    const elsewhere = /size-update|field-blocks-decode|blocks-well-formed|no-dynamic-index|h2c-not-offered/;
    expect(monitorNames.filter((name) => EXAMPLES[name] === undefined && !elsewhere.test(name))).toEqual([]);
  });
});
