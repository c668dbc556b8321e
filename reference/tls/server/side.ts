import type { Instant } from "../../core/index.ts";
import type { Peer } from "../authenticate.ts";
import { Endpoint, mustBeProtocols, type Row } from "../endpoint.ts";
import type { ClientHello } from "../messages.ts";
import { SUITES, type GroupName, type SuiteName } from "../names.ts";
import type { ServerOptions } from "./options.ts";

const OUR_SUITES: readonly SuiteName[] = Object.keys(SUITES) as SuiteName[];
export const NO_OCTETS = new Uint8Array(0);

/** What a server remembers of its handshake. */
export class ServerSide {
  readonly e: Endpoint;
  readonly options: ServerOptions;
  readonly suites: readonly SuiteName[];
  readonly groups: readonly GroupName[];
  readonly context: Uint8Array;
  row: Row<ServerSide>;
  /** The first ClientHello, and the group that we asked for after it (rfc8446#4.1.4). */
  retry: { readonly hello: ClientHello; readonly group: GroupName; readonly suite: SuiteName } | undefined;
  group: GroupName = "x25519";
  serverName: string | undefined;
  alpn = "";
  isResumed = false;
  /** Whether the client can resume a session in the way that we do (rfc8446#4.2.9). */
  canResume = false;
  peer: Peer | undefined;
  chain: readonly Uint8Array[] = [];
  announce: (direction: "read" | "write") => void = () => {};

  constructor(options: ServerOptions, row: Row<ServerSide>, now: Instant) {
    const { primitives, suites = OUR_SUITES, groups = primitives.groups, context = NO_OCTETS } = options;
    mustBeProtocols(options.alpn);
    this.e = new Endpoint("server", options, now);
    this.options = options;
    this.row = row;
    this.suites = suites;
    this.groups = groups.filter((group) => primitives.groups.includes(group));
    this.context = context;
  }
}
