import fc, { assert, type Command } from "fast-check";
import { describe, test } from "vitest";
import { instant } from "../../reference/core/index.ts";
import { Connection, DEFAULT_LIMITS, FAULTS, type Event, type FaultName, type Side } from "../../reference/websocket/index.ts";
import { readFrame, writeFrame, type Frame, type OpcodeName } from "../../reference/websocket/frame.ts";
import { Writer } from "../../reference/core/index.ts";

/**
 * The closing handshake of one end against a small model (rfc6455#5.5.1, rfc6455#7): who has sent Close, with which code, what may follow, and
 * how it ends. The test acts as the peer; each command checks the frames and events of the end.
 */

type Phase = "open" | "closing" | "closed" | "over";
type Model = {
  readonly side: Side;
  phase: Phase;
  now: number;
  /** When the current wait began: for the peer's Close, or for the end of the transport. */
  since: number;
  /** The code and reason of the peer's Close. */
  code: number;
  reason: string;
};
const OTHER: Readonly<Record<Side, Side>> = { server: "client", client: "server" };
const KEY = 0x1234_5678;

class Real {
  readonly c: Connection;
  readonly side: Side;
  constructor(side: Side) {
    this.side = side;
    this.c = new Connection({ side, random: (into) => into.fill(7) }, instant(0));
  }
  /** A frame from the peer. */
  frame(is: OpcodeName, payload: Uint8Array): Uint8Array {
    const w = new Writer();
    writeFrame(w, { is, fin: true, rsv1: false, payload, ...(this.side === "server" ? { key: KEY } : {}) });
    return w.octets.slice(0, w.length);
  }
  /** The frames that the end sends, one line each. */
  frames(): string[] {
    const lines: string[] = [];
    let octets: Uint8Array = Buffer.concat(this.c.take());
    while (octets.length > 0) {
      const frame = readFrame(octets, OTHER[this.side]);
      if (frame === "short" || frame.is === "fault") throw new Error("the output is not a sequence of frames");
      lines.push(frameInWords(frame));
      octets = octets.subarray(2 + (this.side === "client" ? 4 : 0) + frame.payload.length);
    }
    return lines;
  }
}
function frameInWords({ is, payload }: Frame): string {
  const b = Buffer.from(payload);
  return is === "close" ? (b.length === 0 ? "close" : `close ${b.readUInt16BE(0)}`) : `${is} ${b.toString()}`;
}
function eventInWords(event: Event): string {
  if (event.is === "closing") return `closing ${event.code} ${event.reason}`;
  if (event.is === "closed")
    return `closed ${event.code} ${event.reason} ${event.clean ? "clean" : "not clean"} ${event.fault?.name ?? "no fault"}`;
  return "data" in event ? `${event.is} ${Buffer.from(event.data as string).toString()}` : event.is;
}
/** The frames and events due after a command, one line each. */
type Due = { readonly frames?: readonly string[]; readonly events?: readonly string[] };
/** Checks the output after the command `what`. Ignores `writable`: it is about flow control, not the handshake. */
function expects(real: Real, events: readonly Event[], due: Due, what: string): void {
  // Frames first: an event decides whether they may still go out.
  const all = [...events, ...real.c.events()];
  const frames = real.frames();
  all.push(...real.c.events());
  const reported = all.filter(({ is }) => is !== "writable").map(eventInWords);
  const [got, wanted] = [JSON.stringify({ frames, events: reported }), JSON.stringify({ frames: [], events: [], ...due })];
  if (got !== wanted) throw new Error(`${what}: got ${got}, expected ${wanted}`);
}
const closed = (m: Model, isClean: boolean, fault?: FaultName): string =>
  `closed ${m.code} ${m.reason} ${isClean ? "clean" : "not clean"} ${fault ?? "no fault"}`;
/** The peer breaks a rule: the end sends one Close with the code of the fault, and is over. */
function failed(m: Model, fault: FaultName): Due {
  const frames = m.phase === "open" ? [`close ${FAULTS[fault].code}`] : [];
  m.phase = "over";
  return { frames, events: [closed(m, false, fault)] };
}
/** Whether the end still reads what the peer sends. */
const listens = ({ phase }: Model): boolean => phase === "open" || phase === "closing";

type Step = Command<Model, Real>;
const step = (words: string, perform: (m: Model, real: Real) => void): Step => ({
  check: () => true,
  run: perform,
  toString: () => words,
});

const ownText = fc.constant(
  step("the end sends a text", (m, real) => {
    if (m.phase === "closing") {
      let isRefused = false;
      try {
        real.c.text("a");
      } catch {
        isRefused = true;
      }
      if (!isRefused) throw new Error("a message after our own Close must throw");
      return expects(real, [], {}, "a message after our Close");
    }
    const isTaken = real.c.text("a");
    if (isTaken !== (m.phase === "open")) throw new Error(`text() returned ${isTaken} while ${m.phase}`);
    return expects(real, [], { frames: m.phase === "open" ? ["text a"] : [] }, "own text");
  }),
);
const ownControl = fc.constantFrom("ping" as const, "pong" as const).map((is) =>
  step(`the end sends a ${is}`, (m, real) => {
    let isRefused = false;
    try {
      real.c[is](new Uint8Array(Buffer.from("o")));
    } catch {
      isRefused = true;
    }
    // After our own Close only pongs may go out: they are due until the peer's Close arrives.
    if (isRefused !== (is === "ping" && m.phase === "closing"))
      throw new Error(`${is}() ${isRefused ? "threw" : "did not throw"} while ${m.phase}`);
    const goes = m.phase === "open" || (is === "pong" && m.phase === "closing");
    expects(real, [], { frames: goes ? [`${is} o`] : [] }, `own ${is}`);
  }),
);
const ownClose = fc.constantFrom(undefined, 1000, 1001, 3000, 4999).map((code) =>
  step(`the end closes with ${code ?? "no code"}`, (m, real) => {
    real.c.close(code);
    const frames = m.phase === "open" ? [code === undefined ? "close" : `close ${code}`] : [];
    if (m.phase === "open") [m.phase, m.since] = ["closing", m.now];
    expects(real, [], { frames }, "own Close");
  }),
);
const wrongClose = fc.constantFrom(0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_536).map((code) =>
  step(`the end closes with ${code}, which no Close may carry`, (_m, real) => {
    let isRefused = false;
    try {
      real.c.close(code);
    } catch {
      isRefused = true;
    }
    if (!isRefused) throw new Error(`${code} was accepted`);
    expects(real, [], {}, "a code that must not be sent");
  }),
);
const peerSends = fc.constantFrom<OpcodeName>("text", "ping", "pong").map((is) =>
  step(`the peer sends a ${is}`, (m, real) => {
    const events = real.c.receive(real.frame(is, new Uint8Array(Buffer.from("p"))), instant(m.now));
    if (!listens(m)) return expects(real, events, {}, "after the end");
    // A ping is answered until the peer's Close, after ours too (rfc6455#5.5.2).
    const due = { frames: is === "ping" ? ["pong p"] : [], events: [`${is === "text" ? "message" : is} p`] };
    return expects(real, events, due, `the peer's ${is}`);
  }),
);
const peerCloses = fc
  .tuple(fc.constantFrom<number | undefined>(undefined, 1000, 1001, 1012, 1014, 3000, 4999), fc.constantFrom("", "bye", "tschüß"))
  .map(([code, reason]) =>
    step(`the peer closes with ${code ?? "no code"} ${reason}`, (m, real) => {
      const payload = code === undefined ? [] : [code >> 8, code & 0xff, ...Buffer.from(reason)];
      const events = real.c.receive(real.frame("close", Uint8Array.from(payload)), instant(m.now));
      if (!listens(m)) return expects(real, events, {}, "a second Close");
      [m.code, m.reason] = [code ?? 1005, code === undefined ? "" : reason];
      const closing = [`closing ${m.code} ${m.reason}`];
      // The answer repeats the peer's code, or has none if the peer's Close has none.
      const frames = m.phase === "open" ? [code === undefined ? "close" : `close ${code}`] : [];
      [m.phase, m.since] = [m.side === "server" ? "over" : "closed", m.now];
      return expects(real, events, { frames, events: m.phase === "over" ? [...closing, closed(m, true)] : closing }, "the peer's Close");
    }),
  );
const peerIsWrong = fc
  .constantFrom<readonly [FaultName, string]>(
    ["closeTooShort", "03"],
    ["closeCodeInvalid", "03ed"],
    ["closeCodeInvalid", "03ee"],
    ["closeCodeInvalid", "03f7"],
    ["closeCodeInvalid", "0000"],
    ["closeCodeInvalid", "0bb7"],
    ["closeCodeInvalid", "1388"],
    ["closeReasonInvalid", "03e8ff"],
    ["closeReasonInvalid", "03e8c3"],
  )
  .map(([fault, payload]) =>
    step(`the peer closes with ${payload}, which is ${fault}`, (m, real) => {
      const events = real.c.receive(real.frame("close", new Uint8Array(Buffer.from(payload, "hex"))), instant(m.now));
      if (!listens(m)) return expects(real, events, {}, "an invalid Close after the end");
      return expects(real, events, failed(m, fault), "an invalid Close");
    }),
  );
const ends = fc.constant(
  step("the peer ends the transport", (m, real) => {
    const events = real.c.ended(instant(m.now));
    if (m.phase === "over") return expects(real, events, {}, "ended again");
    const isClean = m.phase === "closed";
    m.phase = "over";
    return expects(real, events, { events: [closed(m, isClean)] }, "ended");
  }),
);
const aborts = fc.constant(
  step("the end aborts", (m, real) => {
    real.c.abort();
    if (m.phase === "over") return expects(real, [], {}, "aborted after the end");
    const isClean = m.phase === "closed";
    m.phase = "over";
    return expects(real, [], { events: [closed(m, isClean)] }, "aborted");
  }),
);
const waits = fc.constantFrom(1, 1_000, DEFAULT_LIMITS.endMs, DEFAULT_LIMITS.closeMs - 1, DEFAULT_LIMITS.closeMs).map((ms) =>
  step(`${ms} ms pass`, (m, real) => {
    // The wait after our own Close starts at the next call that passes a time: a tick.
    real.c.tick(instant(m.now));
    m.now += ms;
    const events = real.c.tick(instant(m.now));
    const most = m.phase === "closing" ? DEFAULT_LIMITS.closeMs : m.phase === "closed" ? DEFAULT_LIMITS.endMs : Number.POSITIVE_INFINITY;
    // While open the end sends keep-alive pings, which this model does not cover.
    if (m.phase === "open") {
      real.c.receive(real.frame("pong", new Uint8Array()), instant(m.now));
      real.c.take();
      real.c.events();
      return undefined;
    }
    if (m.now - m.since < most || m.phase === "over") return expects(real, events, {}, "time");
    const isClean = m.phase === "closed";
    m.phase = "over";
    return expects(real, events, { events: [closed(m, isClean, ...(isClean ? [] : (["closeLate"] as const)))] }, "too late");
  }),
);

describe.each(["server", "client"] as const)("%s", (side) => {
  test("the closing handshake agrees with the model, whatever either end does and however long it takes", () => {
    assert(
      fc.property(
        fc.commands(
          [ownText, ownControl, ownClose, wrongClose, peerSends, peerCloses, peerIsWrong, ends, aborts, waits].flatMap((c, i) =>
            i < 5 ? [c, c] : [c],
          ),
          { maxCommands: 14 },
        ),
        (commands) =>
          fc.modelRun(
            () => ({ model: { side, phase: "open", now: 0, since: 0, code: 1006, reason: "" } as Model, real: new Real(side) }),
            commands,
          ),
      ),
      { numRuns: 600 },
    );
  });
});
