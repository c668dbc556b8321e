import type { Crosscheck } from "../crosscheck/crosscheck.ts";
import type { Diff } from "../diff/diff.ts";
import type { AnyCase, CaseInfo, Role } from "./case.ts";
import { type Driver, WrongUse } from "./driver.ts";
import type { CaseResult, Result } from "./result.ts";
import type { RunOptions } from "./run.ts";
import { select, type Selection } from "./select.ts";
import { type Reach, type Reaching, requireReaching } from "./subject/reach.ts";
import type { Credentials, Verify } from "./subject/transport.ts";
import type { SubjectOf } from "./subject/subject.ts";

/** Values of the flags that a suite declares, by their names without the hyphens. */
export type Settings = Readonly<Record<string, string | number>>;

/** The options of a driver. */
export type DriverOptions = {
  /** The longest silence to wait for, in milliseconds; each driver has its own default. */
  readonly timeout?: number;
  /** Server, proxy: reject an untrusted certificate. */
  readonly verify: Verify;
  /** Client: give it an address over TLS. */
  readonly tls: boolean;
  /** Server: the status of its good answer, if that is not one below 400. */
  readonly expectStatus?: number;
  /** Server: a path that accepts POST, and one that answers POST with its content; by default the path of its address, or /echo. */
  readonly post?: string;
  readonly echo?: string;
  /** Server: its process, whose memory and processor time are measured. */
  readonly pid?: number;
  /** Server: fields that every request has, and where connections go. */
  readonly reach: Reach;
  readonly settings: Settings;
};

/** Names in the cases of one role, for the lint. */
export type Words = {
  /** Optional features, in `needs`. */
  readonly features: readonly string[];
  /** Monitors, in a `holds` sight. */
  readonly monitors: readonly string[];
  /** Sights of a subject that refuses: it sends an error, or ends the connection. A case that allows another sight needs a control that differs. */
  readonly refusals: readonly string[];
  /** The refusals that show in the status of a response, even in cases that list no status. */
  readonly byStatus?: readonly string[];
};

/** A running subject, with what the driver needs. */
export type StartedSubject<S> = {
  readonly subject: S;
  readonly pid?: number;
  readonly tls?: boolean;
  /** A server that asks for a client certificate gets this one. */
  readonly credentials?: Required<Pick<Credentials, "cert" | "key">>;
  stop?(): Promise<void>;
};

/** A part of the reference as a subject. */
export type EmbeddedSubject<S> = {
  /** How it differs from the first: `over TLS`. */
  readonly note?: string;
  /** Its cases; all by default. */
  readonly takes?: (c: CaseInfo) => boolean;
  readonly start: () => Promise<StartedSubject<S>>;
};
export type Embedded<S> = {
  /** Its name in reports. */
  readonly name: string;
  /** Each runs the cases that those before it skipped or did not run. */
  readonly subjects: readonly [EmbeddedSubject<S>, ...EmbeddedSubject<S>[]];
};

/** What a suite provides for one role. `Driver<C>` must perform the cases that `cases` loads. */
export type RoleDefinition<R extends Role, C extends AnyCase> = {
  readonly cases: (settings: Settings) => Promise<readonly C[]>;
  readonly driver: (subject: SubjectOf[R], options: DriverOptions) => Promise<Driver<C> & { readonly role: R }>;
  /** Which of these its subjects can be reached by; none by default. */
  readonly reaching?: readonly Reaching[];
  /** The default number of concurrent cases. */
  readonly concurrency: number;
  readonly words: () => Promise<Words>;
  /** Accepting proves something only of a subject that also refuses: for cases whose good answer is the same for every message. */
  readonly acceptsByProof?: true;
  readonly embedded: Embedded<SubjectOf[R]>;
};

/** A check of one subject: the cases, the options, and the callbacks for progress. */
export type Check = {
  readonly selection: Selection;
  readonly driver: DriverOptions;
  readonly concurrency?: number;
  readonly run: Omit<RunOptions<AnyCase>, "driver" | "cases" | "concurrency">;
  readonly onStart?: (total: number) => void;
};

/** A role of a suite, ready to use: the type of its cases is known only inside. */
export type SuiteRole<R extends Role> = {
  readonly cases: (settings: Settings) => Promise<readonly AnyCase[]>;
  readonly words: () => Promise<Words>;
  readonly embedded: Embedded<SubjectOf[R]>;
  readonly check: (subject: SubjectOf[R], how: Check) => Promise<Result>;
};

/** Ties the cases of a role to the driver that performs them. */
export function role<R extends Role, C extends AnyCase>(definition: RoleDefinition<R, C>): SuiteRole<R> {
  const { cases, words, embedded, acceptsByProof } = definition;
  return {
    cases,
    words,
    embedded,
    check: async (subject, { selection, driver: options, concurrency = definition.concurrency, run, onStart }) => {
      requireReaching(run.suite, options.reach, definition.reaching ?? []);
      const all = await cases(options.settings);
      const selected = select(all, selection);
      const { expectStatus = 0 } = options;
      const { features, refusals, byStatus = [] } = await words();
      requireFeatures(run.offers ?? [], features);
      const goodError = expectStatus < 400 ? {} : { goodError: expectStatus };
      const proof = acceptsByProof === true ? { proof: { cases: all, refusals, byStatus, ...goodError } } : {};
      const { runCases } = await import("./run.ts");
      const driver = await definition.driver(subject, options);
      try {
        onStart?.(selected.length);
        const result = await runCases({ ...run, driver, cases: selected, concurrency, ...proof });
        const settings = Object.keys(options.settings).length === 0 ? {} : { settings: options.settings };
        return { ...result, ...settings, ...shardOf(all, selection) };
      } finally {
        await driver.close();
      }
    },
  };
}

/** What a result says of the shard that it is; nothing of a whole run. */
export function shardOf(all: readonly AnyCase[], { shard, ...selection }: Selection): Pick<Result, "shard"> {
  return shard === undefined ? {} : { shard: { ...shard, selected: select(all, selection).length } };
}

/** Throws `WrongUse` for a feature that no probe of the role detects. */
function requireFeatures(wanted: readonly string[], features: readonly string[]): void {
  const unknown = wanted.find((one) => !features.includes(one));
  if (unknown === undefined) return;
  throw new WrongUse(`--offers: no case needs "${unknown}" here; the features are ${[...features].sort().join(", ")}.`);
}

/** A flag that only this suite has. */
export type SuiteFlag = {
  /** `scale`, for `--scale`. */
  readonly name: string;
  /** `<n>`. */
  readonly value: string;
  readonly about: string;
  /** Values with which the suite has cases that it does not have without the flag. */
  readonly otherCases?: readonly string[];
  /** Runs instead of a check. Without it, the value is a setting of the suite. */
  readonly instead?: (value: string) => Promise<void>;
};

/** Everything that a suite provides. To add one, write a folder with a `suite.ts` and add a line to the registry. */
export type Suite = {
  /** The protocol and its documents, for the help. */
  readonly about: string;
  readonly roles: { readonly [R in Role]?: SuiteRole<R> };
  /** For a role that it does not have: the suite that judges such a subject. */
  readonly elsewhere?: Readonly<Partial<Record<Role, string>>>;
  readonly flags?: readonly SuiteFlag[];
  /** Lines for `check --help`: a command without `touchstone check`, and what it does. */
  readonly examples?: readonly (readonly [command: string, about?: string])[];
  /** Another suite for the same protocol, run beside ours. */
  readonly crosscheck?: () => Promise<Crosscheck>;
  /** Messages for several implementations, to compare how they understand them. */
  readonly diff?: () => Promise<Diff>;
};

/** The suites by name. Each is loaded on demand. */
export type Registry = Readonly<Record<string, () => Promise<{ readonly suite: Suite }>>>;

/** In the order of help and reports. */
export const ROLES = ["server", "client", "proxy", "codec"] as const satisfies readonly Role[];

export const rolesOf = (suite: Suite): Role[] => ROLES.filter((one) => suite.roles[one] !== undefined);

export type OnResult = (result: CaseResult, done: number, total: number) => void;
