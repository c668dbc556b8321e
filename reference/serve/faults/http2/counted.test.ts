import { describe, expect, it } from "vitest";
import type { Handler } from "../../handler.ts";
import { serve } from "../../server/serve.ts";
import { SERVER_FAULTS as FAULTS } from "./index.ts";
import {
  acks,
  ask,
  content,
  DATA,
  frame,
  get,
  GOAWAY,
  HEADERS,
  names,
  onStream,
  ofType,
  PING,
  PING_1,
  RST_STREAM,
  SETTINGS,
  talk,
  WINDOW_UPDATE,
  type Frame,
  type Seen,
} from "./testing.ts";

/** Which responses a fault affects, and what two faults do together. */

const FOUR = [get(1), get(3), get(5), get(7)];
const asked = (...faults: readonly string[]): Promise<Seen> => ask({ http2: { faults } }, ...FOUR);
const ofStream = (seen: Seen, stream: number): string[] => onStream(seen, stream).map(written);
const written = ({ type, flags, stream, payload }: Frame): string => `${stream} ${type} ${flags} ${payload.toString("hex")}`;

/** The number of frames in which two conversations differ; octets outside of frames count as one. */
function difference(one: Seen, other: Seen): number {
  const left = other.frames.map(written);
  const added = one.frames.map(written).filter((frame) => {
    const at = left.indexOf(frame);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return added.length + left.length + (one.rest.length > 0 ? 1 : 0);
}

/** A specification of a fault that a response of a few octets shows. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  "window-update": "how=zero,",
  flood: "frames=3,",
  "endless-continuation": "frames=3,",
};
const counted = FAULTS.filter(({ args }) => "after" in args && "times" in args).map(({ name }) => name);
const once = FAULTS.filter(({ args }) => "after" in args && !("times" in args)).map(({ name }) => name);
const spec = (name: string, rest: string): string => `${name}:${ARGUMENTS[name] ?? ""}${rest}`;
/** The same conversation without a fault. */
const unchanged = (): Promise<Seen> => asked("reset:after=10000");

describe.concurrent("a fault from the second response on, with `times`", () => {
  it.each(counted)("%s", async (name) => {
    const [plain, second, both] = await Promise.all([unchanged(), asked(spec(name, "after=2")), asked(spec(name, "after=2,times=2"))]);
    expect(difference(second, plain)).toBeGreaterThan(0);
    expect(difference(both, plain)).toBeGreaterThan(difference(second, plain));
    for (const stream of [1, 7]) expect(ofStream(both, stream)).toEqual(ofStream(plain, stream));
    expect(ofStream(second, 5)).toEqual(ofStream(plain, 5));
  });
});

describe.concurrent("a single fault at the second response", () => {
  it.each(once.filter((name) => name !== "drop" && name !== "silence"))("%s", async (name) => {
    const [plain, second] = await Promise.all([unchanged(), asked(spec(name, "after=2"))]);
    expect(ofStream(second, 1)).toEqual(ofStream(plain, 1));
    expect(difference(second, plain)).toBeGreaterThan(0);
  });

  it.each([
    ["drop", "end"],
    ["silence", "open"],
  ])("%s counts stream frames, and nothing follows", async (name, end) => {
    const seen = await asked(`${name}:after=3`);
    expect(seen.frames.filter(({ stream }) => stream > 0).length).toBe(3);
    expect(seen.end).toBe(end);
  });
});

describe.concurrent("two faults together", () => {
  it("of the same response: both change its header section", async () => {
    const seen = await ask({ http2: { faults: ["upper-case-field", "unknown-pseudo-field"] } }, get(1));
    expect(names(seen)).toEqual(expect.arrayContaining([":status", "X-Fault", ":fault"]));
  });

  it("of one response each", async () => {
    const seen = await asked("reset:code=REFUSED_STREAM", "reset:code=INTERNAL_ERROR,after=2");
    expect(ofType(seen, RST_STREAM).map(({ stream, payload }) => [stream, payload.readUInt32BE()])).toEqual([
      [1, 7],
      [5, 2],
    ]);
    // A response that the first fault replaces does not count for the second.
    expect([3, 7].map((stream) => onStream(seen, stream).map(({ type }) => type))).toEqual([
      [HEADERS, DATA],
      [HEADERS, DATA],
    ]);
  });

  it("of the connection and of a response", async () => {
    const seen = await ask({ http2: { faults: ["settings-ack:how=never", "ping-ack:how=twice", "no-status"] } }, get(1), PING_1);
    expect([acks(seen, SETTINGS).length, acks(seen, PING).length]).toEqual([0, 2]);
    expect(names(seen)).not.toContain(":status");
  });

  it("two that replace the response: the first wins", async () => {
    const seen = await ask({ http2: { faults: ["reset:code=CANCEL", "oversize-frame"] } }, get(1));
    expect(onStream(seen, 1).map(({ type }) => type)).toEqual([RST_STREAM]);
  });

  it("a change and a delay: the changed frames are delayed, in either order", async () => {
    for (const faults of [
      ["delay:ms=50", "goaway"],
      ["goaway", "delay:ms=50"],
    ]) {
      const seen = await ask({ http2: { faults } }, get(1), PING_1);
      const order = seen.frames.filter(({ type, stream }) => type === PING || type === GOAWAY || stream === 1).map(({ type }) => type);
      expect(order[0]).toBe(PING);
      expect([...order].toSorted()).toEqual([DATA, HEADERS, PING, GOAWAY]);
    }
  });

  it("slow octets are the changed ones, even if the change is named last", async () => {
    const seen = await ask({ http2: { faults: ["slow:octets=4,ms=5", "upper-case-field"] } }, get(1));
    expect(names(seen)).toContain("X-Fault");
    expect(seen.reads).toBeGreaterThan(5);
  });

  it("one of the server and one by request", async () => {
    const seen = await ask(
      { http2: { faults: ["connection-field:after=2"], faultByRequest: true } },
      get(1, "reset"),
      get(3, "upper-case-field"),
    );
    expect(onStream(seen, 1).map(({ type }) => type)).toEqual([RST_STREAM]);
    expect(names({ ...seen, frames: onStream(seen, 3) })).toEqual(expect.arrayContaining(["X-Fault"]));
  });
});

describe.concurrent("content beyond a window", () => {
  const MIB = 1_048_576;
  /** SETTINGS_INITIAL_WINDOW_SIZE of 64 MiB, and as much for the connection. */
  const wide = [frame(SETTINGS, 0, 0, 0, 4, 0x04, 0, 0, 0), frame(WINDOW_UPDATE, 0, 0, 0x04, 0, 0, 0)];
  const handler: Handler = () => ({ status: 200, body: "small" });

  it("is 4 MiB at most, however large the window is", async () => {
    await using server = await serve(handler, { graceMs: 0, onError: () => {}, http2: { faults: ["window-overrun:octets=1048576"] } });
    expect(content(await talk(server, ...wide, get(1))).length).toBe(4 * MIB);
  });
});
