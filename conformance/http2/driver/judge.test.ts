import { describe, expect, test } from "vitest";
import type { FrameSpec, Outcome } from "../vocabulary.ts";
import { build } from "../../wire/http2/build.ts";
import { readFrame } from "../../wire/http2/read.ts";
import { decide, refusingResponses } from "./judge.ts";
import { Log, type Seen } from "./log.ts";
import type { View } from "./sights.ts";

const setting = { stream: (ref: unknown) => ref as number, text: (value: string) => value, tableLimit: 4096 };
const frame = (spec: FrameSpec, status?: string): Seen => {
  const read = readFrame(build(spec, setting));
  const section = {
    of: "HEADERS" as const,
    stream: read.stream,
    fields: [[":status", status ?? ""]] as const,
    endStream: read.endStream === true,
    block: new Uint8Array(),
  };
  return { is: "frame", at: 0, on: 0, frame: read, ...(status === undefined ? {} : { section }) };
};
const goaway = (code: FrameSpec["code"] & string): Seen => frame({ type: "GOAWAY", code, last: 0 });
const reset = (stream: number, code: FrameSpec["code"] & string): Seen => frame({ type: "RST_STREAM", stream, code });
const response = (stream: number, status: string): Seen => frame({ type: "HEADERS", stream, flags: ["END_STREAM", "END_HEADERS"] }, status);
const end: Seen = { is: "end", at: 0, on: 0, how: "fin", ours: false };
const exit = (code: number | null): Seen => ({ is: "exit", at: 0, code, signal: code === null ? "SIGSEGV" : null });

const view = (seen: readonly Seen[], fenced: boolean, role: View["role"] = "server"): View => {
  const log = new Log();
  for (const one of seen) log.push(one);
  return {
    log,
    seen: log.seen,
    streamOf: (ref) => ref as number,
    text: (value) => value,
    role,
    fenced,
    monitor: (name) => (name === "broken" ? "it broke" : undefined),
  };
};
const come = (allowed: readonly Outcome[], seen: readonly Seen[], fenced = false, role: View["role"] = "server") => {
  const decision = decide(allowed, "request", view(seen, fenced, role));
  return decision.is === "allowed" ? decision.index : decision.is;
};

// The outcomes are spelled here, so that this tests the judge, whatever the phrases allow.
type Code = FrameSpec["code"] & string;
const closing: Outcome = { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" };
const connectionError = (code: Code): Outcome[] => [{ see: { see: "GOAWAY", code: code as never } }, closing];
const streamError = (stream: number, code: Code): Outcome[] => [
  { see: { see: "RST_STREAM", stream, code: code as never } },
  { see: { see: "GOAWAY", code: code as never }, by: "rfc9113#5.4.1" },
  closing,
];
const malformed: Outcome[] = [
  { see: { see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" } },
  { see: { see: "response", stream: 1, status: [400, 431] }, by: "rfc9113#8.1.1" },
];
const accepted: Outcome[] = [{ see: { see: "accepted" } }];
const answered: Outcome[] = [{ see: { see: "response", stream: 1 } }];

describe("a connection error", () => {
  const allowed = connectionError("PROTOCOL_ERROR");
  test("the expected GOAWAY decides at once", () => {
    expect(come(allowed, [goaway("PROTOCOL_ERROR")])).toBe(0);
    expect(come(allowed, [goaway("PROTOCOL_ERROR"), end])).toBe(0);
  });
  test("another error decides against it, even if the right one follows", () => {
    expect(come(allowed, [goaway("COMPRESSION_ERROR")])).toBe("other");
    expect(come(allowed, [goaway("COMPRESSION_ERROR"), goaway("PROTOCOL_ERROR")])).toBe("other");
  });
  test("closing without an error is the discouraged outcome, after GOAWAY with NO_ERROR too", () => {
    expect(come(allowed, [end])).toBe(1);
    expect(come(allowed, [goaway("NO_ERROR"), end])).toBe(1);
  });
  test("an answered fence alone decides nothing: the caller makes it a fail", () => {
    expect(come(allowed, [response(1, "200")], true)).toBe("open");
  });
  test("a stream error is not one, and decides nothing", () => {
    expect(come(allowed, [reset(1, "PROTOCOL_ERROR")], true)).toBe("open");
  });
});

describe("a stream error", () => {
  const allowed = streamError(1, "STREAM_CLOSED");
  test("counts only once the good request after it was answered", () => {
    expect(come(allowed, [reset(1, "STREAM_CLOSED")], false)).toBe("open");
    expect(come(allowed, [reset(1, "STREAM_CLOSED")], true)).toBe(0);
  });
  test("with another code it fails; on another stream it decides nothing", () => {
    expect(come(allowed, [reset(1, "CANCEL")], true)).toBe("other");
    expect(come(allowed, [reset(3, "CANCEL")], true)).toBe("open");
  });
  test("may be a connection error of the same code, and of no other", () => {
    expect(come(allowed, [goaway("STREAM_CLOSED")])).toBe(1);
    expect(come(allowed, [reset(1, "STREAM_CLOSED"), goaway("INTERNAL_ERROR")])).toBe("other");
  });
  test("then closing leaves only the discouraged outcome", () => {
    expect(come(allowed, [reset(1, "STREAM_CLOSED"), end])).toBe(2);
  });
});

describe("a malformed request", () => {
  test("may be answered with 400 if the connection stays open", () => {
    expect(come(malformed, [response(1, "400")], true)).toBe(1);
    expect(come(malformed, [response(1, "400")], false)).toBe("open");
    expect(come(malformed, [response(1, "200")], true)).toBe("open");
  });
  test("a control answered with 400 is refused", () => {
    expect(refusingResponses(malformed)).toEqual([{ see: "response", stream: 1, status: [400, 431] }]);
    expect(refusingResponses(answered)).toEqual([]);
  });
});

describe("what must be accepted", () => {
  test("needs the fence, and no refusal of anything", () => {
    expect(come(accepted, [], true)).toBe(0);
    expect(come(accepted, [], false)).toBe("open");
    expect(come(accepted, [reset(5, "CANCEL")], true)).toBe("open");
    expect(come(accepted, [end], true)).toBe("other");
    expect(come(accepted, [goaway("PROTOCOL_ERROR")], true)).toBe("other");
  });
  test("RST_STREAM with NO_ERROR only means that the rest is not needed", () => {
    expect(come(accepted, [response(1, "200"), reset(1, "NO_ERROR")], true)).toBe(0);
  });
  test("octets that are not HTTP/2 are never accepted", () => {
    expect(come(accepted, [{ is: "garbage", at: 0, on: 0, text: "HTTP/1.1 400" }], true)).toBe("other");
  });
});

describe("an invalid preface", () => {
  const answer: Seen = { is: "garbage", at: 0, on: 0, text: "HTTP/1.1 404", http1: true };
  const allowed: Outcome[] = [
    { see: { see: "GOAWAY", code: "PROTOCOL_ERROR" } },
    { see: { see: "closed" }, by: "rfc9113#3.4" },
    { see: { see: "http1" }, by: "rfc9113#3.3" },
  ];
  test("an answer in HTTP/1.1 is no end of the connection", () => {
    expect(come(allowed, [answer])).toBe(2);
    expect(come(allowed.slice(0, 2), [answer])).toBe("other");
    expect(come(allowed, [end])).toBe(1);
  });
});

describe("other sights", () => {
  test("all: each of them; the end counts even after a GOAWAY", () => {
    const allowed: Outcome[] = [{ see: { see: "all", of: [{ see: "GOAWAY", code: "PROTOCOL_ERROR" }, { see: "closed" }] } }];
    expect(come(allowed, [goaway("PROTOCOL_ERROR")])).toBe("open");
    expect(come(allowed, [goaway("PROTOCOL_ERROR"), end])).toBe(0);
    expect(come(allowed, [end])).toBe("open");
  });
  test("a frame by its members, and by count", () => {
    const ping = frame({ type: "PING", flags: ["ACK"], hex: "0102030405060708" });
    const allowed: Outcome[] = [{ see: { see: "frame", type: "PING", where: { ack: true, hex: "0102030405060708" }, count: 2 } }];
    expect(come(allowed, [ping], true)).toBe("open");
    expect(come(allowed, [ping, ping], true)).toBe(0);
    expect(come(allowed, [ping, frame({ type: "PING", hex: "0102030405060708" })], true)).toBe("open");
  });
  test("accepted without: what must not be seen", () => {
    const allowed: Outcome[] = [{ see: { see: "accepted without", not: [{ see: "frame", type: "PUSH_PROMISE" }] } }];
    expect(come(allowed, [], true)).toBe(0);
    expect(come(allowed, [frame({ type: "PUSH_PROMISE", stream: 1, promised: 2 })], true)).toBe("open");
  });
  test("holds: a property of everything", () => {
    expect(come([{ see: { see: "holds", monitor: "fine" } }], [], true)).toBe(0);
    expect(come([{ see: { see: "holds", monitor: "broken" } }], [], true)).toBe("open");
  });
});

describe("a client", () => {
  const allowed = connectionError("PROTOCOL_ERROR");
  test("that closes has refused only if its exit status confirms it", () => {
    expect(come(allowed, [end], false, "client")).toBe("open");
    expect(come(allowed, [end, exit(1)], true, "client")).toBe(1);
    expect(come(allowed, [end, exit(0)], true, "client")).toBe("open");
  });
  test("that crashes has refused nothing", () => {
    expect(come(allowed, [end, exit(null)], true, "client")).toBe("other");
  });
  test("is done when it ends with status 0", () => {
    expect(come(accepted, [goaway("NO_ERROR"), end, exit(0)], true, "client")).toBe(0);
    expect(come(accepted, [end, exit(1)], true, "client")).toBe("open");
  });
});
