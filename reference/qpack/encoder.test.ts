import { describe, expect, test } from "vitest";
import { field, Misuse, Writer } from "../core/index.ts";
import { Encoder, type EncoderOptions } from "./encoder.ts";
import { hex, octets } from "./testing.ts";

type Sent = { readonly instructions: string; readonly section: string };
function send(encoder: Encoder, streamId: number, ...fields: (readonly [string, string, boolean?])[]): Sent {
  const writer = new Writer();
  encoder.encode(
    streamId,
    fields.map(([name, value, sensitive]) => field(name, value, sensitive)),
    writer,
  );
  return { instructions: hex(encoder.take()), section: hex(writer.take()) };
}
const started = (maxTableCapacity: number, maxBlockedStreams: number, options: EncoderOptions = {}): Encoder => {
  const encoder = new Encoder(options);
  expect(encoder.settings({ maxTableCapacity, maxBlockedStreams })).toBeUndefined();
  return encoder;
};

describe("Encoder", () => {
  test("before the settings of the peer it refers to the static table only, and sends no instruction (rfc9204#3.2.3)", () => {
    const encoder = new Encoder();
    expect(send(encoder, 0, [":method", "GET"], ["x", "1"], [":path", "/a"])).toEqual({
      instructions: "",
      section: "0000d12178013151022f61",
    });
  });

  test("sets the lesser of both capacities, once", () => {
    expect(hex(started(220, 0).take())).toBe("3fbd01");
    expect(hex(started(1_000_000, 0).take())).toBe("3fe11f");
    expect(hex(started(220, 0, { tableCapacity: 0 }).take())).toBe("");
    const encoder = new Encoder();
    encoder.settings({ maxTableCapacity: 0, maxBlockedStreams: 0 });
    encoder.settings({ maxTableCapacity: 64, maxBlockedStreams: 0 });
    expect(hex(encoder.take())).toBe("3f21");
  });

  test("a remembered capacity must not change (rfc9204#3.2.3)", () => {
    expect(started(220, 0).settings({ maxTableCapacity: 221, maxBlockedStreams: 0 })).toMatchObject({ code: "QPACK_DECODER_STREAM_ERROR" });
    expect(started(220, 0).settings({ maxTableCapacity: 0, maxBlockedStreams: 0 })).toMatchObject({ name: "capacityChanged" });
  });

  test("refers to an entry at once where the stream may wait, else after it is acknowledged", () => {
    const risky = started(220, 1);
    expect(send(risky, 0, ["x", "1"])).toEqual({ instructions: "3fbd0141780131", section: "028010" });
    const careful = started(220, 0);
    expect(send(careful, 0, ["x", "1"])).toEqual({ instructions: "3fbd0141780131", section: "000021780131" });
    expect(send(careful, 4, ["x", "1"])).toEqual({ instructions: "", section: "000021780131" });
    expect(careful.receive(octets("01"))).toBeUndefined();
    expect(send(careful, 8, ["x", "1"])).toEqual({ instructions: "", section: "020080" });
  });

  test("risks no more streams than the peer and its own options permit", () => {
    for (const encoder of [started(4096, 1), started(4096, 100, { maxBlockedStreams: 1 })]) {
      expect(send(encoder, 0, ["x", "1"]).section).toBe("028010");
      expect(send(encoder, 4, ["x", "1"]).section).toBe("000021780131");
      // The stream that is at risk may be at more.
      expect(send(encoder, 0, ["y", "1"]).section).toBe("038010");
      expect(encoder.receive(octets("02"))).toBeUndefined();
      expect(send(encoder, 4, ["z", "1"]).section).toBe("048010");
    }
  });

  test("a cancelled stream risks nothing any longer", () => {
    const encoder = started(4096, 1);
    send(encoder, 0, ["x", "1"]);
    expect(encoder.receive(octets("40"))).toBeUndefined();
    expect([encoder.known, encoder.outstanding]).toEqual([0, 0]);
    expect(send(encoder, 4, ["x", "1"]).section).toBe("020080");
  });

  test("evicts nothing that is not acknowledged, or that a section without acknowledgment refers to (rfc9204#2.1.1)", () => {
    const encoder = started(70, 10);
    send(encoder, 0, ["x", "1"], ["y", "1"]);
    // Both entries fill the table, and nobody has acknowledged them.
    expect(send(encoder, 4, ["z", "1"])).toEqual({ instructions: "", section: "0000217a0131" });
    expect(encoder.receive(octets("02"))).toBeUndefined();
    // Inserted, but the section of stream 0 may still be on its way.
    expect(send(encoder, 8, ["z", "1"]).instructions).toBe("");
    expect(encoder.receive(octets("80"))).toBeUndefined();
    expect(send(encoder, 12, ["z", "1"])).toEqual({ instructions: "417a0131", section: "048010" });
  });

  test("copies an old entry before it goes, and never refers to what the copy evicted", () => {
    const encoder = started(120, 0);
    for (const name of ["a", "b", "c"]) send(encoder, 0, [name, "1"]);
    expect(encoder.receive(octets("03"))).toBeUndefined();
    expect(send(encoder, 4, ["a", "1"])).toEqual({ instructions: "02", section: "000021610131" });
  });

  test("writes instructions only where flow control has room for all of it (rfc9204#2.1.3)", () => {
    const encoder = started(4096, 10);
    encoder.take();
    encoder.credit = 20;
    expect(send(encoder, 0, ["x", "1"]).instructions).toBe("");
    encoder.credit = 1_000;
    expect(send(encoder, 0, ["x", "1"]).instructions).toBe("41780131");
  });

  test("with too many sections without acknowledgment it refers to the static table only", () => {
    const encoder = started(4096, 10, { maxOutstanding: 1 });
    expect(send(encoder, 0, ["x", "1"]).section).toBe("028010");
    expect(send(encoder, 4, ["x", "1"], ["x", "2"]).section).toBe("00002178013121780132");
  });

  test("secrets are literals that are never indexed, by any name (rfc9204#7.1.3)", () => {
    const encoder = started(4096, 10);
    expect(send(encoder, 0, ["authorization", "x"], ["x", "1", true])).toEqual({
      instructions: "3fe11f",
      section: "00007f45017831780131",
    });
    send(encoder, 0, ["x", "2"]);
    expect(encoder.receive(octets("01"))).toBeUndefined();
    expect(send(encoder, 4, ["x", "1", true]).section).toBe("0200600131");
  });

  test.each([
    ["an increment of zero", "00", "incrementZero"],
    ["an increment beyond what was sent", "03", "incrementBeyondSent"],
    ["an acknowledgment of a stream without sections", "84", "acknowledgmentUnexpected"],
    ["a second acknowledgment of one section", "8080", "acknowledgmentUnexpected"],
    ["an integer beyond 62 bits", "ffffffffffffffffffffff", "integerTooLarge"],
  ])("refuses %s", (_, answers, name) => {
    const encoder = started(4096, 10);
    send(encoder, 0, ["x", "1"], ["y", "1"]);
    expect(encoder.receive(octets(answers))).toMatchObject({ is: "fault", name, code: "QPACK_DECODER_STREAM_ERROR", scope: "connection" });
  });

  test("a character above U+00FF is a misuse that changes nothing", () => {
    const encoder = started(4096, 10);
    encoder.take();
    expect(() => send(encoder, 0, ["x", "1"], ["y", "\u0100"])).toThrow(Misuse);
    expect(() => send(encoder, 0, ["authorization", "\u0100"])).toThrow(Misuse);
    expect(encoder.outstanding).toBe(0);
    expect(send(encoder, 4, ["x", "1"])).toEqual({ instructions: "41780131", section: "020080" });
  });
});
