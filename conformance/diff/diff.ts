import { version } from "../../version.ts";
import { byDisagreement, group } from "./group.ts";
import type { Row } from "./row.ts";
import type { DiffResult } from "./result.ts";
import type { Entry, Understanding } from "./entry.ts";

/** An implementation under comparison. */
export type Met = {
  readonly name: string;
  readonly target: string;
  /** It echoes the content of a request, which shows what it accepted as content. */
  readonly echoes: boolean;
  readonly ask: (entry: Entry) => Promise<Understanding>;
};

/** What a suite provides to compare implementations of its protocol. */
export type Diff = {
  readonly entries: readonly Entry[];
  /** Sends the requests that all others are compared with. Throws `Unreachable` if nothing answers. */
  readonly meet: (url: string, name: string) => Promise<Met>;
  /** The address of a started peer whose responses show most. */
  readonly urlOf: (peer: { readonly name: string; readonly url: string }) => string;
};

export type DiffOptions = {
  readonly protocol: string;
  readonly diff: Diff;
  readonly subjects: readonly { readonly name: string; readonly url: string }[];
  /** All by default. */
  readonly entries?: readonly Entry[];
  /** Entries at the same time; 8 by default. */
  readonly concurrency?: number;
  readonly onEntry?: (done: number, total: number) => void;
};

/** Sends the entries to every implementation, and groups the implementations by how each understood them. Throws `Unreachable` if one does not answer. */
export async function runDiff({
  protocol,
  diff,
  subjects,
  entries = diff.entries,
  concurrency = 8,
  onEntry,
}: DiffOptions): Promise<DiffResult> {
  const startedAt = new Date().toISOString();
  const met = await Promise.all(subjects.map(({ name, url }) => diff.meet(url, name)));
  const rows: Row[] = [];
  const waiting = entries.values();
  const worker = async (): Promise<void> => {
    for (const entry of waiting) {
      rows.push(group(entry, await Promise.all(met.map((subject) => subject.ask(entry)))));
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
