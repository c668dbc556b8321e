import fc, { assert, type Command } from "fast-check";
import { describe, test } from "vitest";
import { instant } from "../../reference/core/index.ts";
import { Connection, DEFAULT_LIMITS, FAULTS, type Event, type FaultName, type Side } from "../../reference/websocket/index.ts";
import { readFrame, writeFrame, type Frame, type OpcodeName } from "../../reference/websocket/frame.ts";
import { Writer } from "../../reference/core/index.ts";

/**
 * The closing handshake of one end against a small model (rfc6455#5.5.1, rfc6455#7): who has sent Close, with which code, what may follow, and how
 * it ends. The peer is the test; each command looks at what the end says and tells.
 */

type Phase = "open" | "closing" | "closed" | "over";
type Model = {
  readonly side: Side;
  phase: Phase;
  now: number;
  /** When the wait began that is now on, for the peer's Close or for the end of the transport. */
  since: number;
  /** What the peer's Close said. */
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
  /** The peer's frame. */
  frame(is: OpcodeName, payload: Uint8Array): Uint8Array {
    const w = new Writer();
    writeFrame(w, { is, fin: true, rsv1: false, payload, ...(this.side === "server" ? { key: KEY } : {}) });
    return w.octets.slice(0, w.length);
  }
  /** The frames that the end has to say, a line each. */
  said(): string[] {
    const lines: string[] = [];
    let octets: Uint8Array = Buffer.concat(this.c.take());
    while (octets.length > 0) {
      const frame = readFrame(octets, OTHER[this.side]);
      if (frame === "short" || frame.is === "fault") throw new Error("what it says are no frames");
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
/** What has to be said and told after one command; `writable` is about flow, and no part of the handshake. */
function expects(real: Real, events: readonly Event[], said: readonly string[], told: readonly string[], what: string): void {
  // The frames first: what was told decides whether they are still allowed to go.
  const all = [...events, ...real.c.events()];
  const got = real.said();
  all.push(...real.c.events());
  const heard = all.filter(({ is }) => is !== "writable").map(eventInWords);
  if (JSON.stringify([got, heard]) !== JSON.stringify([said, told]))
    throw new Error(`${what}: said ${got.join(", ")}; told ${heard.join(", ")}. Due: ${said.join(", ")}; ${told.join(", ")}`);
}
const closed = (m: Model, isClean: boolean, fault?: FaultName): string =>
  `closed ${m.code} ${m.reason} ${isClean ? "clean" : "not clean"} ${fault ?? "no fault"}`;
/** It breaks a rule: a Close that says why goes out once, and the end has come. */
function failed(m: Model, fault: FaultName): { said: string[]; told: string[] } {
  const said = m.phase === "open" ? [`close ${FAULTS[fault].code}`] : [];
  m.phase = "over";
  return { said, told: [closed(m, false, fault)] };
}
/** Whether anything that the peer sends is still looked at. */
const listens = ({ phase }: Model): boolean => phase === "open" || phase === "closing";

type Step = Command<Model, Real>;
const step = (words: string, perform: (m: Model, real: Real) => void): Step => ({
  check: () => true,
  run: perform,
  toString: () => words,
});

const ownText = fc.constant(
  step("it sends a text", (m, real) => {
    if (m.phase === "closing") {
      let isRefused = false;
      try {
        real.c.text("a");
      } catch {
        isRefused = true;
      }
      if (!isRefused) throw new Error("a message behind our own Close is a misuse");
      return expects(real, [], [], [], "a message behind our Close");
    }
    const isTaken = real.c.text("a");
    if (isTaken !== (m.phase === "open")) throw new Error(`text() gave ${isTaken} while ${m.phase}`);
    return expects(real, [], m.phase === "open" ? ["text a"] : [], [], "own text");
  }),
);
const ownControl = fc.constantFrom("ping" as const, "pong" as const).map((is) =>
  step(`it sends a ${is}`, (m, real) => {
    let isRefused = false;
    try {
      real.c[is](new Uint8Array(Buffer.from("o")));
    } catch {
      isRefused = true;
    }
    // Behind our own Close only pongs may go: they are owed until the peer's has come.
    if (isRefused !== (is === "ping" && m.phase === "closing"))
      throw new Error(`${is}() ${isRefused ? "threw" : "did not throw"} while ${m.phase}`);
    const goes = m.phase === "open" || (is === "pong" && m.phase === "closing");
    expects(real, [], goes ? [`${is} o`] : [], [], `own ${is}`);
  }),
);
const ownClose = fc.constantFrom(undefined, 1000, 1001, 3000, 4999).map((code) =>
  step(`it closes with ${code ?? "no code"}`, (m, real) => {
    real.c.close(code);
    const said = m.phase === "open" ? [code === undefined ? "close" : `close ${code}`] : [];
    if (m.phase === "open") [m.phase, m.since] = ["closing", m.now];
    expects(real, [], said, [], "own Close");
  }),
);
const wrongClose = fc.constantFrom(0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_536).map((code) =>
  step(`it closes with ${code}, which no Close may carry`, (_m, real) => {
    let isRefused = false;
    try {
      real.c.close(code);
    } catch {
      isRefused = true;
    }
    if (!isRefused) throw new Error(`${code} was taken`);
    expects(real, [], [], [], "a code that is never sent");
  }),
);
const peerSends = fc.constantFrom<OpcodeName>("text", "ping", "pong").map((is) =>
  step(`the peer sends a ${is}`, (m, real) => {
    const events = real.c.receive(real.frame(is, new Uint8Array(Buffer.from("p"))), instant(m.now));
    if (!listens(m)) return expects(real, events, [], [], "behind the end");
    // A ping is answered up to the peer's Close, behind ours too (rfc6455#5.5.2).
    return expects(real, events, is === "ping" ? ["pong p"] : [], [`${is === "text" ? "message" : is} p`], `the peer's ${is}`);
  }),
);
const peerCloses = fc
  .tuple(fc.constantFrom<number | undefined>(undefined, 1000, 1001, 1012, 1014, 3000, 4999), fc.constantFrom("", "bye", "tschüß"))
  .map(([code, reason]) =>
    step(`the peer closes with ${code ?? "no code"} ${reason}`, (m, real) => {
      const payload = code === undefined ? [] : [code >> 8, code & 0xff, ...Buffer.from(reason)];
      const events = real.c.receive(real.frame("close", Uint8Array.from(payload)), instant(m.now));
      if (!listens(m)) return expects(real, events, [], [], "a second Close");
      [m.code, m.reason] = [code ?? 1005, code === undefined ? "" : reason];
      const told = [`closing ${m.code} ${m.reason}`];
      // The answer has the code that came, and no code where none came.
      const said = m.phase === "open" ? [code === undefined ? "close" : `close ${code}`] : [];
      [m.phase, m.since] = [m.side === "server" ? "over" : "closed", m.now];
      return expects(real, events, said, m.phase === "over" ? [...told, closed(m, true)] : told, "the peer's Close");
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
      if (!listens(m)) return expects(real, events, [], [], "a wrong Close behind the end");
      const { said, told } = failed(m, fault);
      return expects(real, events, said, told, "a wrong Close");
    }),
  );
const ends = fc.constant(
  step("the peer ends the transport", (m, real) => {
    const events = real.c.ended(instant(m.now));
    if (m.phase === "over") return expects(real, events, [], [], "ended again");
    const isClean = m.phase === "closed";
    m.phase = "over";
    return expects(real, events, [], [closed(m, isClean)], "ended");
  }),
);
const aborts = fc.constant(
  step("it aborts", (m, real) => {
    real.c.abort();
    if (m.phase === "over") return expects(real, [], [], [], "aborted behind the end");
    const isClean = m.phase === "closed";
    m.phase = "over";
    return expects(real, [], [], [closed(m, isClean)], "aborted");
  }),
);
const waits = fc.constantFrom(1, 1_000, DEFAULT_LIMITS.endMs, DEFAULT_LIMITS.closeMs - 1, DEFAULT_LIMITS.closeMs).map((ms) =>
  step(`${ms} ms pass`, (m, real) => {
    // The wait of our own Close begins where the end first hears of the time behind it: a tick says what time it was.
    real.c.tick(instant(m.now));
    m.now += ms;
    const events = real.c.tick(instant(m.now));
    const most = m.phase === "closing" ? DEFAULT_LIMITS.closeMs : m.phase === "closed" ? DEFAULT_LIMITS.endMs : Number.POSITIVE_INFINITY;
    // Signs of life are asked for while open, and are another model's.
    if (m.phase === "open") {
      real.c.receive(real.frame("pong", new Uint8Array()), instant(m.now));
      real.c.take();
      real.c.events();
      return undefined;
    }
    if (m.now - m.since < most || m.phase === "over") return expects(real, events, [], [], "time");
    const isClean = m.phase === "closed";
    m.phase = "over";
    return expects(real, events, [], [closed(m, isClean, ...(isClean ? [] : (["closeLate"] as const)))], "too late");
  }),
);

describe.each(["server", "client"] as const)("%s", (side) => {
  test("the closing handshake is the model's, whatever either end does and however long it takes", () => {
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
