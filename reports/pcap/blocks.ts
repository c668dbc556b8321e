/** The blocks of a pcapng file (draft-ietf-opsawg-pcapng), in the byte order of the network. */

const SECTION_HEADER = 0x0a0d_0d0a;
const BYTE_ORDER = 0x1a2b_3c4d;
const INTERFACE = 1;
const ENHANCED_PACKET = 6;
/** Each packet begins with the header of IPv4 or IPv6 (LINKTYPE_RAW). */
const RAW_IP = 101;
const COMMENT = 1;
const APPLICATION = 4;
/** The longest value of an option: its length has 16 bits, and the value is padded to words. */
const LONGEST = 0xfffc;

export type Packet = {
  /** Microseconds since 1970. */
  readonly micros: bigint;
  /** From its IP header on; the last octets of a long one may be missing. */
  readonly octets: Uint8Array;
  /** How many octets the whole packet has. */
  readonly length: number;
  readonly comment: string;
};

/** A file that holds these packets. `application` and `comment` describe it. */
export function pcapng(packets: readonly Packet[], application: string, comment: string): Uint8Array {
  // The length of the section is not given.
  const unknown = Buffer.alloc(8, 0xff);
  return Buffer.concat([
    block(SECTION_HEADER, u32(BYTE_ORDER), u16(1, 0), unknown, options([COMMENT, comment], [APPLICATION, application])),
    // Timestamps are in microseconds, and packets have any length, by default.
    block(INTERFACE, u16(RAW_IP, 0), u32(0)),
    ...packets.map((one) => packet(one)),
  ]);
}

const packet = ({ micros, octets, length, comment }: Packet): Buffer =>
  block(
    ENHANCED_PACKET,
    u32(0, Number(micros >> 32n), Number(micros & 0xffff_ffffn), octets.length, length),
    padded(octets),
    options([COMMENT, comment]),
  );

function block(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length = u32(body.length + 12);
  return Buffer.concat([u32(type), length, body, length]);
}

function options(...all: readonly (readonly [code: number, text: string])[]): Buffer {
  const written = all
    .filter(([, text]) => text !== "")
    .flatMap(([code, text]) => {
      const value = Buffer.from(text).subarray(0, LONGEST);
      return [u16(code, value.length), padded(value)];
    });
  return written.length === 0 ? Buffer.alloc(0) : Buffer.concat([...written, u16(0, 0)]);
}

const padded = (octets: Uint8Array): Uint8Array => Buffer.concat([octets, Buffer.alloc(-octets.length & 3)]);

function u16(...values: readonly number[]): Buffer {
  const out = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) out.writeUInt16BE(value, at * 2);
  return out;
}

function u32(...values: readonly number[]): Buffer {
  const out = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) out.writeUInt32BE(value, at * 4);
  return out;
}
