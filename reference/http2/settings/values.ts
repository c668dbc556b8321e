import { Misuse } from "../../core/index.ts";
import { fault, type Fault, type FaultName } from "../faults.ts";
import type { Setting } from "../frame/settings.ts";
import { ROWS, type SettingKey, type Settings } from "./table.ts";
import type { Side } from "../stream/id.ts";

/** Settings as they cross the wire, and the rules for changing them; every rule comes from the table of settings. */

type Row = (typeof ROWS)[number][1];
type Value = number | boolean;

const BY_ID: ReadonlyMap<number, (typeof ROWS)[number]> = new Map(ROWS.map((row) => [row[1].id, row]));
const LARGEST = 0xffff_ffff;

const toWire = (value: Value): number => (value === Number.POSITIVE_INFINITY ? LARGEST : Number(value));
const fromWire = ({ initial }: Row, value: number): Value => (typeof initial === "boolean" ? value === 1 : value);

/** The sender of a SETTINGS frame, and whether the frame is its first. */
export type Origin = { readonly from: Side; readonly isFirst: boolean };

/** The peer's settings after a frame of its own, or the fault of that frame. */
export function applySettings(old: Settings, frame: readonly Setting[], origin: Origin): Settings | Fault {
  if (frame.length === 0) return old;
  const changes: Partial<Record<SettingKey, Value>> = {};
  for (const { id, value } of frame) {
    const known = BY_ID.get(id);
    // Unknown settings are ignored (rfc9113#6.5.2).
    if (known === undefined) continue;
    const [key, row] = known;
    const wrong = judge(row, value, { ...origin, old: old[key], last: changes[key] ?? old[key] });
    if (wrong !== undefined) return fault(wrong);
    changes[key] = fromWire(row, value);
  }
  return { ...old, ...changes } as Settings;
}

/** `old` held before the frame; `last` takes into account what the frame has said so far. */
type Before = Origin & { readonly old: Value; readonly last: Value };

function judge(row: Row, value: number, { from, isFirst, old, last }: Before): FaultName | undefined {
  const [least, most] = row.range;
  if (value < least || value > most) return row.fault;
  if (from === "server" && value === 1 && row.faultByServer !== undefined) return row.faultByServer;
  switch (row.later?.mustNot) {
    case "withdraw":
      return last === true && value === 0 ? row.later.fault : undefined;
    case "change":
      return !isFirst && fromWire(row, value) !== old ? row.later.fault : undefined;
    default:
      return undefined;
  }
}

/** The parameters to send so that the peer's view changes from `old` to `next`. */
export function settingsFrame(old: Settings, next: Settings): Setting[] {
  return ROWS.filter(([key]) => next[key] !== old[key]).map(([key, { id }]) => ({ id, value: toWire(next[key]) }));
}

/** Throws `Misuse` if a peer would not accept these settings from `side`. */
export function checkSettings(settings: Settings, side: Side): void {
  for (const [key, { initial, range, faultByServer, spec }] of ROWS) {
    const value = settings[key];
    const [least, most] = range;
    const isUnlimited = value === Number.POSITIVE_INFINITY && most === LARGEST;
    if (typeof initial === "number" && !isUnlimited && !(Number.isInteger(value) && Number(value) >= least && Number(value) <= most)) {
      throw new Misuse(`${key} is ${value}: give a whole number from ${least} to ${most}`);
    }
    if (faultByServer !== undefined && side === "server" && value === true)
      throw new Misuse(`${key} is true: only a client may enable it (${spec})`);
  }
}

/** Throws `Misuse` if settings that have been announced must not be followed by `next`. */
export function checkChange(announced: Settings, next: Settings): void {
  for (const [key, { later, spec }] of ROWS) {
    if (later === undefined || announced[key] === next[key]) continue;
    if (later.mustNot === "withdraw" && announced[key] === true) throw new Misuse(`${key} cannot be withdrawn (${spec})`);
    if (later.mustNot === "change") throw new Misuse(`${key} cannot change after the connection begins (${spec})`);
  }
}

/** A parameter in the specification's words: `INITIAL_WINDOW_SIZE=65535`. */
export function printSetting({ id, value }: Setting): string {
  return `${BY_ID.get(id)?.[1].wire ?? `0x${id.toString(16)}`}=${value}`;
}
