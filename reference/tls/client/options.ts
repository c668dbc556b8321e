import type { Common } from "../endpoint.ts";
import type { GroupName, SuiteName } from "../names.ts";
import type { Credential, Trust } from "../primitives.ts";
import type { Session } from "../resume/session.ts";

export type ClientOptions = Common & {
  /** The host that the certificate must name; also the server_name, unless it is an IP address (rfc6066#3). */
  readonly serverName: string;
  /** Protocols of the application, the preferred one first; at least one (rfc9001#8.1). */
  readonly alpn: readonly string[];
  /** Our transport parameters (rfc9001#8.2). */
  readonly parameters: Uint8Array;
  readonly trust: Trust;
  /** Our own certificates, if the server asks for one. */
  readonly credentials?: readonly Credential[];
  /** A session of an earlier connection to this server, used for this connection only. */
  readonly session?: Session;
  /** Asks to send 0-RTT data, where the session permits it. Others may repeat such data (rfc8446#8). */
  readonly early?: boolean;
  /** Suites that we offer, the preferred one first. */
  readonly suites?: readonly SuiteName[];
  /** Groups that we offer, the preferred one first. */
  readonly groups?: readonly GroupName[];
  /** Groups with a key share in the first ClientHello: another choice of the server costs a round trip (rfc8446#4.1.4). */
  readonly shares?: readonly GroupName[];
};
