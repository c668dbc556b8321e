import { Writer } from "../../../reference/core/index.ts";
import { DEFAULT_LIMITS, FAULTS, HANDSHAKE_FAULTS, isCloseCode, mask, rotateKey } from "../../../reference/websocket/index.ts";
import { HeadReader, REFUSED, writeHead } from "../../../reference/websocket/frame.ts";
import { Gathered } from "../../../reference/websocket/gathered.ts";
import { maskWords, NOT_ASCII } from "../../../reference/websocket/mask.ts";
import { printTable } from "../../../reference/websocket/state.ts";
import { among, below, chance, type Draw, hexOf, octetsOf } from "./draw.ts";

/** Parts by themselves: masks at any alignment, heads of any length, rooms for pieces, close codes. */
export function partsLife(draw: Draw): string {
  const kind = draw();
  if (kind < 0.45) return masks(draw);
  if (kind < 0.8) return heads(draw);
  if (kind < 0.97) return gathers(draw);
  return tables(draw);
}

function masks(draw: Draw): string {
  const lines: string[] = [];
  for (let left = 6; left > 0; left--) {
    const from = below(draw, 6);
    const length = among(draw, [below(draw, 12), 3, 4, 31, 32, 33, 64, 100, 511, 512, 513, 575, 576, 577, 640]);
    const [shift, after] = [below(draw, 5), below(draw, 4)];
    const room = new Uint8Array(shift + from + length + after);
    const octets = room.subarray(shift);
    const key = chance(draw, 0.3) ? 0 : (draw() * 2 ** 32) | 0;
    const plain = chance(draw, 0.5) ? octetsOf(draw, octets.length) : octets.map(() => below(draw, 128));
    // What is ASCII after unmasking, but for one octet.
    for (let at = 0; at < octets.length; at++) octets[at] = plain[at]! ^ ((key >>> (((((at - from) % 4) + 4) % 4) * 8)) & 0xff);
    if (chance(draw, 0.3) && length > 0) octets[from + below(draw, length)]! ^= 0x80;
    lines.push(`${shift} ${from} ${length} ${key} ${hexOf(room)}`);
    const seen = chance(draw, 0.3) && length >= 3 ? maskWords(octets, from, from + length, key) : mask(octets, from, from + length, key);
    lines.push(`${hexOf(room)} ${(seen & NOT_ASCII) !== 0}`);
    const count = below(draw, 9);
    lines.push(`${key} ${count} ${rotateKey(key, count)}`);
  }
  return lines.join("\n");
}

const LENGTHS = [
  0,
  1,
  124,
  125,
  126,
  127,
  128,
  255,
  256,
  65_534,
  65_535,
  65_536,
  65_537,
  2 ** 24,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 32 + 7,
  2 ** 40 + 5,
  2 ** 52 + 9,
] as const;
function heads(draw: Draw): string {
  const lines: string[] = [];
  const writer = new Writer();
  for (let left = 6; left > 0; left--) {
    const isServer = chance(draw, 0.6);
    const key = chance(draw, 0.8) === isServer ? (draw() * 2 ** 32) | 0 : undefined;
    const length = among(draw, LENGTHS);
    const first = chance(draw, 0.7) ? among(draw, [0x80, 0x81, 0x82, 0x01, 0x02, 0x00, 0x88, 0x89, 0x8a, 0xc1, 0xc2]) : below(draw, 256);
    writeHead(writer, first, length, key);
    const octets = writer.take();
    if (chance(draw, 0.2)) octets[below(draw, octets.length)] = among(draw, [0, 1, 0x7e, 0x7f, 0x80, 0xfe, 0xff]);
    const reader = new HeadReader(isServer ? "server" : "client", chance(draw, 0.5));
    lines.push(`${first} ${length} ${key} ${hexOf(octets)}`);
    const at = below(draw, 3);
    const room = new Uint8Array([...octetsOf(draw, at), ...octets, ...octetsOf(draw, 2)]);
    for (const end of [at + below(draw, octets.length + 1), at + octets.length]) {
      const size = reader.read(room, at, end);
      const { opcode, fin, rsv1, key: read, fault } = reader;
      lines.push(size === REFUSED ? `refused ${fault}` : `${size} ${size > 0 ? `${opcode} ${fin} ${rsv1} ${reader.length} ${read}` : ""}`);
    }
  }
  return lines.join("\n");
}

function gathers(draw: Draw): string {
  const lines: string[] = [];
  const gathered = new Gathered();
  const unit = among(draw, [1, 40, 600, 3_000]);
  for (let left = 12; left > 0; left--) {
    const octets = octetsOf(draw, below(draw, unit + 1));
    gathered.push(octets, octets.length + below(draw, 3) * below(draw, 2 * unit));
    if (!chance(draw, 0.25)) continue;
    const whole = gathered.take();
    // How much memory a program keeps with it.
    lines.push(`${hexOf(whole)} in ${whole.buffer.byteLength}`);
  }
  lines.push(hexOf(gathered.take()));
  return lines.join("\n");
}

function tables(draw: Draw): string {
  const codes = Array.from({ length: 40 }, () =>
    chance(draw, 0.6) ? 995 + below(draw, 25) : among(draw, [2_999, 3_000, 3_001, 3_000.5, 4_000, 4_999, 5_000, 65_535, -1, 1.5]),
  );
  return [
    ...codes.map((code) => `${code} ${isCloseCode(code)}`),
    JSON.stringify([FAULTS, HANDSHAKE_FAULTS, DEFAULT_LIMITS]),
    printTable(),
  ].join("\n");
}
