import { describe, expect, test } from "vitest";
import { Writer } from "../../reference/core/index.ts";
import { ReceiveWindow, widen } from "../../reference/http2/flow/window.ts";
import { readFrame, writeFrame, type Frame } from "../../reference/http2/frame/index.ts";
import { FAULTS, fault, HEAD_LENGTH, INITIAL_SETTINGS, readHead, streamId, type FaultName } from "../../reference/http2/index.ts";
import { applySettings } from "../../reference/http2/settings/values.ts";
import { IGNORED, Input, refusal, State, verdictOf, type InputName } from "../../reference/http2/stream/state.ts";
import { linter } from "../lint.ts";
import { kindOf, loadVectors, vectorFiles, type Vector } from "../load.ts";

/** Our own codec and tables against the vectors of HTTP/2, which were written from the text of the specification. */

type Error = { readonly scope: "connection" | "stream"; readonly code: string };
type FrameVector = Vector & { readonly wire: string; readonly frame?: object; readonly fault?: FaultName } & Partial<Error>;
type StateVector = Vector & {
  readonly steps: readonly { readonly input: InputName; readonly state?: string; readonly discard?: true; readonly error?: Error }[];
};
type FlowVector = Vector & {
  readonly of: "stream" | "connection";
  readonly steps: readonly {
    readonly data?: number;
    readonly pad?: number;
    readonly windowUpdate?: number;
    readonly initialWindowSize?: number;
    readonly window?: number;
    readonly error?: Error;
  }[];
};

const files = vectorFiles().filter((name) => name.startsWith("http2/"));
const ofKind = <V extends Vector>(kind: string): { name: string; vector: V }[] =>
  files.flatMap((name) => {
    const file = loadVectors<V>(name);
    return kindOf(file) === kind ? file.vectors.map((vector) => ({ name: `${name} ${vector.id}: ${vector.note}`, vector })) : [];
  });
const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));
/** Octets in the format of the vectors. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (part instanceof Uint8Array ? Buffer.from(part).toString("hex") : part)));

test("every file is valid by its schema", () => {
  const lint = linter();
  expect(files.flatMap((name) => lint(name))).toEqual([]);
  expect(ofKind("http2-frame").length).toBeGreaterThanOrEqual(120);
  expect(ofKind("http2-stream-state").length + ofKind("http2-flow-control").length).toBeGreaterThanOrEqual(60);
});

describe("frames", () => {
  const read = (wire: string): ReturnType<typeof readFrame> => {
    const octets = bytes(wire);
    return readFrame(readHead(octets), octets.subarray(HEAD_LENGTH));
  };
  const all = ofKind<FrameVector>("http2-frame");

  test.each(all)("$name", ({ vector: { wire, result, frame, fault: name, scope, code } }) => {
    const got = read(wire);
    const told = got.is === "fault" ? { fault: got.name, scope: got.scope, code: got.code } : { frame: plain(got) };
    expect(told).toEqual(result === "invalid" ? { fault: name, scope, code } : { frame });
  });

  test.each(all.filter(({ vector }) => vector.flags.includes("Canonical")))("written: $name", ({ vector: { wire } }) => {
    const w = new Writer();
    writeFrame(w, read(wire) as Frame);
    expect(Buffer.from(w.take()).toString("hex")).toBe(wire);
  });
});

describe("stream states", () => {
  const errorOf = (name: FaultName): object => ({ error: { scope: FAULTS[name].scope, code: FAULTS[name].code } });

  /** The vectors have one closed state. */
  const nameOf = (state: number): string => Object.keys(State).find((_, at) => at === state && at < State.ended) ?? "closed";

  /** The results of our table for the inputs, in the format of the vectors. */
  function walk(inputs: readonly InputName[]): object[] {
    let state: State = State.idle;
    return inputs.map((input) => {
      const verdict = verdictOf(state, Input[input]);
      if (verdict === IGNORED) return { input, discard: true };
      const name = refusal(verdict);
      if (name !== undefined) return { input, ...errorOf(name) };
      state = verdict as State;
      return { input, state: nameOf(state) };
    });
  }
  test.each(ofKind<StateVector>("http2-stream-state"))("$name", ({ vector: { steps } }) => {
    expect(walk(steps.map(({ input }) => input))).toEqual(steps);
  });
});

describe("flow control", () => {
  const all = ofKind<FlowVector>("http2-flow-control");
  const broken = (name: FaultName, of: FlowVector["of"]): object => {
    const { scope, code } = fault(name, streamId(of === "stream" ? 1 : 0));
    return { error: { scope, code } };
  };

  /** The sender's side: it sends no content beyond the window. */
  test.each(all)("as a sender: $name", ({ vector: { of, steps } }) => {
    let window = INITIAL_SETTINGS.initialWindowSize;
    let settings = INITIAL_SETTINGS;
    const seen = steps.map((given) => {
      const { window: _window, error: _error, ...asked } = given;
      let next: number | undefined;
      if (asked.data !== undefined) {
        const size = asked.data + (asked.pad === undefined ? 0 : asked.pad + 1);
        if (size > 0 && size > window) return { ...asked, ...broken("windowExceeded", of) };
        next = window - size;
      } else if (asked.windowUpdate !== undefined) {
        next = widen(window, asked.windowUpdate);
        if (next === undefined) return { ...asked, ...broken("windowOverflow", of) };
      } else {
        const applied = applySettings(settings, [{ id: 4, value: asked.initialWindowSize! }], { from: "client", isFirst: false });
        if ("is" in applied) return { ...asked, error: { scope: applied.scope, code: applied.code } };
        next = of === "stream" ? widen(window, applied.initialWindowSize - settings.initialWindowSize) : window;
        if (next === undefined) return { ...asked, ...broken("initialWindowOverflowsStream", of) };
        settings = applied;
      }
      window = next;
      return { ...asked, window };
    });
    expect(seen).toEqual(steps);
  });

  /** The receiver's side, which has sent the WINDOW_UPDATE and SETTINGS. */
  const received = all.filter(({ vector }) => vector.steps.every(({ error, data }) => error === undefined || data !== undefined));
  test.each(received)("as a receiver: $name", ({ vector: { of, steps } }) => {
    const inbound = new ReceiveWindow(INITIAL_SETTINGS.initialWindowSize);
    let initial = INITIAL_SETTINGS.initialWindowSize;
    const seen = steps.map((given) => {
      const { window: _window, error: _error, ...asked } = given;
      if (asked.data !== undefined) {
        const size = asked.data + (asked.pad === undefined ? 0 : asked.pad + 1);
        // A frame without octets does not count.
        if (size > 0 && !inbound.take(size))
          return { ...asked, ...broken(of === "stream" ? "windowExceeded" : "connectionWindowExceeded", of) };
      } else if (asked.windowUpdate !== undefined) {
        inbound.owed += asked.windowUpdate;
        inbound.giveAll();
      } else {
        if (of === "stream") inbound.shift(asked.initialWindowSize! - initial);
        initial = asked.initialWindowSize!;
      }
      return { ...asked, window: inbound.left };
    });
    expect(seen).toEqual(steps);
  });
});
