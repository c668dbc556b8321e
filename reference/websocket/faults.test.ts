import { expect, test } from "vitest";
import type { Options } from "./connection.ts";
import type { Side } from "./contract.ts";
import { FAULTS, type FaultName } from "./faults.ts";
import { binary, bytes, close, DEFLATE, more, ping, Rig, text, raw } from "./testing.ts";

const names = Object.keys(FAULTS) as FaultName[];

/** Frames with the fault, the options they need, and what happens `after` them. */
type Wrong = {
  readonly sends: readonly Uint8Array[];
  readonly side?: Side;
  readonly options?: Omit<Options, "side">;
  readonly after?: (rig: Rig) => string[];
};
const sends = (frame: Uint8Array | readonly Uint8Array[], rest: Omit<Wrong, "sends"> = {}): Wrong => ({
  sends: frame instanceof Uint8Array ? [frame] : frame,
  ...rest,
});
const limit = (limits: NonNullable<Options["limits"]>): Omit<Wrong, "sends"> => ({ options: { limits } });
const deflate: Omit<Wrong, "sends"> = { options: { deflate: DEFLATE } };

/** Total: a fault without frames does not compile. */
const WRONG: Readonly<Record<FaultName, Wrong>> = {
  reservedBitSet: sends(text("a", { rsv: 0x40 })),
  opcodeReserved: sends(raw({ op: 3 })),
  lengthNotMinimal: sends(binary("a", { length: "7e 00 01" })),
  lengthTopBitSet: sends(binary("a", { length: "7f 80 00 00 00 00 00 00 01" })),
  maskMissing: sends(text("a", { key: false })),
  maskForbidden: sends(text("a"), { side: "client" }),
  controlFragmented: sends(ping("a", { fin: false })),
  controlTooLong: sends(ping("a".repeat(126))),
  continuationUnexpected: sends(more("a", true)),
  messageInterrupted: sends([text("a", { fin: false }), text("b")]),
  compressedBitMisplaced: sends([text(bytes("01 61"), { fin: false, rsv: 0x40 }), more("", true, { rsv: 0x40 })], deflate),
  textInvalid: sends(text(bytes("c3 28"))),
  compressionInvalid: sends(text(bytes("ff 61"), { rsv: 0x40 }), deflate),
  closeTooShort: sends(raw({ op: 8, payload: "a" })),
  closeCodeInvalid: sends(close(1_005)),
  closeReasonInvalid: sends(close(1_000, bytes("c3 28"))),
  messageTooLarge: sends(binary("abcdef"), limit({ messageOctets: 5 })),
  tooManyFrames: sends([text("", { fin: false }), more("", false), more("", false)], limit({ frames: 2 })),
  tooManyControls: sends([ping(), ping(), ping()], limit({ controls: 2 })),
  readerSlow: sends([], {
    options: { limits: { queuedOctets: 10 } },
    after: (rig) => {
      rig.c.text("what nobody reads");
      return rig.c.text("more") ? [] : rig.told();
    },
  }),
  peerSilent: sends([], {
    after: (rig) => {
      rig.tick(30_000);
      rig.out();
      return rig.tick(50_000);
    },
  }),
  closeLate: sends([], {
    after: (rig) => {
      rig.c.close(1_000);
      rig.out();
      rig.tick(1);
      return rig.tick(5_001);
    },
  }),
};

test.each(names)("%s: ends the connection, with a Close of its code as the last frame", (name) => {
  const { sends: frames, side = "server", options, after } = WRONG[name];
  for (const cut of [undefined, 1]) {
    const rig = new Rig(side, options, cut);
    const events = [...rig.receives(...frames), ...(after?.(rig) ?? [])];
    expect(events.at(-1)).toBe(`closed 1006 ${name}`);
    const { code, spec } = FAULTS[name];
    const out = rig.out().filter((line) => !line.includes("pong"));
    expect(out).toEqual(code === 0 ? [] : [`${side === "client" ? "masked " : ""}close ${code} ${name} (${spec})`]);
    expect(rig.receives(text("a", side === "client" ? { key: false } : {}))).toEqual([]);
    expect(rig.c.text("late")).toBe(false);
    expect([rig.out(), rig.c.queued, rig.c.deadline]).toEqual([[], 0, Number.POSITIVE_INFINITY]);
  }
});

/** The frames in `WRONG` are valid apart from their faults. */
test("the same frames without a fault: accepted", () => {
  const rig = new Rig("server", { deflate: DEFLATE, limits: { frames: 3, controls: 2, messageOctets: 6 } });
  const events = rig.receives(
    text(bytes("01 61"), { rsv: 0x40 }),
    binary("abcdef"),
    text("", { fin: false }),
    ping("x"),
    more("", false),
    more("é", true),
    ping(),
    close(1_000, "é"),
  );
  expect(events).toEqual(["text a", "binary <616263646566>", "ping x", "text é", "ping", "closing 1000 é", "closed 1000 é clean"]);
});

test("every fault: has a section", () => {
  for (const name of names) expect(FAULTS[name].spec).toMatch(/^rfc\d{4}#\d+(\.\d+)*$/);
});

/** One line for each fault: a changed code is a changed line. */
test("the table of faults matches its snapshot", () => {
  expect(names.map((name) => `${name}: ${FAULTS[name].code} ${FAULTS[name].spec}`).join("\n")).toMatchSnapshot();
});
