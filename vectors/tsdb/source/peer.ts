import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WrittenSample, WrittenSeries, WrittenStone } from "./kinds.ts";

/** The output of Prometheus's codecs (`peer/main.go`), by name. */
export type Written = {
  readonly name: string;
  readonly hex: string;
  readonly encoding?: number;
  readonly samples?: readonly WrittenSample[] | null;
  readonly symbols?: readonly string[];
  readonly series?: readonly WrittenSeries[];
  readonly stones?: readonly WrittenStone[];
  readonly told?: readonly Readonly<Record<string, unknown>>[];
};

export const WRITTEN: readonly Written[] = readFileSync(join(import.meta.dirname, "peer.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Written);

export function written(name: string): Written {
  const found = WRITTEN.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not in peer.jsonl`);
  return found;
}

/** The first `length` octets; a negative length counts from the end. */
export const cut = (hex: string, length: number): string => hex.slice(0, length * 2);

/** Replaces the octets at a position; a negative position counts from the end. */
export function patched(hex: string, at: number, octets: string): string {
  const from = (at < 0 ? hex.length / 2 + at : at) * 2;
  return hex.slice(0, from) + octets + hex.slice(from + octets.length);
}

/** Flips one bit of the octet at a position. */
export function flipped(hex: string, at: number): string {
  const from = (at < 0 ? hex.length / 2 + at : at) * 2;
  return patched(hex, at, (Number.parseInt(hex.slice(from, from + 2), 16) ^ 0x10).toString(16).padStart(2, "0"));
}
