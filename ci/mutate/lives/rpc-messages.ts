import { gzipSync, gunzipSync } from "node:zlib";
import type { Compressor } from "../../../reference/rpc/index.ts";
import { type Envelope, EnvelopeReader, writeEnvelope } from "../../../reference/rpc/envelope.ts";
import { DEFAULT_MESSAGE_OCTETS, MessageReader } from "../../../reference/rpc/messages.ts";
import type { Chance } from "./chance.ts";
import { octetsText } from "./text.ts";

/** The messages of one direction of a stream: any sizes, flags, encodings, damages, limits and cuts. */

/** Each octet twice: an encoding whose mistakes are cheap to make. */
const doubling: Compressor = {
  compress: (octets) => Uint8Array.from({ length: octets.length * 2 }, (_, at) => octets[at >> 1]!),
  decompress(octets, limit) {
    if (octets.length % 2 === 1) return "corrupt";
    return octets.length / 2 > limit ? "large" : octets.filter((_, at) => at % 2 === 0);
  },
};
const gzip: Compressor = {
  compress: (octets) => gzipSync(octets, { level: 1 }),
  decompress(octets, limit) {
    try {
      const message = gunzipSync(octets);
      return message.length > limit ? "large" : message;
    } catch {
      return "corrupt";
    }
  },
};
const COMPRESSORS = new Map([
  ["double", doubling],
  ["gzip", gzip],
]);
const ENCODINGS = ["double", "double", "double", "gzip", "identity", undefined, "other", ""] as const;
const SIZES = [0, 1, 4, 5, 6, 127, 128, 255, 256, 300] as const;
const LARGE = [16_384, 65_535, 65_536, 65_537, 70_000, 140_000] as const;
const FILLER = 0xee;

/** A message as sent, of a size at which something may change. */
function drawMessage(chance: Chance, encoding: string | undefined): { readonly wire: Uint8Array; readonly size: number } {
  const size = chance.once(40) ? chance.one(LARGE) : chance.one(SIZES);
  const octets = size > 300 ? new Uint8Array(size).fill(chance.below(256)) : chance.octets(size);
  const compressor = COMPRESSORS.get(encoding ?? "");
  const isCompressed = compressor === undefined ? chance.once(12) : chance.once(2);
  const sent = isCompressed && compressor !== undefined ? compressor.compress(octets) : octets;
  return { wire: writeEnvelope({ isCompressed, octets: sent }), size: chance.once(2) ? size : sent.length };
}

/** One octet changed, cut off, doubled; or the head of a message that never comes. */
function damaged(chance: Chance, wire: Uint8Array): Uint8Array {
  const at = chance.below(wire.length + 1);
  switch (chance.below(6)) {
    case 0:
      return wire.slice(0, at);
    case 1:
      return new Uint8Array([...wire.subarray(0, at), chance.below(256), ...wire.subarray(at)]);
    case 2:
      return wire.with(0, chance.one([0, 1, 2, 3, 128, 255])) as Uint8Array<ArrayBuffer>;
    case 3:
      return new Uint8Array([...wire, ...chance.octets(chance.between(1, 9))]);
    case 4: {
      const length = chance.near(chance.one([DEFAULT_MESSAGE_OCTETS, 2 ** 31, 2 ** 24, 2 ** 16])) >>> 0;
      return new Uint8Array([...wire, chance.below(2), length >>> 24, length >>> 16, length >>> 8, length]);
    }
    default:
      return at === wire.length ? wire : (wire.with(at, chance.below(256)) as Uint8Array<ArrayBuffer>);
  }
}

function* pieces(chance: Chance, wire: Uint8Array): Generator<Uint8Array> {
  const most = chance.one([1, 2, 5, 6, 40, 70_000, 300_000]);
  for (let at = 0; at < wire.length;) {
    const size = wire.length > 5_000 ? Math.max(most, 5_000) : chance.between(chance.once(9) ? 0 : 1, most);
    yield wire.slice(at, at + size);
    at += size;
  }
}

export function messageScene(chance: Chance): string {
  const encoding = chance.one(ENCODINGS);
  const sent = Array.from({ length: chance.once(20) ? 0 : chance.between(1, 5) }, () => drawMessage(chance, encoding));
  const whole = Buffer.concat(sent.map(({ wire }) => wire));
  const wire = whole.length > 0 && chance.once(2) ? damaged(chance, new Uint8Array(whole)) : new Uint8Array(whole);
  const limit = chance.once(2) ? undefined : chance.near(chance.any(sent)?.size ?? 0);
  const side = chance.one(["client", "server"] as const);
  const lines = [`${side} ${encoding} ${limit} ${octetsText(wire)}`];
  const reader = new MessageReader({ side, encoding, compressors: COMPRESSORS, ...(limit === undefined ? {} : { limit }) });
  const between = new EnvelopeReader(limit ?? DEFAULT_MESSAGE_OCTETS);
  let isOver = false;
  for (const piece of pieces(chance, wire)) {
    const envelopes: Envelope[] = [];
    if (!isOver) {
      const problem = between.receive(piece, envelopes);
      isOver = problem !== undefined;
      lines.push(
        `${JSON.stringify(problem)} ${between.isBetween}`,
        ...envelopes.map((one) => `${one.isCompressed} ${octetsText(one.octets)}`),
      );
    }
    const out: Uint8Array[] = [];
    const fault = reader.receive(piece, out);
    lines.push(...out.map(octetsText));
    // The next frame may use the same memory.
    piece.fill(FILLER);
    if (fault !== undefined) return [...lines, JSON.stringify(fault)].join("\n");
  }
  return [...lines, JSON.stringify(reader.end())].join("\n");
}
