import { Misuse, type Instant } from "../../core/index.ts";
import type { Peer } from "../authenticate.ts";
import { Endpoint, mustBeProtocols, type Row } from "../endpoint.ts";
import { HOST_NAME } from "../extensions.ts";
import { KeySchedule } from "../key-schedule.ts";
import { SUITES, type GroupName, type SuiteName } from "../names.ts";
import type { KeyShare, Trust } from "../primitives.ts";
import { isFresh, type Session } from "../resume/session.ts";
import type { ClientOptions } from "./options.ts";

const IP_ADDRESS = /^(?:[\d.]+|.*:.*)$/;
const OUR_SUITES: readonly SuiteName[] = Object.keys(SUITES) as SuiteName[];

/** What a client remembers of its handshake. */
export class ClientSide {
  readonly e: Endpoint;
  readonly options: ClientOptions;
  readonly trust: Trust;
  readonly random: Uint8Array;
  readonly suites: readonly SuiteName[];
  readonly groups: readonly GroupName[];
  /** The server_name, undefined for an IP address. */
  readonly name: string | undefined;
  shares: readonly KeyShare[];
  row: Row<ClientSide>;
  /** The extensions of the last ClientHello. */
  offered: ReadonlySet<number> = new Set();
  /** The session on offer, and the key schedule that begins with it. */
  session: { readonly is: Session; readonly schedule: KeySchedule } | undefined;
  isEarly: boolean;
  /** What a HelloRetryRequest has fixed. */
  retry: { readonly suite: SuiteName; readonly group: number | undefined } | undefined;
  isResumed = false;
  group: GroupName | undefined;
  alpn = "";
  parameters: Uint8Array = new Uint8Array(0);
  /** The request for our certificate: the schemes that the server accepts. */
  request: readonly number[] | undefined;
  peer: Peer | undefined;
  chain: readonly Uint8Array[] = [];
  resumptionSecret: Uint8Array | undefined;
  tickets = 0;

  constructor(options: ClientOptions, row: Row<ClientSide>, now: Instant) {
    const { primitives, serverName, session, suites = OUR_SUITES, groups = primitives.groups } = options;
    mustBeProtocols(options.alpn);
    if (groups.length === 0 || suites.length === 0) throw new Misuse("offer at least one group and one suite");
    this.e = new Endpoint("client", options, now);
    this.options = options;
    this.trust = options.trust;
    this.row = row;
    this.suites = suites;
    this.groups = groups.filter((group) => primitives.groups.includes(group));
    this.random = primitives.random(new Uint8Array(32));
    this.e.clientRandom = this.random;
    this.name = IP_ADDRESS.test(serverName) ? undefined : serverName.toLowerCase();
    if (this.name !== undefined && !HOST_NAME.test(this.name))
      throw new Misuse(`\`serverName\` must be a host name in ASCII or an address, not ${serverName}`);
    this.shares = sharesOf(this.groups, options.shares).map((group) => primitives.offer(group));
    const isUsable = session !== undefined && session.serverName === this.name && isFresh(session, now) && this.#canResume(session.suite);
    if (isUsable) {
      this.session = { is: session, schedule: new KeySchedule(this.e.derivation(session.suite), session.psk) };
    }
    this.isEarly =
      isUsable && options.early === true && session.early && suites.includes(session.suite) && options.alpn.includes(session.alpn);
  }

  /** Whether some suite on offer has the hash of the session (rfc8446#4.2.11). */
  #canResume(suite: SuiteName): boolean {
    return this.suites.some((name) => SUITES[name].hash === SUITES[suite].hash);
  }
}

/** Unless the owner chooses: the first group, and X25519 if that is another. */
function sharesOf(groups: readonly GroupName[], wanted: readonly GroupName[] | undefined): readonly GroupName[] {
  const shares = wanted ?? groups.filter((group, at) => at === 0 || group === "x25519");
  if (shares.some((group) => !groups.includes(group))) throw new Misuse("`shares` are among `groups`");
  return shares;
}
