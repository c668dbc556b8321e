import type { Rng } from "../lib/mutate.ts";

/** One frame of a sequence, possibly malformed, with its description. */
export type Piece = { readonly words: string; readonly hex: string };

const pick = (rng: Rng, below: number): number => Math.floor(rng() * below);
const oneOf = <Item>(rng: Rng, items: readonly [Item, ...Item[]]): Item => items[pick(rng, items.length)] ?? items[0];

const TYPE = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
  PRIORITY_UPDATE: 16,
} as const;
type Name = keyof typeof TYPE | "unknown";
type Frame = { name: Name; type: number; flags: number; stream: number; payload: Buffer; length?: number };
const END_STREAM = 1;
const END_HEADERS = 4;

const u32 = (value: number): Buffer => {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value >>> 0);
  return out;
};
/** A literal field without indexing or Huffman coding (rfc7541#6.2.2). */
const field = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.of(0, name.length), Buffer.from(name, "latin1"), Buffer.of(value.length), Buffer.from(value, "latin1")]);
const request = (method: string, authority: string): Buffer =>
  Buffer.concat([field(":method", method), field(":scheme", "http"), field(":path", "/"), field(":authority", authority)]);

/** The state of the sequence so far that the next frame depends on. */
type Situation = { next: number; open: number[]; readonly authority: string };

/** Frames that are legal at this point. */
function legal(rng: Rng, s: Situation): Frame[] {
  const frame = (name: Exclude<Name, "unknown">, flags: number, stream: number, payload: Buffer): Frame => ({
    name,
    type: TYPE[name],
    flags,
    stream,
    payload,
  });
  const begin = (end: boolean): Frame[] => {
    const stream = s.next;
    s.next += 2;
    if (!end) s.open.push(stream);
    const block = request(end ? "GET" : "POST", s.authority);
    const flags = end ? END_STREAM : 0;
    if (pick(rng, 4) > 0) return [frame("HEADERS", flags | END_HEADERS, stream, block)];
    const cut = pick(rng, block.length + 1);
    return [frame("HEADERS", flags, stream, block.subarray(0, cut)), frame("CONTINUATION", END_HEADERS, stream, block.subarray(cut))];
  };
  const stream = s.open[pick(rng, s.open.length)];
  switch (pick(rng, 12)) {
    case 0:
    case 1:
      return begin(true);
    case 2:
      return begin(false);
    case 3:
    case 4: {
      if (stream === undefined) return begin(false);
      const end = pick(rng, 3) === 0;
      if (end) s.open = s.open.filter((id) => id !== stream);
      return [frame("DATA", end ? END_STREAM : 0, stream, Buffer.alloc(pick(rng, 64)))];
    }
    case 5:
      if (stream === undefined) return begin(false);
      s.open = s.open.filter((id) => id !== stream);
      return [frame("RST_STREAM", 0, stream, u32(oneOf(rng, [0, 7, 8])))];
    case 6:
      return [
        frame(
          "SETTINGS",
          0,
          0,
          rng() < 0.5 ? Buffer.alloc(0) : Buffer.concat([Buffer.of(0, 4), u32(oneOf(rng, [65_535, 1, 0x7fff_ffff]))]),
        ),
      ];
    case 7:
      return [frame("PING", 0, 0, Buffer.alloc(8, pick(rng, 256)))];
    case 8:
      return [frame("WINDOW_UPDATE", 0, stream ?? 0, u32(1 + pick(rng, 1_000)))];
    case 9:
      return [frame("PRIORITY", 0, s.next + 2, Buffer.concat([u32(0), Buffer.of(pick(rng, 256))]))];
    case 10:
      return [frame("PRIORITY_UPDATE", 0, 0, Buffer.concat([u32(s.next), Buffer.from(`u=${pick(rng, 8)}`)]))];
    default:
      return [
        { name: "unknown", type: 0x20 + pick(rng, 200), flags: pick(rng, 256), stream: stream ?? 0, payload: Buffer.alloc(pick(rng, 32)) },
      ];
  }
}

/** The frame with one change. It may still be legal: the oracle decides. */
function twist(rng: Rng, frame: Frame, s: Situation): Frame {
  const grown = (by: number): Buffer => Buffer.concat([frame.payload, Buffer.alloc(by)]);
  switch (pick(rng, 8)) {
    case 0:
      return { ...frame, stream: oneOf(rng, [0, 1, 2, s.next, s.next + 100, 0x7fff_ffff]) };
    case 1:
      return { ...frame, flags: frame.flags ^ (1 << pick(rng, 8)) };
    case 2:
      return { ...frame, payload: frame.payload.subarray(0, pick(rng, frame.payload.length + 1)) };
    case 3:
      return { ...frame, payload: grown(1 + pick(rng, 8)) };
    case 4:
      return { ...frame, payload: grown(16_385) };
    case 5: {
      const payload = Buffer.from(frame.payload);
      if (payload.length > 0) payload[pick(rng, payload.length)] = pick(rng, 256);
      return { ...frame, payload };
    }
    case 6:
      return { ...frame, payload: Buffer.alloc(frame.payload.length) };
    default:
      return { ...frame, type: pick(rng, 10) };
  }
}

function piece({ name, type, flags, stream, payload }: Frame, note: string): Piece {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  const words = `${name}${name === "unknown" || TYPE[name] !== type ? ` as type 0x${type.toString(16)}` : ""} stream ${stream} flags 0x${flags.toString(16)} length ${payload.length}${note}`;
  return { words, hex: Buffer.concat([head, payload]).toString("hex") };
}

/** A sequence to follow the preface and SETTINGS. In half of the sequences one frame is twisted; the others are legal. */
export function sequence(rng: Rng, authority: string): Piece[] {
  const s: Situation = { next: 1, open: [], authority };
  const frames = Array.from({ length: 1 + pick(rng, 12) }, () => legal(rng, s)).flat();
  const wrong = rng() < 0.5 ? pick(rng, frames.length) : -1;
  return frames.map((frame, i) => (i === wrong ? piece(twist(rng, frame, s), " (twisted)") : piece(frame, "")));
}
