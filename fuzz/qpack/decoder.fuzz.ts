import { Decoder } from "../../reference/qpack/index.ts";
import type { Target } from "../lib/target.ts";

const CAPACITY = 220;
const BLOCKED = 3;
const MAX_LIST = 4_096;

type Arrival = { readonly stream: number | undefined; readonly octets: Uint8Array };

/** Pieces of an input: an octet says what it is (of the encoder stream, or a section of a stream), the next how long. */
function arrivalsOf(input: Uint8Array): Arrival[] {
  const arrivals: Arrival[] = [];
  for (let at = 0; at < input.length;) {
    const kind = input[at++] ?? 0;
    const length = (input[at++] ?? 0) & 0x7f;
    arrivals.push({ stream: kind < 0x80 ? undefined : (kind & 7) * 4, octets: input.subarray(at, (at += length)) });
  }
  return arrivals;
}

/** What a decoder makes of it, up to the first fault. With `cut` the encoder stream comes octet by octet. */
function read(arrivals: readonly Arrival[], cut: boolean): unknown[] {
  const decoder = new Decoder({ maxTableCapacity: CAPACITY, maxBlockedStreams: BLOCKED, maxListSize: MAX_LIST });
  const seen: unknown[] = [];
  for (const { stream, octets } of arrivals) {
    if (stream !== undefined) {
      const decoded = decoder.decode(stream, octets);
      seen.push(decoded);
      if (decoded.is === "fault" && decoded.scope === "connection") return seen;
      if (decoded.is === "fields") checkSize(decoded.fields);
    } else {
      for (const piece of cut ? Array.from(octets, (octet) => Uint8Array.of(octet)) : [octets]) {
        const { unblocked, fault } = decoder.receive(piece);
        seen.push(...unblocked);
        if (fault !== undefined) return [...seen, fault];
        if (unblocked.some(({ decoded }) => decoded.is === "fault" && decoded.scope === "connection")) return seen;
      }
    }
    if (decoder.blockedStreams > BLOCKED) throw new Error(`${decoder.blockedStreams} streams are blocked`);
    if (decoder.tableSize > CAPACITY) throw new Error(`the table has ${decoder.tableSize} octets`);
  }
  return [...seen, decoder.table, Buffer.from(decoder.take()).toString("hex")];
}

function checkSize(fields: readonly { readonly name: string; readonly value: string }[]): void {
  const size = fields.reduce((sum, { name, value }) => sum + name.length + value.length + 32, 0);
  if (size > MAX_LIST) throw new Error(`fields of ${size} octets exceed the limit of ${MAX_LIST}`);
}

/** The decoder is total and bounded, and the cuts of the encoder stream change nothing. */
export const target: Target = {
  name: "qpack/decoder",
  about: "any octets of encoder stream and sections decode to faults or to fields within the limits, wherever the stream is cut",
  run(input) {
    const arrivals = arrivalsOf(input);
    const whole = JSON.stringify(read(arrivals, false));
    const pieces = JSON.stringify(read(arrivals, true));
    if (whole !== pieces) throw new Error(`cut octet by octet: ${pieces.slice(0, 500)}, whole: ${whole.slice(0, 500)}`);
  },
  seeds: [
    "0025" + "3fbd01c00f7777772e6578616d706c652e636f6dc10c2f73616d706c652f70617468".padEnd(74, "0"),
    "810403811011" + "00093fbd0141610131" + "80030200 80".replace(" ", ""),
    "000f3fbd014a637573746f6d2d6b657901" + "000102" + "8003020080",
  ].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  dictionary: ["3fbd01", "20", "41610131", "0200", "0381", "c001", "80", "7fffffffffffffffff7f", "8cf1e3c2e5f23a6ba0ab90f4ff"].map(
    (hex) => new Uint8Array(Buffer.from(hex, "hex")),
  ),
  maxLength: 512,
};
