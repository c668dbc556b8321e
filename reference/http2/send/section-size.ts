import { Misuse, type Field } from "../../core/index.ts";
import type { Endpoint } from "../endpoint.ts";

/** The size of our field sections, which the peer may limit by SETTINGS_MAX_HEADER_LIST_SIZE (rfc9113#6.5.2, #10.5.1). */

/** What a field line counts in addition to its name and its value (rfc9113#6.5.2). */
const LINE_OVERHEAD = 32;
/** The size of `:status` with its three digits. */
export const STATUS_LINE = ":status".length + 3 + LINE_OVERHEAD;

/** The size of a field section as the setting counts it. */
export function sectionSize(fields: readonly Field[]): number {
  let size = 0;
  for (const { name, value } of fields) size += name.length + value.length + LINE_OVERHEAD;
  return size;
}

/** Whether the peer accepts these fields; `more` is the size of what is sent with them. */
export function fits({ settings: { peer } }: Endpoint, fields: readonly Field[], more = 0): boolean {
  return peer.maxHeaderListSize === Number.POSITIVE_INFINITY || sectionSize(fields) + more <= peer.maxHeaderListSize;
}

/** The setting is advisory, but a larger section will be refused: better to say so at once, and why. */
export function mustFit(e: Endpoint, fields: readonly Field[], more = 0): void {
  if (fits(e, fields, more)) return;
  throw new Misuse(
    `these fields are ${sectionSize(fields) + more} octets, and the peer accepts ${e.settings.peer.maxHeaderListSize} (SETTINGS_MAX_HEADER_LIST_SIZE, rfc9113#6.5.2): send fewer or shorter ones`,
  );
}
