import type { ParameterName } from "../../wire/quic/names.ts";
import { ticketsIn } from "../../wire/quic/tickets.ts";
import { broken, settingsIn } from "./settings.ts";
import type { Watched } from "./shown.ts";

/** Properties of a connection that resumes another. */

/** What a server that takes 0-RTT data may not reduce, with its default (rfc9000#7.4.1). */
const KEPT: readonly (readonly [ParameterName, number])[] = [
  ["active_connection_id_limit", 2],
  ["initial_max_data", 0],
  ["initial_max_stream_data_bidi_local", 0],
  ["initial_max_stream_data_bidi_remote", 0],
  ["initial_max_stream_data_uni", 0],
  ["initial_max_streams_bidi", 0],
  ["initial_max_streams_uni", 0],
];
const isAccepted = ({ seen }: Watched): boolean => seen.some((one) => one.is === "early data" && one.accepted);

/** rfc9000#7.4.1 */
export function earlyLimitsKept(watched: Watched): string | undefined {
  const { theirs, remembered } = watched.end;
  if (remembered === undefined || !isAccepted(watched)) return undefined;
  for (const [name, otherwise] of KEPT) {
    const [before, after] = [remembered.integer(name, otherwise), theirs.integer(name, otherwise)];
    if (after < before) return `its ${name} is ${after}, and was ${before} on the connection whose session it resumed`;
  }
  return undefined;
}

/** rfc9114#7.2.4.2 */
export function earlySettingsKept(watched: Watched): string | undefined {
  const before = settingsIn(watched.before);
  const after = settingsIn(watched.seen);
  return before === undefined || after === undefined || !isAccepted(watched) ? undefined : broken(before, after);
}

/** rfc9001#4.6.2 */
export function refusedNotAcknowledged(watched: Watched): string | undefined {
  if (isAccepted(watched)) return undefined;
  for (const number of watched.end.earlyNumbers)
    if (watched.end.hasAcknowledged("application", number)) return `it acknowledged packet ${number} of the 0-RTT data that it had refused`;
  return undefined;
}

/** rfc8446#4.6.1 */
export function ticketAgesFresh({ seen, before }: Watched): string | undefined {
  const known = new Set<number>();
  for (const { ageAdd } of [...ticketsIn(before), ...ticketsIn(seen)]) {
    if (known.has(ageAdd)) return `it sent two tickets with the same ticket_age_add, ${ageAdd}`;
    known.add(ageAdd);
  }
  return undefined;
}
