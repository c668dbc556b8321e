import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyCase } from "../../conformance/harness/case.ts";
import type { CaseResult, Result } from "../../conformance/harness/result.ts";
import type { Subject } from "../../conformance/harness/subject/subject.ts";
import type { Check, Settings, StartedSubject, Suite } from "../../conformance/harness/suite.ts";
import { orderFor, type Order } from "./hooked.ts";
import type { Ready, SubjectAddress } from "./ipc.ts";
import type { Mutant } from "./mutants.ts";
import { ApartSubject } from "./subject.ts";

/** Cases to run on one subject. */
export type Questions = {
  readonly ids: readonly string[];
  /** Features that it must offer. */
  readonly offers?: readonly string[];
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  readonly onResult?: (result: CaseResult) => void;
};

/** A running subject and its suite. */
export type Examined = {
  readonly apart: ApartSubject;
  readonly order: Order;
  /** Performs these cases. */
  readonly ask: (questions: Questions) => Promise<Result>;
  readonly stop: () => Promise<void>;
};

export async function suiteOf(module: string): Promise<Suite> {
  return ((await import(pathToFileURL(module).href)) as { readonly suite: Suite }).suite;
}

/** A role without its types: the address tells the role of the subject. */
type LooseRole = {
  readonly cases: (settings: Settings) => Promise<readonly AnyCase[]>;
  readonly embedded: { readonly subjects: readonly { readonly takes?: (c: AnyCase) => boolean }[] };
  readonly check: (subject: Subject, how: Check) => Promise<Result>;
};
export const roleOf = (suite: Suite, role: SubjectAddress["role"]): LooseRole | undefined => suite.roles[role] as LooseRole | undefined;

/** Starts one embedded subject of a suite, mutated or not; `cover` as in `orderFor`. Throws if it does not start. */
export async function examine(address: SubjectAddress, mutant: Mutant | undefined, root: string, cover?: string): Promise<Examined> {
  const { role, settings = {} } = address;
  const suite = roleOf(await suiteOf(join(root, address.suite)), role);
  if (suite === undefined) throw new Error(`${address.suite} has no role ${role}`);
  const order = orderFor(mutant, root, cover);
  try {
    const { apart, what } = await ApartSubject.start({ ...address, suite: join(root, address.suite) }, order);
    const stop = async (): Promise<void> => {
      await apart.kill();
      order.remove();
    };
    const subject = apart.subject(what, role);
    return { apart, order, stop, ask: (questions) => suite.check(subject, checkOf(questions, what, { apart, settings })) };
  } catch (error) {
    order.remove();
    throw error;
  }
}

function checkOf(
  { ids, offers, concurrency, signal, onResult }: Questions,
  what: Ready,
  { apart, settings }: { readonly apart: ApartSubject; readonly settings: Settings },
): Check {
  const started: Pick<StartedSubject<Subject>, "pid" | "tls"> = what.is === "server" ? { pid: what.pid ?? apart.pid } : {};
  const verify = what.is === "server" && what.credentials !== undefined ? { verify: false, ...what.credentials } : false;
  const tls = (what.is === "client" || what.is === "command") && what.tls;
  return {
    selection: { only: ids, abuse: true },
    driver: { tls, verify, reach: {}, settings, ...started },
    ...(concurrency === undefined ? {} : { concurrency }),
    run: {
      suite: "mutate",
      all: [],
      subject: { name: "a mutant", target: "a mutant" },
      ...(offers === undefined ? {} : { offers }),
      ...(signal === undefined ? {} : { signal }),
      ...(onResult === undefined ? {} : { onResult }),
    },
  };
}
