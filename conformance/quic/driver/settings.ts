import { readVarint } from "../../wire/http3/varint.ts";
import type { Shown } from "./shown.ts";

/** The settings of HTTP/3, and their frame (rfc9114#7.2.4, rfc9204#5). */
const CONTROL = 0;
const SETTINGS = 4;
/** Smaller values than before would not hold for 0-RTT data: QPACK_MAX_TABLE_CAPACITY, MAX_FIELD_SECTION_SIZE, QPACK_BLOCKED_STREAMS. */
const LIMITS: ReadonlySet<number> = new Set([0x01, 0x06, 0x07]);

type Settings = ReadonlyMap<number, number>;

/** What the subject has announced at the start of its control stream; undefined before it has come. */
export function settingsIn(seen: readonly Shown[]): Settings | undefined {
  const streams = new Map<number, Map<number, Uint8Array>>();
  for (const one of seen) {
    if (one.is !== "frame" || one.frame.type !== "STREAM" || one.frame.data === undefined) continue;
    const { stream, offset } = one.frame.members;
    if (Number(stream) % 4 < 2) continue;
    const parts = streams.get(Number(stream)) ?? new Map<number, Uint8Array>();
    streams.set(Number(stream), parts.set(Number(offset), one.frame.data));
  }
  for (const parts of streams.values()) {
    const found = settingsOf(inOrder(parts));
    if (found !== undefined) return found;
  }
  return undefined;
}

function inOrder(parts: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const octets: number[] = [];
  for (let part = parts.get(0); part !== undefined && part.length > 0; part = parts.get(octets.length)) octets.push(...part);
  return Uint8Array.from(octets);
}

function settingsOf(stream: Uint8Array): Settings | undefined {
  const [type, frame, length] = varintsIn(stream, 3);
  if (type?.value !== CONTROL || frame?.value !== SETTINGS || length === undefined) return undefined;
  const from = type.size + frame.size + length.size;
  if (from + length.value > stream.length) return undefined;
  const values = varintsIn(stream.subarray(from, from + length.value)).map(({ value }) => value);
  const found = new Map<number, number>();
  for (let at = 0; at + 1 < values.length; at += 2) found.set(values[at] ?? 0, values[at + 1] ?? 0);
  return found;
}

/** The integers at the start of these octets. */
function varintsIn(octets: Uint8Array, most = Number.POSITIVE_INFINITY): { readonly value: number; readonly size: number }[] {
  const found: { readonly value: number; readonly size: number }[] = [];
  for (let at = 0; at < octets.length && found.length < most;) {
    const read = readVarint(octets, at);
    if (read === undefined) break;
    found.push(read);
    at += read.size;
  }
  return found;
}

/** Why these settings do not hold what the earlier ones have promised to 0-RTT data (rfc9114#7.2.4.2); undefined if they do. */
export function broken(before: Settings, after: Settings): string | undefined {
  for (const [id, value] of before) {
    const isReserved = id % 0x1f === 0x21 % 0x1f;
    if (isReserved || value === 0) continue;
    const now = after.get(id);
    if (now === undefined) return `it left out setting 0x${id.toString(16)}, which was ${value} on the connection before`;
    if (LIMITS.has(id) && now < value)
      return `it announced ${now} for setting 0x${id.toString(16)}, which was ${value} on the connection before`;
  }
  return undefined;
}
