import { Misuse, Reader, readVarint, Writer, writeVarint, type SpecRef } from "../core/index.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";

type Row = {
  readonly id: number;
  readonly spec: SpecRef;
  /** The value of a peer that does not announce it. A boolean is 0 or 1 on the wire, infinity is not sent. */
  readonly initial: number | boolean;
  readonly ours: number | boolean;
  /** The fault of a value that is not a boolean. */
  readonly fault?: FaultName;
};

/** The settings of HTTP/3 and QPACK (rfc9114#7.2.4.1, rfc9204#5, rfc9220#3, rfc9297#2.1.1). */
const SETTINGS = {
  /** Octets that the dynamic table of the other side's encoder may take. */
  qpackMaxTableCapacity: { id: 0x1, spec: "rfc9204#5", initial: 0, ours: 4_096 },
  /** The size of a field section that this side accepts (rfc9114#4.2.2). */
  maxFieldSectionSize: { id: 0x6, spec: "rfc9114#7.2.4.1", initial: Number.POSITIVE_INFINITY, ours: 65_536 },
  /** Streams that may wait for insertions. */
  qpackBlockedStreams: { id: 0x7, spec: "rfc9204#5", initial: 0, ours: 16 },
  /** Server: whether clients may send extended CONNECT. */
  enableConnectProtocol: { id: 0x8, spec: "rfc9220#3", initial: false, ours: false, fault: "connectSettingNot0Or1" },
  /** Whether this side takes datagrams. */
  h3Datagram: { id: 0x33, spec: "rfc9297#2.1.1", initial: false, ours: false, fault: "datagramSettingNot0Or1" },
} as const satisfies Record<string, Row>;
type Name = keyof typeof SETTINGS;

export type Settings = {
  readonly [Key in Name]: (typeof SETTINGS)[Key]["initial"] extends boolean ? boolean : number;
};

const NAMES = Object.keys(SETTINGS) as Name[];
const BY_ID: ReadonlyMap<number, Name> = new Map(NAMES.map((name) => [SETTINGS[name].id, name]));
const valuesOf = (column: "initial" | "ours"): Settings =>
  Object.freeze(Object.fromEntries(NAMES.map((name) => [name, SETTINGS[name][column]]))) as Settings;

/** What holds of a peer that announces nothing. */
export const INITIAL_SETTINGS: Settings = valuesOf("initial");
export const OUR_SETTINGS: Settings = valuesOf("ours");

/** Settings of HTTP/2 that HTTP/3 must not have (rfc9114#7.2.4.1). */
const RESERVED: ReadonlySet<number> = new Set([0x0, 0x2, 0x3, 0x4, 0x5]);

/** Reads the payload of SETTINGS (rfc9114#7.2.4). */
export function readSettings(payload: Uint8Array): Settings | Fault {
  const reader = new Reader(payload);
  const seen = new Set<number>();
  const values: Partial<Record<Name, number | boolean>> = {};
  while (reader.left > 0) {
    const id = readVarint(reader);
    const value = readVarint(reader);
    if (reader.short) return fault("frameTruncated");
    if (RESERVED.has(id)) return fault("settingReserved");
    // Greater identifiers are rounded, so two different ones may look alike.
    if (seen.has(id) && id <= Number.MAX_SAFE_INTEGER) return fault("settingRepeated");
    seen.add(id);
    const name = BY_ID.get(id);
    if (name === undefined) continue;
    const row: Row = SETTINGS[name];
    if (row.fault === undefined) values[name] = value;
    else if (value <= 1) values[name] = value === 1;
    else return fault(row.fault);
  }
  return { ...INITIAL_SETTINGS, ...values } as Settings;
}

/**
 * Whether early data that complied with settings of before may violate these, or one that was announced then is missing (rfc9114#7.2.4.2). All
 * settings are limits or permissions.
 */
export const isReduced = (now: Settings, before: Settings): boolean =>
  NAMES.some((name) => now[name] < before[name] || (now[name] === INITIAL_SETTINGS[name] && before[name] !== INITIAL_SETTINGS[name]));

/** The payload of our SETTINGS, without values that hold anyway. `grease` chooses a reserved identifier that peers must ignore (rfc9114#7.2.4.1). */
export function settingsPayload(settings: Settings, grease?: number): Uint8Array {
  const writer = new Writer();
  for (const name of NAMES) {
    const value = settings[name];
    if (value === INITIAL_SETTINGS[name]) continue;
    writeVarint(writer, SETTINGS[name].id);
    writeVarint(writer, Number(value));
  }
  if (grease !== undefined) {
    writeVarint(writer, reserved(grease));
    writeVarint(writer, grease);
  }
  return writer.take();
}

/** One of the identifiers of frames, streams and settings that exist to be ignored (rfc9114#7.2.8). */
export const reserved = (ordinal: number): number => 0x1f * ordinal + 0x21;

/** Our own settings have to be encodable. */
export function checkSettings(settings: Settings): void {
  for (const name of NAMES) {
    const value = settings[name];
    const isGood = typeof value === "boolean" || value === INITIAL_SETTINGS[name] || (Number.isSafeInteger(value) && value >= 0);
    if (!isGood) throw new Misuse(`the setting ${name} is ${value}: give an integer from 0`);
  }
}
