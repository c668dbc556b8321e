import { WrongUse } from "../harness/driver.ts";
import { version } from "../../version.ts";
import { byDisagreement, group } from "./group.ts";
import type { Row } from "./row.ts";
import type { DiffResult } from "./result.ts";
import type { Entry, Understanding } from "./entry.ts";

/** An implementation under comparison. */
export type Met<E extends Entry = Entry> = {
  readonly name: string;
  readonly target: string;
  /** It echoes the content of a request, which shows what it accepted as content. */
  readonly echoes: boolean;
  /** Undefined if the entry cannot be said in its protocol. */
  readonly ask: (entry: E) => Promise<Understanding | undefined>;
};

/** A started peer: how to reach it, and the suite whose configuration it runs with. */
type Started = { readonly name: string; readonly url: string; readonly suite: string };

/** What a comparison consists of. */
export type Comparing<E extends Entry> = {
  /** The suites whose peers can be compared, and how to start those. */
  readonly peersOf: readonly { readonly suite: string; readonly tls: boolean }[];
  readonly entries: readonly E[];
  /** Sends the requests that all others are compared with; one for each version that an address stands for. Throws `Unreachable` if nothing answers. */
  readonly meet: (target: string, name: string) => Promise<readonly Met<E>[]>;
  /** The target of a started peer whose responses show most. */
  readonly urlOf: (peer: Started) => string;
  /** An understanding in words; those with the same words form a group. */
  readonly words?: (one: Understanding, all: readonly Understanding[]) => string;
};

export type DiffOptions = {
  readonly protocol: string;
  readonly subjects: readonly { readonly name: string; readonly url: string }[];
  /** Whether to send the entry; all are sent by default. */
  readonly only?: (id: string) => boolean;
  /** Entries at the same time; 8 by default. */
  readonly concurrency?: number;
  readonly onEntry?: (done: number, total: number) => void;
};

/** A comparison, ready to run: the type of its entries is known only inside. */
export type Diff = Pick<Comparing<Entry>, "peersOf" | "entries" | "urlOf"> & {
  /** Sends the entries to every implementation, and groups the implementations by how each understood them. Throws `Unreachable` if one does not answer. */
  readonly run: (options: DiffOptions) => Promise<DiffResult>;
};

/** Ties entries to what sends them. */
export const comparison = <E extends Entry>(comparing: Comparing<E>): Diff => ({
  ...comparing,
  run: (options) => runDiff(comparing, options),
});

async function runDiff<E extends Entry>(
  { meet, words, entries: all }: Comparing<E>,
  { protocol, subjects, only = () => true, concurrency = 8, onEntry }: DiffOptions,
): Promise<DiffResult> {
  const startedAt = new Date().toISOString();
  const met = (await Promise.all(subjects.map(({ name, url }) => meet(url, name)))).flat();
  if (met.length < 2) throw new WrongUse("Two servers are needed to differ: give another URL, or --peers.");
  const entries = all.filter(({ id }) => only(id));
  const rows: Row[] = [];
  const waiting = entries.values();
  const worker = async (): Promise<void> => {
    for (const entry of waiting) {
      rows.push(group(entry, await Promise.all(met.map((subject) => subject.ask(entry))), words));
      onEntry?.(rows.length, entries.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, entries.length) }, worker));
  return {
    tool: { name: "touchstone", version },
    startedAt,
    protocol,
    subjects: met.map(({ name, target, echoes }) => ({ name, target, echoes })),
    rows: byDisagreement(rows),
  };
}
