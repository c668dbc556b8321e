import type { Observed } from "./observed.ts";
import { join } from "../octets.ts";

/** A NewSessionTicket (rfc8446#4.6.1): its lifetime in seconds, what is added to its age, and how much early data it permits. */
export type Ticket = { readonly lifetime: number; readonly ageAdd: number; readonly early: number | undefined };

const NEW_SESSION_TICKET = 4;
const EARLY_DATA = 42;

/** The tickets in the CRYPTO frames of 1-RTT packets that came in order. */
export function ticketsIn(seen: readonly { readonly is: string }[]): Ticket[] {
  const parts = new Map<number, Uint8Array>();
  for (const one of seen as readonly Observed[]) {
    if (one.is !== "frame" || one.level !== "application" || one.frame.type !== "CRYPTO" || one.frame.data === undefined) continue;
    parts.set(Number(one.frame.members["offset"]), one.frame.data);
  }
  const octets: Uint8Array[] = [new Uint8Array(0)];
  for (let at = 0, next = parts.get(0); next !== undefined && next.length > 0; next = parts.get((at += next.length))) octets.push(next);
  const found: Ticket[] = [];
  const all = join(octets);
  const view = new DataView(all.buffer, all.byteOffset, all.length);
  for (let at = 0; at + 4 <= all.length;) {
    const end = at + 4 + (view.getUint32(at) & 0xff_ffff);
    if (end > all.length) break;
    if (all[at] === NEW_SESSION_TICKET && end - at >= SHORTEST) found.push(ticketOf(view, at + 4, end));
    at = end;
  }
  return found;
}
/** The head, two times of 4 octets, and four lengths. */
const SHORTEST = 18;

function ticketOf(view: DataView, from: number, end: number): Ticket {
  const lifetime = view.getUint32(from);
  const nonceEnd = from + 9 + view.getUint8(from + 8);
  let early: number | undefined;
  // A length that lies ends the search.
  for (let at = nonceEnd + 2 > end ? end : nonceEnd + 4 + view.getUint16(nonceEnd); at + 4 <= end; at += 4 + view.getUint16(at + 2))
    if (view.getUint16(at) === EARLY_DATA && at + 8 <= end) early = view.getUint32(at + 4);
  return { lifetime, ageAdd: view.getUint32(from + 4), early };
}
