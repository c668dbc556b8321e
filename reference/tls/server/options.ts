import type { Common } from "../endpoint.ts";
import type { GroupName, SuiteName } from "../names.ts";
import type { Credential, Trust } from "../primitives.ts";
import type { EarlyGuard } from "../resume/early-guard.ts";
import type { Tickets } from "../resume/tickets.ts";

export type ServerOptions = Common & {
  /** Our certificates for a name, the preferred one first; none if the name is not ours. */
  readonly credentials: (serverName: string | undefined) => readonly Credential[];
  /** Protocols of the application, the preferred one first. */
  readonly alpn: readonly string[];
  /** Our transport parameters, for those of the client (rfc9001#8.2). */
  readonly parameters: (client: Uint8Array) => Uint8Array;
  /** Asks clients for a certificate; `required` refuses a client without. */
  readonly clients?: { readonly trust: Trust; readonly required: boolean };
  /** Gives sessions to clients, and resumes them. */
  readonly tickets?: Pick<Tickets, "lifetimeMs" | "seal" | "open">;
  /** Session tickets after a handshake; 1 unless given. */
  readonly ticketCount?: number;
  /** Permits 0-RTT data, as far as the guard does; it needs `tickets`. */
  readonly early?: EarlyGuard;
  /** What 0-RTT data relies on, such as our transport parameters: after a change of it none is taken (rfc9001#4.6.3). */
  readonly context?: Uint8Array;
  /** Suites and groups that we accept, the preferred one first. */
  readonly suites?: readonly SuiteName[];
  readonly groups?: readonly GroupName[];
};
