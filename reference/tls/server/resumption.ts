import { fault, type Fault } from "../faults.ts";
import type { Raw } from "../inbox.ts";
import { KeySchedule } from "../key-schedule.ts";
import type { ClientHello } from "../messages.ts";
import { PSK_WITH_KEY_EXCHANGE, SUITES, type SuiteName } from "../names.ts";
import type { Ticket } from "../resume/tickets.ts";
import type { Choices } from "./check-hello.ts";
import type { ServerSide } from "./side.ts";

/** The session that a server resumes, by its place in the offer, with the key schedule that begins with it. */
export type Resumed = {
  readonly is: "resumed";
  readonly index: number;
  readonly ticket: Ticket;
  readonly octets: Uint8Array;
  readonly schedule: KeySchedule;
  readonly ageMs: number;
};

type Offer = { readonly raw: Raw; readonly hello: ClientHello };

/** The first session on offer that we can resume; undefined for a full handshake (rfc8446#4.2.11). */
export function resumedOf(s: ServerSide, { raw, hello }: Offer, suite: SuiteName): Resumed | Fault | undefined {
  const { identities, binders = [], bindersLength = 0, pskModes } = hello.extensions;
  if (identities === undefined) return undefined;
  if (identities.length > s.e.limits.identities) return fault("tooManyIdentities");
  if (pskModes?.includes(PSK_WITH_KEY_EXCHANGE) !== true) return undefined;
  const { hash } = SUITES[suite];
  for (const [index, { ticket: octets, obfuscatedAge }] of identities.entries()) {
    const ticket = s.options.tickets?.open(octets, s.e.now);
    if (ticket === undefined || SUITES[ticket.suite].hash !== hash || !isFor(s, ticket, hello)) continue;
    const schedule = new KeySchedule(s.e.derivation(suite), ticket.psk);
    const transcript = s.e.transcript.digestWith(hash, raw.whole.subarray(0, raw.whole.length - bindersLength));
    const binder = schedule.derivation.finished(schedule.binderKey(), transcript);
    if (!s.e.primitives.isEqual(binder, binders[index] ?? new Uint8Array(0))) return fault("binderWrong");
    return { is: "resumed", index, ticket, octets, schedule, ageMs: (obfuscatedAge - ticket.ageAdd) >>> 0 };
  }
  return undefined;
}

/** A session belongs to one server name (rfc8446#4.6.1), and to a client that has shown what we ask for now. */
function isFor({ options }: ServerSide, ticket: Ticket, hello: ClientHello): boolean {
  if (ticket.serverName !== hello.extensions.serverName) return false;
  return options.clients?.required !== true || ticket.chain.length > 0;
}

/** Whether the 0-RTT data of a client is taken: the same protocol, suite and context, and not a second time (rfc8446#4.2.10, rfc9001#4.6.3). */
export function admitsEarly(s: ServerSide, { index, ticket, octets, ageMs }: Resumed, { suite, alpn }: Choices): boolean {
  const { options, e } = s;
  if (options.early === undefined || s.retry !== undefined || index !== 0 || !ticket.early) return false;
  if (ticket.suite !== suite || ticket.alpn !== alpn || !e.primitives.isEqual(ticket.context, s.context)) return false;
  return options.early.admit(octets, { issuedAt: ticket.issuedAt, ageMs }, e.now);
}
