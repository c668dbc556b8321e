import type { Side } from "../../../reference/http2/index.ts";
import type { Chance } from "./chance.ts";
import type { Piece } from "./http2-frames.ts";
import type { Topic } from "./http2-setup.ts";

/** Settings of the peer, and damaged frames. */

const MAX_WINDOW = 0x7fff_ffff;

/** Parameters of a SETTINGS frame, most of them valid (rfc9113#6.5.2). */
export function otherSettings(
  chance: Chance,
  side: Side,
  { isTight = false, isLarge = false, isCrowded = false }: Topic,
): (readonly [id: number, value: number])[] {
  const windows = isLarge
    ? ([65_535, 200_000, 1 << 20] as const)
    : isTight
      ? ([0, 1, 10, 100, 1_000] as const)
      : ([0, 10, 1_000, 65_535, 100_000, MAX_WINDOW] as const);
  const flag = (wrong: number): number => (chance.once(40) ? wrong : chance.below(2));
  const values: (() => readonly [number, number])[] = [
    () => [1, chance.one([0, 64, 100, 4_096, 65_536])],
    () => [2, side === "server" ? (chance.once(40) ? 1 : 0) : flag(2)],
    () => [3, chance.one(isCrowded ? [1, 2, 3] : [0, 1, 2, 3, 100, 0xffff_ffff])],
    () => [4, chance.once(40) ? MAX_WINDOW + 1 : chance.one(windows)],
    () => [4, chance.one(windows)],
    () => [
      5,
      chance.once(40)
        ? chance.one([16_383, 0x100_0000, 0])
        : chance.one(isLarge ? [16_384, 70_000, 200_000, 0xff_ffff] : [16_384, 16_385, 0xff_ffff]),
    ],
    () => [6, chance.one([0, 50, 150, 1_000, 0xffff_ffff])],
    () => [8, flag(2)],
    () => [9, flag(2)],
    () => [chance.one([0, 7, 10, 99]), chance.below(1_000)],
  ];
  return Array.from({ length: chance.one(isLarge || isTight ? [1, 2, 3] : [0, 1, 1, 2, 4]) }, () =>
    (chance.once(isLarge || isTight ? 2 : 6) ? values[4]! : chance.any(values)!)(),
  ).concat(
    // The same parameter twice in one frame.
    chance.once(8) ? [values[0]!(), values[0]!()] : [],
  );
}

/** A frame with one change; it may still be legal. */
export function damagedPiece(chance: Chance, frame: Piece): Piece {
  const { payload } = frame;
  const grown = (by: number): Uint8Array => Uint8Array.from([...payload, ...new Uint8Array(by)]);
  switch (chance.below(9)) {
    case 0:
      return { ...frame, stream: chance.one([0, 1, 2, 3, 5, 101, MAX_WINDOW, frame.stream + 2 ** 31]) };
    case 1:
      return { ...frame, flags: frame.flags ^ (1 << chance.below(8)) };
    case 2:
      return { ...frame, payload: payload.subarray(0, chance.below(payload.length + 1)) };
    case 3:
      return { ...frame, payload: grown(chance.between(1, 8)) };
    case 4:
      return { ...frame, payload: new Uint8Array(chance.one([16_383, 16_384, 16_385])) };
    case 5: {
      const at = chance.below(payload.length + 1);
      return { ...frame, payload: payload.map((octet, place) => (place === at ? chance.below(256) : octet)) };
    }
    case 6:
      return { ...frame, payload: new Uint8Array(payload.length) };
    case 7:
      return { ...frame, payload: payload.subarray(0, Math.max(0, payload.length - 1)) };
    default:
      return { ...frame, type: chance.one([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16]) };
  }
}
