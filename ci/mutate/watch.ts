import { workerData } from "node:worker_threads";

/** A thread of a mutated subject: kills its process once the process that started the subject has ended, however it ended. */
export type Watched = { readonly owner: number };

const EVERY_MS = 1_000;
const { owner } = workerData as Watched;

setInterval(() => {
  try {
    process.kill(owner, 0);
  } catch {
    process.kill(process.pid, "SIGKILL");
  }
}, EVERY_MS);
