import { Misuse, type Field } from "../core/index.ts";
import type { Session } from "./session.ts";

/** Field sections of ours, as large as the peer takes them: its SETTINGS_MAX_HEADER_LIST_SIZE (rfc9113#6.5.2, #10.5.1). */

/** What a field line counts beyond its name and its value (rfc9113#6.5.2). */
const LINE_OVERHEAD = 32;
/** `:status` with its three digits. */
export const STATUS_LINE = ":status".length + 3 + LINE_OVERHEAD;

/** Octets of a field section as the setting counts them. */
export function sectionSize(fields: readonly Field[]): number {
  let size = 0;
  for (const { name, value } of fields) size += name.length + value.length + LINE_OVERHEAD;
  return size;
}

/** Whether the peer takes these fields; `more` stands for what goes with them. */
export const fits = (s: Session, fields: readonly Field[], more = 0): boolean =>
  s.peer.maxHeaderListSize === Number.POSITIVE_INFINITY || sectionSize(fields) + more <= s.peer.maxHeaderListSize;

/** The setting is advisory, but whoever sends more asks for a refusal: here it is told at once, and why. */
export function mustFit(s: Session, fields: readonly Field[], more = 0): void {
  if (fits(s, fields, more)) return;
  throw new Misuse(
    `these fields are ${sectionSize(fields) + more} octets, and the peer takes ${s.peer.maxHeaderListSize} (SETTINGS_MAX_HEADER_LIST_SIZE, rfc9113#6.5.2): send fewer or shorter ones`,
  );
}
