import { describe, expect, it } from "vitest";
import type { Handler } from "../../handler.ts";
import { serve } from "../../server/serve.ts";
import { SERVER_FAULTS as FAULTS } from "./index.ts";
import { parseSpec } from "../spec.ts";
import {
  DATA,
  HEADERS,
  RST_STREAM,
  SETTINGS,
  PUSH_PROMISE,
  PING,
  GOAWAY,
  WINDOW_UPDATE,
  CONTINUATION,
  HELLO,
  frame,
  get,
  PING_1,
  talk,
  ofType,
  onStream,
  types,
  acks,
  content,
  decode,
  list,
  names,
  ask,
  type Seen,
} from "./testing.ts";

const parseFault = (spec: string) => parseSpec(spec, FAULTS, "HTTP/2");

const isWhole = (seen: Seen): void => {
  expect(names(seen)[0]).toBe(":status");
  expect(content(seen)).toBe(HELLO);
};

const isReset = (code: number) => (seen: Seen) => {
  expect(types(seen).at(-1)).toBe(RST_STREAM);
  expect(onStream(seen, 1).at(-1)!.payload.readUInt32BE()).toBe(code);
};
const isUnreadable = (seen: Seen): void => {
  const decoded = decode(ofType(seen, HEADERS)[0]!.payload);
  expect(["fields", "tooLarge"]).not.toContain(decoded.is);
  expect(types(seen)).toEqual([HEADERS]);
};
const ends = (seen: Seen): number => onStream(seen, 1).findIndex(({ type, flags }) => type <= HEADERS && (flags & 1) !== 0);
const hasSetting =
  (...payload: readonly number[]) =>
  (seen: Seen) => {
    expect(ofType(seen, SETTINGS).map((one) => [...one.payload])).toContainEqual(payload);
    isWhole(seen);
  };
const isOnly = (stream: number) => (seen: Seen) => {
  expect(ofType(seen, HEADERS).map((one) => one.stream)).toEqual([stream]);
};
const hasUpdate = (increment: number) => (seen: Seen) => {
  const updates = ofType(seen, WINDOW_UPDATE).filter(({ stream }) => stream === 1);
  expect(updates.map(({ payload }) => payload.readUInt32BE())).toEqual([increment]);
};
const hasBefore = (type: number, count: number) => (seen: Seen) => {
  const at = seen.frames.findIndex((one) => one.type === HEADERS);
  const before = seen.frames.slice(0, at).filter((one) => one.type === type && (one.flags !== 1 || type > CONTINUATION));
  expect(before.length).toBe(count);
  isWhole(seen);
};

/** What a client receives after one request and one PING. */
const EFFECTS: readonly (readonly [spec: string, sees: (seen: Seen) => void])[] = [
  ["reset:code=CANCEL", (seen) => (expect(types(seen)).toEqual([RST_STREAM]), isReset(8)(seen))],
  ["reset:code=REFUSED_STREAM", isReset(7)],
  ["reset-midway", (seen) => (expect(types(seen)).toEqual([HEADERS, RST_STREAM]), isReset(2)(seen))],
  [
    "goaway",
    (seen) => {
      expect(ofType(seen, GOAWAY).map((one) => [...one.payload])).toEqual([[0, 0, 0, 1, 0, 0, 0, 0]]);
      isWhole(seen);
    },
  ],
  [
    "goaway:last=before,code=INTERNAL_ERROR",
    (seen) => {
      expect(ofType(seen, GOAWAY).map((one) => [...one.payload])).toEqual([[0, 0, 0, 0, 0, 0, 0, 2]]);
      expect(types(seen)).toEqual([]);
      expect(seen.end).toBe("end");
    },
  ],
  ["drop:after=1", (seen) => (expect(types(seen)).toEqual([HEADERS]), expect(seen.end).toBe("end"))],
  ["drop:after=0,how=reset", (seen) => (expect(types(seen)).toEqual([]), expect(seen.end).toBe("reset"))],
  [
    "half-frame",
    (seen) => {
      expect(types(seen)).toEqual([]);
      expect(seen.rest.length).toBeGreaterThan(0);
      expect(seen.end).toBe("end");
    },
  ],
  ["stray-reset", (seen) => (expect(ofType(seen, RST_STREAM).map(({ stream }) => stream)).toEqual([1_001]), isWhole(seen))],
  [
    "delay:ms=50",
    (seen) => {
      const order = seen.frames.filter(({ type, stream }) => type === PING || stream === 1).map(({ type }) => type);
      expect(order.slice(0, 2)).toEqual([PING, HEADERS]);
      isWhole(seen);
    },
  ],
  ["slow:octets=4,ms=5", (seen) => (expect(seen.reads).toBeGreaterThan(5), isWhole(seen))],
  ["silence", (seen) => (expect(types(seen)).toEqual([]), expect(seen.end).toBe("open"))],
  ["silence:after=1", (seen) => (expect(types(seen)).toEqual([HEADERS]), expect(seen.end).toBe("open"))],
  ["settings-ack:how=never", (seen) => (expect(acks(seen, SETTINGS).length).toBe(0), isWhole(seen))],
  ["settings-ack:how=twice", (seen) => (expect(acks(seen, SETTINGS).length).toBe(2), isWhole(seen))],
  ["ping-ack:how=never", (seen) => (expect(acks(seen, PING).length).toBe(0), isWhole(seen))],
  ["ping-ack:how=wrong", (seen) => expect([...acks(seen, PING)[0]!.payload]).toEqual([254, 253, 252, 251, 250, 249, 248, 247])],
  ["ping-ack:how=twice", (seen) => expect(acks(seen, PING).map(({ payload }) => payload[0])).toEqual([1, 1])],
  ["window-update:how=never", (seen) => (expect(ofType(seen, WINDOW_UPDATE)).toEqual([]), isWhole(seen))],
  ["window-update:how=zero", hasUpdate(0)],
  ["window-update:how=overflow", hasUpdate(0x7fff_ffff)],
  ["bad-setting:which=enable-push", hasSetting(0, 2, 0, 0, 0, 2)],
  ["bad-setting:which=initial-window", hasSetting(0, 4, 0x80, 0, 0, 0)],
  ["bad-setting:which=max-frame-size", hasSetting(0, 5, 0, 0, 0, 1)],
  ["bad-setting:which=length", hasSetting(0, 4, 0, 0, 0xff)],
  ["settings-on-stream", (seen) => (expect(types(seen).slice(0, 2)).toEqual([SETTINGS, HEADERS]), isWhole(seen))],
  ["bad-block:how=index", isUnreadable],
  ["bad-block:how=huffman", isUnreadable],
  ["bad-block:how=cut", isUnreadable],
  ["bad-block:how=size", isUnreadable],
  [
    "endless-continuation:frames=20",
    (seen) => {
      expect(types(seen)).toEqual([HEADERS, ...Array<number>(20).fill(CONTINUATION)]);
      expect(onStream(seen, 1).some(({ flags }) => (flags & 4) !== 0)).toBe(false);
    },
  ],
  ["stray-continuation", (seen) => (expect(types(seen).slice(0, 2)).toEqual([HEADERS, CONTINUATION]), isWhole(seen))],
  ["upper-case-field", (seen) => expect(names(seen)).toContain("X-Fault")],
  ["connection-field", (seen) => expect(list(seen)).toContainEqual(["connection", "close"])],
  ["late-pseudo-field", (seen) => expect(names(seen).indexOf(":status")).toBe(1)],
  ["unknown-pseudo-field", (seen) => expect(names(seen)).toContain(":fault")],
  ["no-status", (seen) => (expect(names(seen)).not.toContain(":status"), expect(content(seen)).toBe(HELLO))],
  ["two-statuses", (seen) => expect(names(seen).filter((name) => name === ":status").length).toBe(2)],
  ["false-length", (seen) => (expect(list(seen)).toContainEqual(["content-length", `${HELLO.length + 1}`]), isWhole(seen))],
  [
    "push-unasked",
    (seen) => {
      expect(types(seen).slice(0, 2)).toEqual([PUSH_PROMISE, HEADERS]);
      expect(ofType(seen, PUSH_PROMISE)[0]!.payload.readUInt32BE()).toBe(2);
    },
  ],
  ["oversize-frame", (seen) => expect(ofType(seen, DATA).map(({ payload }) => payload.length)).toEqual([16_385])],
  ["window-overrun:octets=3", (seen) => expect(content(seen).length).toBe(65_535 + 3)],
  ["window-overrun:octets=1048576", (seen) => expect(content(seen).length).toBe(65_535 + 1_048_576)],
  ["wrong-stream:which=idle", isOnly(1_001)],
  ["wrong-stream:which=even", isOnly(2)],
  ["wrong-stream:which=connection", isOnly(0)],
  ["data-after-end", (seen) => (expect(types(seen).at(-1)).toBe(DATA), expect(ends(seen)).toBe(types(seen).length - 2))],
  ["headers-after-end", (seen) => (expect(types(seen).at(-1)).toBe(HEADERS), expect(ends(seen)).toBe(types(seen).length - 2))],
  ["data-before-headers", (seen) => expect(types(seen).slice(0, 2)).toEqual([DATA, HEADERS])],
  [
    "padding-lie",
    (seen) => {
      const { flags, payload } = ofType(seen, DATA)[0]!;
      expect(flags & 8).toBe(8);
      expect(payload[0]).toBeGreaterThanOrEqual(payload.length);
    },
  ],
  ["flood:what=ping,frames=50", hasBefore(PING, 50)],
  // And the server's own one.
  ["flood:what=settings,frames=50", hasBefore(SETTINGS, 51)],
  ["flood:what=unknown,frames=50", hasBefore(0xf0, 50)],
  ["flood:what=empty-data,frames=50", (seen) => (expect(ofType(seen, DATA).length).toBeGreaterThan(50), isWhole(seen))],
  [
    "garbage:octets=40",
    (seen) => {
      expect(types(seen)).toEqual([]);
      expect([...seen.rest.subarray(0, 4)]).toEqual([0xff, 0xff, 0xff, 0xff]);
      expect(seen.rest.length).toBeGreaterThanOrEqual(40);
    },
  ],
  ["http1", (seen) => (expect(seen.raw.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/), expect(seen.end).toBe("end"))],
];

describe.concurrent("the effect of each fault on a client", () => {
  it("is listed for every fault", () => {
    const shown = new Set(EFFECTS.map(([spec]) => parseFault(spec).fault.name));
    expect([...shown].toSorted()).toEqual(FAULTS.map(({ name }) => name).toSorted());
  });
  it.each(EFFECTS)("%s", async (spec, sees) => {
    const seen = await ask({ http2: { faults: [spec] } }, get(1), PING_1);
    expect(() => sees(seen)).not.toThrow();
  });
  it("is absent without a fault", async () => {
    const seen = await ask({}, get(1), PING_1);
    isWhole(seen);
    expect(types(seen)).toEqual([HEADERS, DATA]);
    expect([acks(seen, SETTINGS).length, acks(seen, PING).length]).toEqual([1, 1]);
    expect(ofType(seen, WINDOW_UPDATE).length).toBeGreaterThan(0);
    expect([seen.rest.length, seen.end]).toEqual([0, "open"]);
    // A request gets no fault unless the server allows it.
    expect(types(await ask({}, get(1, "reset")))).toEqual([HEADERS, DATA]);
  });
  it.each(["drop:after=0,how=reset", "half-frame:how=reset"])("%s closes a connection over TLS too", async (spec) => {
    const errors: unknown[] = [];
    const seen = await ask({ http2: { faults: [spec] }, tls: true, onError: (error) => errors.push(error) }, get(1));
    expect(types(seen)).toEqual([]);
    expect(seen.end).not.toBe("open");
    expect(errors).toEqual([]);
  });
});

describe.concurrent("delayed octets", () => {
  const large: Handler = () => ({ status: 200, body: Buffer.alloc(2_000_000) });
  /** Room for everything: SETTINGS_INITIAL_WINDOW_SIZE and the connection's window. */
  const room = [frame(SETTINGS, 0, 0, 0, 4, 0x00, 0x40, 0, 0), frame(WINDOW_UPDATE, 0, 0, 0x00, 0x40, 0, 0)];

  it.each(["delay:ms=2000", "slow:octets=1,ms=1000"])("are 1 MiB at most, then the connection is dropped: %s", async (spec) => {
    await using server = await serve(large, { graceMs: 0, onError: () => {}, http2: { faults: [spec] } });
    expect((await talk(server, ...room, get(1))).end).toBe("reset");
  });
});

describe.concurrent("faults by request", () => {
  it("affect the response alone", async () => {
    const seen = await ask({ http2: { faultByRequest: true } }, get(1), get(3, "reset:code=REFUSED_STREAM"), get(5));
    expect(types(seen)).toEqual([HEADERS, DATA]);
    expect(onStream(seen, 3).map(({ type, payload }) => [type, payload.readUInt32BE()])).toEqual([[RST_STREAM, 7]]);
    expect(onStream(seen, 5).map(({ type }) => type)).toEqual([HEADERS, DATA]);
  });
  it.each(["nonsense", "reset:code=NONE", "http1"])("are refused with 400 if invalid: %s", async (spec) => {
    const seen = await ask({ http2: { faultByRequest: true } }, get(1, spec));
    expect(list(seen)).toContainEqual([":status", "400"]);
    expect(content(seen).trim().split("\n").length).toBe(1);
  });
});
