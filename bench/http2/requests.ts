import { alternate, type Measures } from "../lib/alternate.ts";
import { cpuTime } from "../lib/cpu.ts";
import { h2load, type Load } from "../lib/h2load.ts";
import type { BenchSubject } from "../lib/subject.ts";
import { nodeLoad } from "./node-load.ts";

const MIB = 1 << 20;

/** Whether the user gave certificates for this subject: h2load cannot use them. */
export const wantsCertificates = ({ tls }: BenchSubject): boolean => (tls?.ca ?? tls?.cert) !== undefined;

/** Runs one load. Returns throughput and, if the process is known, CPU time per request and per MiB. */
async function underLoad(subject: BenchSubject, path: string, load: Load, octetsEach: number): Promise<Measures> {
  const before = subject.pid === undefined ? undefined : cpuTime(subject.pid);
  const outcome = wantsCertificates(subject) ? await nodeLoad(subject, path, load) : await h2load(`${subject.origin}${path}`, load);
  const after = subject.pid === undefined ? undefined : cpuTime(subject.pid);
  if (outcome.failed > 0 || outcome.succeeded === 0)
    throw new Error(`${subject.name}: ${outcome.failed} of ${load.requests} requests failed.`);
  const perSecond = outcome.succeeded / outcome.seconds;
  const mib = (outcome.succeeded * octetsEach) / MIB;
  return {
    requestsPerSecond: perSecond,
    ...(octetsEach > 0 ? { mibPerSecond: mib / outcome.seconds } : {}),
    ...(before === undefined || after === undefined
      ? {}
      : {
          cpuUsPerRequest: (after.total - before.total) / outcome.succeeded,
          userUsPerRequest: (after.user - before.user) / outcome.succeeded,
          ...(octetsEach > 0
            ? { cpuMsPerMib: (after.total - before.total) / 1_000 / mib, userMsPerMib: (after.user - before.user) / 1_000 / mib }
            : {}),
        }),
  };
}

/** `requests`: per round. */
type Run = {
  readonly rounds: number;
  readonly requests: number;
  readonly progress: (round: number, subject: BenchSubject) => void;
};

/** Requests with small answers: ten connections with 32 streams each. */
export const smallRequests = (subjects: readonly BenchSubject[], { rounds, requests, progress }: Run) =>
  alternate(subjects, rounds, (s) => underLoad(s, s.paths.small, { connections: 10, streams: 32, requests }, 0), progress);

/** 10 MiB answers on one connection. */
export const downloads = (subjects: readonly BenchSubject[], { rounds, requests, progress }: Run) =>
  alternate(subjects, rounds, (s) => underLoad(s, s.paths.large ?? "/10m", { connections: 1, streams: 1, requests }, 10 * MIB), progress);

/** POSTs of 10 MiB, the content of `file`, on one connection. */
export const uploads = (subjects: readonly BenchSubject[], file: string, { rounds, requests, progress }: Run) =>
  alternate(
    subjects,
    rounds,
    (s) => underLoad(s, s.paths.upload ?? "/", { connections: 1, streams: 1, requests, upload: file }, 10 * MIB),
    progress,
  );
