import { field, type Field } from "../../core/index.ts";
import { ErrorCode, Flag, FrameType } from "../../http2/index.ts";
import { continuation, data, endsStream, ping, rstStream, without } from "./frames.ts";
import { AFTER, kind, type Kind, type OutFrame, type Step } from "./step.ts";

const { DATA, HEADERS, PUSH_PROMISE } = FrameType;
const CODE = { default: "CANCEL", words: Object.keys(ErrorCode), about: "the error code" } as const;
const isHead = ({ type }: OutFrame): boolean => type === HEADERS;
const octets = (count: number): Uint8Array => new Uint8Array(count).fill(0x78);

/** Changes the field list of each response. */
const fields = (name: string, title: string, change: (list: readonly Field[]) => readonly Field[]): Kind =>
  kind("response", name, title, {}, () => (frame, next, line) => {
    next(isHead(frame) ? { ...frame, payload: line.block(change(line.fields(frame.payload))) } : frame);
  });

/** Does something once for each stream, with the first frame of its response. */
function once(act: (frame: OutFrame, next: (frame: OutFrame) => void) => void): Step {
  const seen = new Set<number>();
  return (frame, next) => {
    if (!isHead(frame) || seen.has(frame.stream)) return next(frame);
    seen.add(frame.stream);
    return act(frame, next);
  };
}

/** Faults of a response: its fields, its content, and the frames that carry them. */
export const response: readonly Kind[] = [
  kind("response", "reset", "RST_STREAM in the middle of a response", { code: CODE, after: AFTER }, ({ code, after }) => {
    const sent = new Map<number, number>();
    return (frame, next) => {
      if (frame.type !== HEADERS && frame.type !== DATA) return next(frame);
      const count = sent.get(frame.stream) ?? 0;
      sent.set(frame.stream, count + 1);
      if (count < after) return next(without(frame, Flag.END_STREAM));
      return count === after ? next(rstStream(frame.stream, code)) : undefined;
    };
  }),
  kind("response", "no-end", "the end of the response never comes", {}, () => (frame, next) => {
    next(endsStream(frame) ? without(frame, Flag.END_STREAM) : frame);
  }),
  fields("upper-case-field", "a field name with capitals", (list) => [...list, field("X-Touchstone", "upper case")]),
  fields("missing-status", "a response without :status", (list) => list.filter(({ name }) => name !== ":status")),
  fields("wrong-status", "a :status that is no number", (list) =>
    list.map((line) => (line.name === ":status" ? field(":status", "2xx") : line)),
  ),
  fields("late-status", ":status after the other fields", (list) => [...list.slice(1), ...list.slice(0, 1)]),
  fields("connection-field", "a field that HTTP/2 does not have", (list) => [...list, field("connection", "close")]),
  fields("line-break", "a field value with a line break in it", (list) => [...list, field("x-touchstone", "one\r\ntwo: 2")]),
  fields("wrong-length", "a content-length that is one too high", (list) =>
    list.map((line) => (line.name === "content-length" ? field("content-length", String(Number(line.value) + 1)) : line)),
  ),
  kind(
    "response",
    "large-fields",
    "more fields than the client may want",
    { octets: { default: 100_000, least: 1, most: 10_000_000, about: "octets of a field value" } },
    ({ octets: size }) =>
      (frame, next, line) => {
        if (!isHead(frame)) return next(frame);
        return next({ ...frame, payload: line.block([...line.fields(frame.payload), field("x-touchstone", "x".repeat(size))]) });
      },
  ),
  kind("response", "corrupt-block", "a field block that cannot be decoded", {}, () =>
    // An index far beyond both tables (rfc7541#2.3.3).
    once((frame, next) => next({ ...frame, payload: Uint8Array.of(0xff, 0xff, 0xff, 0x7f) })),
  ),
  kind(
    "response",
    "endless-block",
    "CONTINUATION that goes on and on",
    { count: { default: 5_000, least: 1, most: 100_000, about: "CONTINUATION frames" } },
    ({ count }) =>
      once((frame, next) => {
        next(without(frame, Flag.END_HEADERS));
        for (let i = 0; i < count; i++) next(continuation(frame.stream, ONE_MORE_FIELD));
      }),
  ),
  kind("response", "interrupted-block", "another frame between HEADERS and CONTINUATION", {}, () =>
    once((frame, next) => {
      next({ ...without(frame, Flag.END_HEADERS), payload: frame.payload.subarray(0, 1) });
      next(ping());
      next(continuation(frame.stream, frame.payload.subarray(1), true));
    }),
  ),
  kind(
    "response",
    "oversize-frame",
    "a frame that is longer than the client allows",
    { octets: { default: 16_385, least: 1, most: 16_777_215, about: "octets of content" } },
    ({ octets: size }) =>
      once((frame, next) => {
        next(without(frame, Flag.END_STREAM));
        next(data(frame.stream, octets(size)));
      }),
  ),
  kind("response", "beyond-window", "more content than the client's window allows", {}, () => {
    const step: Step = (frame, next, line) => {
      if (!isHead(frame)) return next(frame);
      next(without(frame, Flag.END_STREAM));
      for (let left = line.window + 1; left > 0; left -= PIECE.length)
        next(data(frame.stream, left < PIECE.length ? PIECE.subarray(0, left) : PIECE));
      return undefined;
    };
    return step;
  }),
  kind("response", "data-first", "content before the head of the response", {}, () =>
    once((frame, next) => {
      next(data(frame.stream, octets(1)));
      next(frame);
    }),
  ),
  kind("response", "data-after-end", "content after the end of the response", {}, () => (frame, next) => {
    next(frame);
    if (endsStream(frame)) next(data(frame.stream, octets(1)));
  }),
  kind("response", "data-on-idle-stream", "content on a stream that nobody has opened", {}, () =>
    once((frame, next) => {
      next(data(0x7fff_ffff, octets(1), true));
      next(frame);
    }),
  ),
  kind("response", "wrong-padding", "padding that is longer than its frame", {}, () => (frame, next) => {
    next(
      frame.type === DATA
        ? { ...frame, flags: frame.flags | Flag.PADDED, payload: Uint8Array.of(255, ...frame.payload.subarray(0, 100)) }
        : frame,
    );
  }),
  kind(
    "response",
    "empty-frames",
    "DATA without content, again and again",
    { count: { default: 5_000, least: 1, most: 100_000, about: "frames" } },
    ({ count }) =>
      once((frame, next) => {
        next(without(frame, Flag.END_STREAM));
        for (let i = 0; i < count; i++) next(data(frame.stream, new Uint8Array(0)));
        if (endsStream(frame)) next(data(frame.stream, new Uint8Array(0), true));
      }),
  ),
  kind("response", "unwanted-push", "a promise that the client has not allowed", {}, () => {
    let promised = 0;
    return (frame, next, line) => {
      if (isHead(frame)) {
        const request = [field(":method", "GET"), field(":scheme", "http"), field(":authority", "localhost"), field(":path", "/unwanted")];
        const block = line.block(request);
        const payload = Buffer.alloc(4 + block.length);
        payload.writeUInt32BE((promised += 2));
        payload.set(block, 4);
        next({ type: PUSH_PROMISE, flags: Flag.END_HEADERS, stream: frame.stream, payload });
      }
      next(frame);
    };
  }),
];

const PIECE = octets(16_384);
/** A literal field of its own, so that of such fragments nothing but their number is wrong (rfc7541#6.2.2). */
const ONE_MORE_FIELD = Buffer.concat([Uint8Array.of(0x00, 0x01, 0x78, 60), octets(60)]);
