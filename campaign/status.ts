import type { JobState } from "bullmq";
import type { Engine } from "./engine.ts";

/** How far a campaign is. */
export type Status = {
  readonly jobs: number;
  readonly counts: Readonly<Record<"waiting" | "active" | "done" | "failed", number>>;
  /** By the name of the worker: jobs done, and the milliseconds that they took. */
  readonly workers: Readonly<Record<string, { readonly done: number; readonly ms: number }>>;
  readonly failures: readonly string[];
};

/** Before a worker has taken them. */
const WAITING: readonly JobState[] = ["waiting", "prioritized", "delayed"];

export async function statusOf({ queue }: Engine): Promise<Status> {
  const counts = await queue.getJobCounts();
  const count = (...states: readonly JobState[]): number => states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  const workers: Record<string, { done: number; ms: number }> = {};
  for (const { processedBy = "", returnvalue } of await queue.getJobs(["completed"])) {
    const one = (workers[processedBy] ??= { done: 0, ms: 0 });
    one.done++;
    one.ms += returnvalue.ms;
  }
  const failed = await queue.getJobs(["failed"]);
  return {
    jobs: count(...WAITING, "active", "completed", "failed"),
    counts: { waiting: count(...WAITING), active: count("active"), done: count("completed"), failed: count("failed") },
    workers,
    failures: failed.map(({ id, failedReason, attemptsMade }) => `${id}: ${failedReason} (attempts: ${attemptsMade})`),
  };
}

/** The status for people. */
export function statusText({ jobs, counts, workers, failures }: Status): string {
  const lines = [
    `${counts.done} of ${jobs} jobs done, ${counts.active} running, ${counts.waiting} waiting, ${counts.failed} failed`,
    ...Object.entries(workers)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { done, ms }]) => `  ${name}: ${done} jobs in ${(ms / 1_000).toFixed(1)} s`),
    ...failures.map((line) => `FAILED ${line}`),
  ];
  return `${lines.join("\n")}\n`;
}
