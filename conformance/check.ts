import { CONSENT, isThisMachine } from "../consent.ts";
import { isRed, type Known, matching, readBaseline } from "./harness/baseline.ts";
import type { AnyCase, Role } from "./harness/case.ts";
import { WrongUse } from "./harness/driver.ts";
import { allSuites, casesOfSuite, nameOfSuite, oneOf, suiteNamed } from "./harness/registry.ts";
import { Earlier } from "./harness/earlier.ts";
import { joined } from "./harness/repeat.ts";
import type { Patience } from "./harness/ready.ts";
import type { CaseResult, Result } from "./harness/result.ts";
import { select, type Selection, selectionOf } from "./harness/select.ts";
import { type Place, type Reach, secretsIn } from "./harness/subject/reach.ts";
import type { Subject } from "./harness/subject/subject.ts";
import { type Check, type OnResult, type Registry, rolesOf, type Settings, type Suite } from "./harness/suite.ts";
import type { RequestField } from "./wire/request-fields.ts";
import { allPeers, clientCommand, serverCommand } from "./peers/index.ts";

export type CheckOptions = Selection & {
  readonly suite: string;
  readonly subject: Subject | string;
  /** What reports call it; its address or command by default. */
  readonly name?: string;
  /** A file of known failures, or the entries themselves. */
  readonly baseline?: string | readonly Known[];
  /** A result of the same subject that `--save` wrote: every case that shows something else now is marked as moved. */
  readonly sameAs?: string | Earlier;
  /** Features that the subject is known to offer: cases that need them are unproved, not skipped, if the probe does not find them. */
  readonly offers?: readonly string[];
  /** Required for the group abuse on a target that is not loopback. */
  readonly iOperateThisTarget?: boolean;
  /** Cases at the same time; by default 16 for most servers, 8 for clients, 1 for proxies and codecs. */
  readonly concurrency?: number;
  /** The longest silence to wait for, in milliseconds; by default 2,000, for a proxy 1,000, for a metrics server 10,000. */
  readonly timeout?: number;
  /** Shuffles the cases. */
  readonly seed?: number;
  /** Client: give it an address over TLS. */
  readonly tls?: boolean;
  /** Server: reject an untrusted certificate. */
  readonly verify?: boolean;
  /** Server: our certificate and its key, if it wants one, and the authorities of its certificate, in PEM. Authorities imply `verify`. */
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
  /** Server: the name in the TLS handshake, if that is not the host of its address. */
  readonly servername?: string;
  /** Server: fields that every request has; a case that sends a field of the same name keeps its own. Reports do not show secret ones. */
  readonly fields?: readonly RequestField[];
  /** Server: where connections go, if not to the host and port of its address. */
  readonly place?: Place;
  /** Server: the status of its good answer; one of 400 and more is refused without it. */
  readonly expectStatus?: number;
  /** Server: a path that accepts POST, if it is not that of the address. */
  readonly post?: string;
  /** HTTP/1.1 server: a path that answers POST with its content; by default that of the address, or /echo. */
  readonly echo?: string;
  /** Server: its process id, to measure the cost of abuse (Linux). */
  readonly pid?: number;
  /** Flags of the suite itself, such as `{ scale: 5 }`. */
  readonly settings?: Settings;
  /** Server: how long to wait until it answers, in milliseconds, and what becomes of that; by default it has to answer at once. */
  readonly wait?: Patience;
  /** Runs the cases so many times. A case whose verdict moves is `unsteady`. */
  readonly repeat?: number;
  /** Cases that are known to be flaky, as a file or its entries: they are never red. */
  readonly flaky?: string | readonly Known[];
  /** Ends the run at the first failure that neither the baseline nor the list of flaky cases has; "strict": at a warning or an unproved case, too. */
  readonly failFast?: boolean | "strict";
  /** Ends the run early; the results so far are kept. */
  readonly signal?: AbortSignal;
  readonly onStart?: (total: number) => void;
  readonly onResult?: OnResult;
};

const subjectOf = (subject: Subject | string): Subject => (typeof subject === "string" ? { url: subject } : subject);
export const roleOf = (subject: Subject): Role => {
  if ("proxy" in subject) return "proxy";
  return "url" in subject ? "server" : "client" in subject ? "client" : "codec";
};
const targetOf = (subject: Subject): string => {
  const target = "url" in subject ? subject.url : "codec" in subject ? subject.codec : "proxy" in subject ? subject.proxy : subject.client;
  return typeof target === "string" ? target : "a function in this process";
};

/** A client, and a server that is started by a command, may be given by the name of a peer. */
async function byName(subject: Subject, suite: string): Promise<Subject> {
  const given = "client" in subject ? subject.client : "url" in subject ? subject.url : undefined;
  const known = allPeers().find(({ name }) => name === given);
  if ("client" in subject) return known?.speaks[suite]?.client === undefined ? subject : { client: await clientCommand(known, suite) };
  return known?.speaks[suite]?.server?.command === undefined ? subject : { url: await serverCommand(known, suite) };
}

/** The role of a suite. Throws `WrongUse` with the roles that it has. */
function has<R extends Role>(name: string, suite: Suite, role: R): NonNullable<Suite["roles"][R]> {
  const found = suite.roles[role];
  if (found !== undefined) return found;
  const other = suite.elsewhere?.[role];
  throw new WrongUse(
    `The suite ${name} has no cases for a ${role}: it is for a ${rolesOf(suite).join(" or a ")}.` +
      (other === undefined ? "" : ` The suite ${other} judges a ${role}.`),
  );
}

/** The values of a suite's own flags. Throws `WrongUse` for an unknown setting. */
function requireKnown(name: string, { flags = [] }: Suite, settings: Settings): void {
  const unknown = Object.keys(settings).find((one) => !flags.some((flag) => flag.name === one && flag.instead === undefined));
  if (unknown !== undefined) throw new WrongUse(`The suite ${name} has no --${unknown}.`);
}

/** The selected cases of a suite for one role, in their order. */
export async function casesOf(
  registry: Registry,
  {
    suite: name,
    role,
    settings = {},
    ...selection
  }: Selection & {
    readonly suite: string;
    readonly role: Role;
    readonly settings?: Settings;
  },
): Promise<AnyCase[]> {
  const suite = await suiteNamed(registry, name);
  requireKnown(name, suite, settings);
  return select(await has(name, suite, role).cases(settings), selection);
}

/** Runs a suite on a subject. Throws `WrongUse` for a wrong call, `Unreachable` if the subject does not answer. */
export async function check(registry: Registry, options: CheckOptions): Promise<Result> {
  const given = subjectOf(options.subject);
  const suite = await suiteNamed(registry, options.suite);
  const name = nameOfSuite(registry, options.suite);
  const subject = await byName(given, name);
  const {
    settings = {},
    timeout,
    pid,
    expectStatus,
    post,
    echo,
    concurrency,
    signal,
    seed,
    offers,
    onResult,
    onStart,
    tls = false,
    cert,
    key,
    ca,
    servername,
    wait,
    repeat = 1,
    failFast = false,
    fields,
    place,
    verify = ca !== undefined,
  } = options;
  if ((cert === undefined) !== (key === undefined)) throw new WrongUse("A certificate goes with its key: give both, or neither.");
  const sni = servername === undefined ? {} : { servername };
  const credentials = { ...sni, ...(cert !== undefined && { cert }), ...(key !== undefined && { key }), ...(ca !== undefined && { ca }) };
  const reach: Reach = { ...(fields !== undefined && { fields }), ...(place !== undefined && { place }) };
  if (!("url" in subject) && Object.keys({ ...reach, ...sni }).length > 0)
    throw new WrongUse("-H, --auth, --connect-to, --unix-socket and --sni are for a server at a URL.");
  requireKnown(name, suite, settings);
  guardAbuse(subject, options);
  const baseline = typeof options.baseline === "string" ? readBaseline(options.baseline) : options.baseline;
  const flaky = typeof options.flaky === "string" ? readBaseline(options.flaky, "list of flaky cases") : (options.flaky ?? []);
  const excused = matching([...(baseline ?? []), ...flaky]);
  const isUnknown = (one: CaseResult, strict: boolean): boolean => isRed(one, strict) && excused(one.id) === undefined;
  const earlier = typeof options.sameAs === "string" ? Earlier.read(options.sameAs) : options.sameAs;
  const all = (await Promise.all((await allSuites(registry)).map(([, one]) => casesOfSuite(one)))).flat();
  const how: Check = {
    selection: selectionOf(options),
    driver: {
      tls,
      verify: Object.keys(credentials).length === 0 ? verify : { verify, ...credentials },
      reach,
      settings,
      ...(timeout === undefined ? {} : { timeout }),
      ...(pid === undefined ? {} : { pid }),
      ...(expectStatus === undefined ? {} : { expectStatus }),
      ...(post === undefined ? {} : { post }),
      ...(echo === undefined ? {} : { echo }),
    },
    ...(concurrency === undefined ? {} : { concurrency }),
    run: {
      suite: name,
      all,
      subject: { name: options.name ?? targetOf(given), target: targetOf(subject) },
      ...(seed === undefined ? {} : { seed }),
      ...(baseline === undefined ? {} : { baseline }),
      ...(earlier === undefined ? {} : { earlier }),
      secrets: secretsIn(reach),
      ...(wait === undefined ? {} : { patience: wait }),
      ...(failFast === false ? {} : { stopsAt: (one) => isUnknown(one, failFast === "strict") }),
      ...(offers === undefined ? {} : { offers }),
      ...(signal === undefined ? {} : { signal }),
      ...(onResult === undefined ? {} : { onResult }),
    },
    ...(onStart === undefined ? {} : { onStart }),
  };
  const once = (): Promise<Result> => {
    if ("url" in subject) return has(name, suite, "server").check(subject, how);
    if ("client" in subject) return has(name, suite, "client").check(subject, how);
    if ("proxy" in subject) return has(name, suite, "proxy").check(subject, how);
    return has(name, suite, "codec").check(subject, how);
  };
  const runs = [await once()];
  while (runs.length < repeat && runs.at(-1)?.partial === undefined && options.signal?.aborted !== true) runs.push(await once());
  return joined(
    runs,
    flaky,
    all.map(({ id }) => id),
  );
}

/** An example command that names the suite, for the first suite with the role. */
export async function askForSuite(registry: Registry, role: Role): Promise<string> {
  const names = (await allSuites(registry)).filter(([, suite]) => suite.roles[role] !== undefined).map(([name]) => name);
  return `Name the suite: ${oneOf(names)} judges a ${role}, as in touchstone check ${names[0] ?? "SUITE"} …`;
}

function guardAbuse(subject: Subject, options: CheckOptions): void {
  if (options.abuse !== true || options.iOperateThisTarget === true || !("url" in subject)) return;
  const host = URL.canParse(subject.url) ? new URL(subject.url).hostname : "";
  if (!isThisMachine(host)) {
    throw new WrongUse(`--abuse sends floods, and ${host} is not this machine: add ${CONSENT} if you operate it.`);
  }
}
