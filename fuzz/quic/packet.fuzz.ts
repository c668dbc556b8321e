import { concatenated, Writer } from "../../reference/core/index.ts";
import { QUIC_PRIMITIVES } from "../../reference/io/index.ts";
import { readHeader, writeLongHeader, writeVersionNegotiation, type Header } from "../../reference/quic/packet/header.ts";
import { initialKeys } from "../../reference/quic/packet/keys.ts";
import { inputs, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

const ID_LENGTHS = 21;
/** A packet of another connection to put in front. */
const [BEFORE] = inputs("e0 00000001 02 1122 01 00 02 aabb") as [Uint8Array];

/** The packets of a datagram, up to the first that cannot be read. */
function packetsOf(datagram: Uint8Array, from: number, idLength: number): Header[] {
  const packets: Header[] = [];
  for (let at = from; at < datagram.length;) {
    const header = readHeader(datagram, at, idLength);
    if (header.is === "fault") break;
    if (header.end <= at || header.end > datagram.length) throw new Error(`a packet from ${at} to ${header.end} of ${datagram.length}`);
    packets.push(header);
    at = header.end;
  }
  return packets;
}

/** A header with positions from the start of its packet. */
const placed = (header: ReturnType<typeof readHeader>, start: number): string =>
  shown({
    ...header,
    ...("start" in header && { start: 0, numberAt: header.numberAt - start }),
    ...("end" in header && { end: header.end - start }),
  });

/** Only a long header says where its packet ends: cut anywhere it is refused, and octets after it change nothing. */
function checkAlone(datagram: Uint8Array, start: number, header: Header, idLength: number): void {
  const packet = datagram.slice(start, header.end);
  const alone = placed(readHeader(packet, 0, idLength), 0);
  if (alone !== placed(header, start)) throw new Error(`${placed(header, start)} reads alone as ${alone}`);
  if (header.is !== "long") return;
  for (let end = 0; end < packet.length; end++) {
    const cut = readHeader(packet.subarray(0, end), 0, idLength);
    if (cut.is !== "fault" || cut.name !== "packetTruncated") throw new Error(`cut after ${end} octets it reads as ${shown(cut)}`);
  }
  const keys = initialKeys(QUIC_PRIMITIVES, header.version, header.destination, "client");
  const head = keys.unmask(packet, header.numberAt - start);
  if (head !== undefined && keys.open(packet, head.header, head.number) !== undefined && packet.length < 50)
    throw new Error("octets that nobody has protected are authentic");
}

/** What a header says reads the same after it is written. */
function checkWritten(header: Header): void {
  const writer = new Writer();
  if (header.is === "long") {
    const length = header.end - header.numberAt;
    writeLongHeader(writer, header, length, 1);
    writer.bytes(new Uint8Array(length));
  } else if (header.is === "versionNegotiation")
    writeVersionNegotiation(writer, { destination: header.source, source: header.destination }, header.versions, 0);
  else return;
  const again = readHeader(writer.take(), 0, 0);
  const words = ({ is, destination, source, ...more }: Extract<Header, { is: "long" | "versionNegotiation" }>): string =>
    shown({ is, destination, source, ...("type" in more ? { type: more.type, token: more.token } : { versions: more.versions }) });
  if (again.is === "fault" || (again.is !== "long" && again.is !== "versionNegotiation") || words(again) !== words(header))
    throw new Error(`${words(header)} reads as ${shown(again)} after writing`);
}

/** The first octet is the length of our connection IDs; a datagram follows. */
export const target: Target = {
  name: "quic/packet",
  about: "any datagram is read without throwing, and each packet reads the same alone, after others, and once it is written",
  run(input) {
    const idLength = (input[0] ?? 0) % ID_LENGTHS;
    const datagram = input.slice(1);
    const packets = packetsOf(datagram, 0, idLength);
    const later = packetsOf(concatenated([BEFORE, datagram]), BEFORE.length, idLength);
    if (later.length !== packets.length) throw new Error(`${packets.length} packets, after another one ${later.length}`);
    let start = 0;
    for (const [at, header] of packets.entries()) {
      checkAlone(datagram, start, header, idLength);
      if (placed(later[at]!, start + BEFORE.length) !== placed(header, start))
        throw new Error(`${shown(header)} differs after another packet`);
      checkWritten(header);
      start = header.end;
    }
  },
  seeds: inputs(
    "08 c3 00000001 08 8394c8f03e515708 00 00 4018 000000010203040506070809101112131415161718192021",
    "08 e0 00000001 02 1122 01 00 02aabb 40 0102030405060708 0011223344",
    "08 c0 6b3343cf 04 01020304 04 05060708 01 ff 03 010203 d0 6b3343cf 00 00 00 02 0102",
    "00 80 00000000 02 0102 00 00000001 6b3343cf",
    "05 f0 00000001 00 04 f067a502 746f6b656e 04a265ba2eff4d829058fb3f0f2496ba",
    "08 ff 00000001 00 08 f067a5502a4262b5 746f6b656e 04a265ba2eff4d829058fb3f0f2496ba",
    "14 40 000102030405060708090a0b0c0d0e0f10111213 0102030405",
    "00 c0 1a2a3a4a 15 000102030405060708090a0b0c0d0e0f1011121314 00 0102",
  ),
  dictionary: inputs("00000001", "6b3343cf", "00000000", "40ff", "ffffffffffffffff", "80000000", "c000000001"),
  maxLength: 300,
};
