import { messageCompressors } from "../../reference/io/index.ts";
import { writeEnvelope } from "../../reference/rpc/envelope.ts";
import { MessageReader } from "../../reference/rpc/index.ts";
import type { Target } from "../lib/target.ts";

const LIMITS = [0, 1, 20, 300, undefined] as const;
const ENCODINGS = [undefined, "identity", "gzip", "deflate", "zstd", "other"] as const;
const compressors = messageCompressors();

type How = { readonly limit: number | undefined; readonly encoding: string | undefined; readonly side: "client" | "server" };

/** The first octet of an input selects limit, encoding and side. */
const howOf = (octet: number): How => ({
  limit: LIMITS[octet % LIMITS.length],
  encoding: ENCODINGS[(octet >> 3) % ENCODINGS.length],
  side: (octet & 0x80) === 0 ? "client" : "server",
});

/** The messages, and the fault of the stream or of its end, as text. Messages are copied at once: they may be views. */
function read({ limit, encoding, side }: How, pieces: Iterable<Uint8Array>): string {
  const reader = new MessageReader({ side, encoding, compressors, ...(limit === undefined ? {} : { limit }) });
  const messages: string[] = [];
  for (const piece of pieces) {
    const out: Uint8Array[] = [];
    const fault = reader.receive(piece, out);
    for (const message of out) {
      if (limit !== undefined && message.length > limit)
        throw new Error(`a message of ${message.length} octets exceeds the limit of ${limit}`);
      messages.push(Buffer.from(message).toString("hex"));
    }
    // The next frame may use the same memory.
    piece.fill(0xee);
    if (fault !== undefined) return JSON.stringify([messages, fault]);
  }
  return JSON.stringify([messages, reader.end()]);
}

function* cuts(octets: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < octets.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield octets.slice(at, at + size);
    at += size;
  }
}

/** A plain stream is its messages one after the other: written again, they are the stream. */
function mustBeWhole(octets: Uint8Array, text: string): void {
  const [messages, fault] = JSON.parse(text) as [string[], object | null];
  if (fault !== null) return;
  const again = Buffer.concat(messages.map((message) => writeEnvelope({ isCompressed: false, octets: Buffer.from(message, "hex") })));
  if (!again.equals(octets)) throw new Error("the messages are not what was sent");
}

/** Any octets give the same messages and the same fault wherever they are cut, within the limit. */
export const target: Target = {
  name: "rpc/envelope",
  about: "any octets give the same messages and the same fault wherever they are cut, and no message exceeds the limit",
  run(input) {
    const how = howOf(input[0] ?? 0);
    const octets = input.slice(1);
    const whole = read(how, [octets.slice()]);
    for (const sizes of [[1], [2, 3, 5, 8, 1], [7, 16_384]]) {
      const other = read(how, cuts(octets, sizes));
      if (other !== whole) throw new Error(`the messages depend on the cuts: ${whole} or ${other}`);
    }
    if (how.encoding === undefined) mustBeWhole(octets, whole);
  },
  seeds: [
    "0400000000020a0b00000000000000000003010203",
    "020000000015aa",
    "1301000000161f8b08000000000002ffcbc80400ac2a93d802000000",
    "18010000000a789ccbc80400013b00d2",
    "22010000000b28b52ffd20021100006869",
    "a9010000000168",
    "00020000000000",
    "0400ffffffff",
  ].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  dictionary: [
    "0000000000",
    "0100000000",
    "0000000001",
    "1f8b08000000000002ffcbc80400ac2a93d802000000",
    "789ccbc80400013b00d2",
    "28b52ffd20021100006869",
  ].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  maxLength: 512,
};
