import type { Extensions, Share } from "../extensions.ts";
import { fault, type Fault } from "../faults.ts";
import type { ClientHello } from "../messages.ts";
import { GROUPS, SUITES, TLS13, type GroupName, type SuiteName } from "../names.ts";
import type { ServerSide } from "./side.ts";

/** What the server finds in a ClientHello: its choices, without the resumption. */
export type Choices = {
  readonly is: "choices";
  readonly suite: SuiteName;
  readonly group: GroupName;
  /** The share of the client for the group; without one, a HelloRetryRequest asks for it. */
  readonly share: Share | undefined;
  readonly alpn: string;
  readonly parameters: Uint8Array;
};

const OLDEST = 0x0300;

/** Checks what holds for every ClientHello, then chooses (rfc8446#4.1.1, rfc8446#9.2). */
export function choicesOf(s: ServerSide, hello: ClientHello): Choices | Fault {
  const { extensions } = hello;
  // The old version field means nothing but where it says SSL 3.0 (rfc8446#D.5).
  if (extensions.versions?.includes(TLS13) !== true || hello.version === OLDEST) return fault("versionTooOld");
  if (hello.compressions.length !== 1 || hello.compressions[0] !== 0) return fault("compressionOffered");
  if (hello.sessionId.length > 0) return fault("sessionIdInQuic");
  const refused = missing(extensions) ?? contradiction(extensions);
  if (refused !== undefined) return refused;
  const { groups = [], shares = [], parameters, alpn } = extensions;
  const suite = s.suites.find((name) => hello.suites.includes(SUITES[name].id));
  if (suite === undefined) return fault("suiteNotShared");
  const known = s.groups.filter((name) => groups.includes(GROUPS[name]));
  const shareOf = (name: GroupName | undefined): Share | undefined =>
    shares.find(({ group }) => name !== undefined && group === GROUPS[name]);
  const group = known.find((name) => shareOf(name) !== undefined) ?? known[0];
  if (group === undefined) return fault("groupNotShared");
  const protocol = s.options.alpn.find((name) => alpn?.includes(name));
  if (protocol === undefined) return fault("protocolNotShared");
  if (parameters === undefined) return fault("parametersMissing");
  return { is: "choices", suite, group, share: shareOf(group), alpn: protocol, parameters };
}

/** Extensions that a ClientHello must have (rfc8446#9.2), also in company of others. */
function missing(extensions: Extensions): Fault | undefined {
  const { groups, shares, schemes, identities, pskModes } = extensions;
  if (identities !== undefined && pskModes === undefined) return fault("pskWithoutModes");
  if (identities === undefined && schemes === undefined) return fault("schemesMissing");
  if (groups === undefined) return fault("groupsMissing");
  if (shares === undefined) return fault("sharesMissing");
  return undefined;
}

function contradiction({ groups = [], shares = [], early, identities }: Extensions): Fault | undefined {
  if (shares.some(({ group }) => !groups.includes(group))) return fault("shareWithoutGroup");
  return early === true && identities === undefined ? fault("earlyWithoutPsk") : undefined;
}

/** The extensions that a second ClientHello may add, drop or change (rfc8446#4.1.2): key_share, early_data, cookie, pre_shared_key, padding. */
const MAY_CHANGE: ReadonlySet<number> = new Set([51, 42, 44, 41, 21]);

/** Checks the ClientHello after a HelloRetryRequest against the first one (rfc8446#4.1.2). */
export function changeOf(first: ClientHello, second: ClientHello, group: GroupName): Fault | undefined {
  const { shares = [], early } = second.extensions;
  if (shares.length !== 1 || shares[0]?.group !== GROUPS[group]) return fault("secondHelloWithoutShare");
  return early !== true && fingerprint(first) === fingerprint(second) ? undefined : fault("secondHelloChanged");
}

function fingerprint({ version, random, sessionId, suites, compressions, extensions }: ClientHello): string {
  const kept = [...extensions.all].filter(([id]) => !MAY_CHANGE.has(id)).map(([id, octets]) => [id, hex(octets)] as const);
  return JSON.stringify([version, hex(random), hex(sessionId), suites, hex(compressions), kept.sort(([a], [b]) => a - b)]);
}
const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
