import { version } from "../../version.ts";
import { ask, meet } from "./ask.ts";
import { CORPUS, type Entry } from "./corpus.ts";
import { byDisagreement, group, type Row } from "./group.ts";
import type { DiffResult } from "./result.ts";

export type DiffOptions = {
  readonly subjects: readonly { readonly name: string; readonly url: string }[];
  readonly entries?: readonly Entry[];
  /** Entries at the same time; 8 by default. */
  readonly concurrency?: number;
  readonly onEntry?: (done: number, total: number) => void;
};

/** Sends the corpus to every implementation, and groups them by how each understood it. Throws `Unreachable` where one does not answer. */
export async function diff({ subjects, entries = CORPUS, concurrency = 8, onEntry }: DiffOptions): Promise<DiffResult> {
  const startedAt = new Date().toISOString();
  const met = await Promise.all(subjects.map(({ name, url }) => meet(url, name)));
  const rows: Row[] = [];
  const waiting = entries.values();
  const worker = async (): Promise<void> => {
    for (const entry of waiting) {
      rows.push(group(entry, await Promise.all(met.map((subject) => ask(subject, entry)))));
      onEntry?.(rows.length, entries.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, entries.length) }, worker));
  return {
    tool: { name: "touchstone", version },
    startedAt,
    protocol: "http1",
    subjects: met.map(({ name, url, echoes }) => ({ name, target: url.href, echoes })),
    rows: byDisagreement(rows),
  };
}
