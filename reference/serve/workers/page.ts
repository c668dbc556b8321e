import { type FamilyToWrite, writeText } from "../../metrics/exposition/index.ts";
import type { WorkerCounts } from "./messages.ts";

/** What the page shows beside the counts of each worker. */
export type Totals = { readonly replaced: number; readonly endedRequests: number };

/** The metrics of all workers in the text format. */
export function workersPage(workers: readonly WorkerCounts[], { replaced, endedRequests }: Totals): string {
  const each = (name: string, help: string, type: "counter" | "gauge", value: (one: WorkerCounts) => number): FamilyToWrite => ({
    name,
    help,
    type,
    samples: workers.map((one) => ({ name, labels: [["pid", String(one.pid)]], value: value(one) })),
  });
  const one = (name: string, help: string, type: "counter" | "gauge", value: number): FamilyToWrite => ({
    name,
    help,
    type,
    samples: [{ name, labels: [], value }],
  });
  const requests = endedRequests + workers.reduce((sum, worker) => sum + worker.requests, 0);
  return writeText([
    one("touchstone_workers", "Processes that serve.", "gauge", workers.length),
    one("touchstone_workers_replaced_total", "Workers that ended by themselves and were replaced.", "counter", replaced),
    one("touchstone_requests_total", "Requests of all workers, those that have ended included.", "counter", requests),
    each("touchstone_worker_requests_total", "Requests of one worker.", "counter", (worker) => worker.requests),
    each("touchstone_worker_connections", "Open connections of one worker.", "gauge", (worker) => worker.connections),
    each("touchstone_worker_cpu_seconds_total", "Processor time of one worker.", "counter", (worker) => worker.cpuSeconds),
    each("touchstone_worker_resident_memory_bytes", "Resident memory of one worker.", "gauge", (worker) => worker.residentOctets),
  ]);
}
