import { readBaseline, type Known } from "./harness/baseline.ts";
import type { Role } from "./harness/case.ts";
import { type Driver, WrongUse } from "./harness/driver.ts";
import type { CaseResult, Result } from "./harness/result.ts";
import { runCases } from "./harness/run.ts";
import { select, type Selection } from "./harness/select.ts";
import type { Subject } from "./harness/subject.ts";
import { CodecDriver } from "./hpack/index.ts";
import * as http1 from "./http1/index.ts";
import * as metrics from "./metrics/index.ts";
import { ClientDriver, ServerDriver } from "./http2/index.ts";
import * as websocket from "./websocket/index.ts";
import { allPeers, clientCommand } from "./peers/index.ts";
import { type AnyCase, SUITES, suiteNamed, suiteNames, type SuiteName } from "./suites.ts";

export type { ProxySubject, Subject } from "./harness/subject.ts";

export type CheckOptions = Selection & {
  readonly suite: SuiteName;
  readonly subject: Subject | string;
  /** What reports call it; its address or command by default. */
  readonly name?: string;
  /** A file of known failures, or the entries themselves. */
  readonly baseline?: string | readonly Known[];
  /** Abuse cases on a target that is not loopback are run only with this. */
  readonly iOperateThisTarget?: boolean;
  /** 16 for servers, 8 for clients by default. */
  readonly concurrency?: number;
  /** The longest silence that is waited for, in milliseconds; 2,000 by default, for a proxy 1,000. */
  readonly timeout?: number;
  /** How large the larger cases are (websocket): 1, the default, to 5. What comes back may take as many times the time limit. */
  readonly scale?: number;
  /** Shuffles the cases. */
  readonly seed?: number;
  /** Client: give it an https: address. */
  readonly tls?: boolean;
  /** Server: refuse a certificate that is not trusted. */
  readonly verify?: boolean;
  /** Server: the number of its process, so that what abuse costs it can be measured (Linux). */
  readonly pid?: number;
  /** Ends the run early; what was measured is kept. */
  readonly signal?: AbortSignal;
  readonly onStart?: (total: number) => void;
  readonly onResult?: (result: CaseResult, done: number, total: number) => void;
};

/** A proxy under test stands on this machine, between two ends of ours. */
const TIMEOUT: Readonly<Record<Role, number>> = { server: 2000, client: 2000, codec: 2000, proxy: 1000 };
const CONCURRENCY: Readonly<Record<Role, number>> = { server: 16, client: 8, codec: 1, proxy: 1 };

const subjectOf = (subject: Subject | string): Subject => (typeof subject === "string" ? { url: subject } : subject);
export const roleOf = (subject: Subject): Role => {
  if ("proxy" in subject) return "proxy";
  return "url" in subject ? "server" : "client" in subject ? "client" : "codec";
};
const targetOf = (subject: Subject): string => {
  if ("url" in subject) return subject.url;
  if ("codec" in subject) return subject.codec;
  if ("proxy" in subject) return typeof subject.proxy === "string" ? subject.proxy : "a function in this process";
  return typeof subject.client === "string" ? subject.client : "a function in this process";
};

/** A client may be named that this project knows how to start. */
async function byName(subject: Subject, suite: SuiteName): Promise<Subject> {
  if (!("client" in subject) || typeof subject.client !== "string" || suite === "hpack" || suite === "metrics") return subject;
  const known = allPeers().find(({ name }) => name === subject.client);
  return known?.[suite]?.client === undefined ? subject : { client: await clientCommand(known, suite) };
}

function scaleOf(given = 1): websocket.Scale {
  const scale = websocket.scaleOf(given);
  if (scale === undefined) throw new WrongUse(`A scale is a whole number from 1 to ${websocket.LARGEST}, not ${given}.`);
  return scale;
}

/** The cases of a suite for one role, or all; selected, in their order. */
export async function casesOf(
  suite: SuiteName,
  role: Role | undefined,
  selection: Selection & { readonly scale?: number },
): Promise<AnyCase[]> {
  const all = await SUITES[suite].load(scaleOf(selection.scale));
  const theirs = role === undefined ? all : all.filter((c) => c.role === role);
  if (theirs.length === 0 && role !== undefined) {
    throw new WrongUse(`The suite ${suite} has no cases for a ${role}: it is for a ${SUITES[suite].roles.join(" or a ")}.`);
  }
  return select(theirs, selection);
}

/** Performs a suite on a subject. Throws `WrongUse` for a wrong call, `Unreachable` when the subject cannot be worked with at all. */
export async function check(options: CheckOptions): Promise<Result> {
  const given = subjectOf(options.subject);
  const subject = await byName(given, options.suite);
  const role = roleOf(subject);
  const suite = suiteNamed(options.suite);
  guardAbuse(subject, options);
  const cases = await casesOf(suite, role, options);
  const known = typeof options.baseline === "string" ? readBaseline(options.baseline) : options.baseline;
  const all = (await Promise.all(suiteNames.map((name) => SUITES[name].load()))).flat();
  const driver = driverFor(subject, options);
  try {
    options.onStart?.(cases.length);
    return await runCases({
      suite,
      driver,
      cases,
      all,
      subject: { name: options.name ?? targetOf(given), target: targetOf(subject) },
      concurrency: options.concurrency ?? CONCURRENCY[role],
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(known === undefined ? {} : { baseline: known }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.onResult === undefined ? {} : { onResult: options.onResult }),
    });
  } finally {
    await driver.close();
  }
}

function driverFor(subject: Subject, options: CheckOptions): Driver {
  const timeout = options.timeout ?? TIMEOUT[roleOf(subject)] * scaleOf(options.scale);
  // Each driver takes the cases of its own suite and role, which `casesOf` has seen to.
  const { pid, verify = false } = options;
  if ("url" in subject) {
    const server = { url: subject.url, timeout, verify, ...(pid === undefined ? {} : { pid }) };
    if (options.suite === "metrics")
      return new metrics.ServerDriver({ ...server, timeout: options.timeout ?? 10_000 }) as Driver<never> as Driver;
    if (options.suite === "websocket") return new websocket.ServerDriver(server) as Driver<never> as Driver;
    return (options.suite === "http1" ? new http1.ServerDriver(server) : new ServerDriver(server)) as Driver<never> as Driver;
  }
  if ("proxy" in subject) return new http1.ProxyDriver({ ...subject, timeout, verify }) as Driver<never> as Driver;
  if ("client" in subject) {
    const { client } = subject;
    const tls = options.tls ?? false;
    if (options.suite === "http1") return new http1.ClientDriver({ client, timeout, tls }) as Driver<never> as Driver;
    if (options.suite === "websocket") return new websocket.ClientDriver({ client, timeout, tls }) as Driver<never> as Driver;
    return new ClientDriver({ client, timeout, tls }) as Driver<never> as Driver;
  }
  if (options.suite === "websocket") return new websocket.CodecDriver({ command: subject.codec, timeout }) as Driver<never> as Driver;
  if (options.suite === "metrics") return new metrics.CodecDriver({ command: subject.codec, timeout }) as Driver<never> as Driver;
  return new CodecDriver({ command: subject.codec, timeout }) as Driver<never> as Driver;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

function guardAbuse(subject: Subject, options: CheckOptions): void {
  if (options.abuse !== true || options.iOperateThisTarget === true || !("url" in subject)) return;
  const host = URL.canParse(subject.url) ? new URL(subject.url).hostname : "";
  if (!LOOPBACK.test(host)) {
    throw new WrongUse(`--abuse sends floods, and ${host} is not this machine: add --i-operate-this-target if it is yours to break.`);
  }
}
