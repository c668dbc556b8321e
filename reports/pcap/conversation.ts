import type { Packet } from "./blocks.ts";

/** Addresses for documentation (RFC 5737): who they stand for is in the comment of the file. */
const CLIENT = [192, 0, 2, 1];
const SERVER = [192, 0, 2, 2];
/** Analysers expect HTTP there, and find HTTP/2 and WebSocket in it. */
const SERVER_PORT = 80;
const FIRST_CLIENT_PORT = 49_152;
const CLIENT_PORTS = 16_384;
const FLAGS = { fin: 1, syn: 2, psh: 8, ack: 16 } as const;
const IP_HEADER = 20;
const TCP_HEADER = 20;
/** The most content of a segment, so that its packet has less than 64 KiB. */
const SEGMENT = 60_000;
const TCP = 6;

/** Content that one side sent; `octets` may lack the end of it. */
export type Sent = { readonly by: "client" | "server"; readonly octets: Uint8Array; readonly length: number };

/** A TCP connection as packets (RFC 9293): its opening, what each side sends, and its end. */
export class Conversation {
  readonly packets: Packet[] = [];
  readonly #port: number;
  readonly #next = { client: 0, server: 0 };
  #isOver = false;

  /** The `index` decides the port of the client, so that analysers keep connections apart. */
  constructor(index: number, micros: bigint, comment: string) {
    this.#port = FIRST_CLIENT_PORT + (index % CLIENT_PORTS);
    this.#segment("client", FLAGS.syn, micros, comment);
    this.#segment("server", FLAGS.syn | FLAGS.ack, micros);
    this.#segment("client", FLAGS.ack, micros);
  }
  get isOver(): boolean {
    return this.#isOver;
  }
  send({ by, octets, length }: Sent, micros: bigint, comment: string): void {
    for (let at = 0; at < length; at += SEGMENT) {
      const end = Math.min(at + SEGMENT, length);
      this.#segment(by, FLAGS.psh | FLAGS.ack, micros, at === 0 ? comment : "", octets.subarray(at, end), end - at);
    }
  }
  end(micros: bigint): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#segment("client", FLAGS.fin | FLAGS.ack, micros);
    this.#segment("server", FLAGS.fin | FLAGS.ack, micros);
    this.#segment("client", FLAGS.ack, micros);
  }
  // oxlint-disable-next-line max-params -- the parts of a segment
  #segment(
    by: Sent["by"],
    flags: number,
    micros: bigint,
    comment = "",
    content: Uint8Array = new Uint8Array(0),
    length = content.length,
  ): void {
    const to = by === "client" ? "server" : "client";
    const addresses = by === "client" ? [...CLIENT, ...SERVER] : [...SERVER, ...CLIENT];
    const ports = by === "client" ? [this.#port, SERVER_PORT] : [SERVER_PORT, this.#port];
    const total = IP_HEADER + TCP_HEADER + length;

    const ip = Buffer.alloc(IP_HEADER);
    ip.writeUInt8(0x45, 0);
    ip.writeUInt16BE(total, 2);
    ip.writeUInt8(64, 8);
    ip.writeUInt8(TCP, 9);
    ip.set(addresses, 12);
    ip.writeUInt16BE(checksum(ip), 10);

    const tcp = Buffer.alloc(TCP_HEADER);
    for (const [at, port] of ports.entries()) tcp.writeUInt16BE(port, at * 2);
    tcp.writeUInt32BE(this.#next[by] >>> 0, 4);
    tcp.writeUInt32BE(flags & FLAGS.ack ? this.#next[to] >>> 0 : 0, 8);
    tcp.writeUInt8((TCP_HEADER / 4) << 4, 12);
    tcp.writeUInt8(flags, 13);
    tcp.writeUInt16BE(0xffff, 14);
    // Nobody can tell the checksum of content that is not there.
    if (content.length === length) tcp.writeUInt16BE(checksum(Buffer.concat([pseudoHeader(addresses, tcp, length), tcp, content])), 16);

    this.packets.push({ micros, octets: Buffer.concat([ip, tcp, content]), length: total, comment });
    this.#next[by] += length + (flags & (FLAGS.syn | FLAGS.fin) ? 1 : 0);
  }
}

/** What the checksum of TCP covers besides the segment (RFC 9293, section 3.1). */
function pseudoHeader(addresses: readonly number[], tcp: Uint8Array, length: number): Buffer {
  const out = Buffer.alloc(12);
  out.set(addresses);
  out.writeUInt8(TCP, 9);
  out.writeUInt16BE(tcp.length + length, 10);
  return out;
}

/** The checksum of the Internet protocols (RFC 1071). */
function checksum(octets: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < octets.length; at += 2) sum += (octets[at]! << 8) | (octets[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
