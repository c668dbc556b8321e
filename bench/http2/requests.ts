import { alternate, type Measures } from "../lib/alternate.ts";
import { h2load, type Load } from "../lib/h2load.ts";
import { measured } from "../lib/measured.ts";
import type { BenchSubject } from "../lib/subject.ts";
import { nodeLoad } from "./node-load.ts";

const MIB = 1 << 20;

/** Whether the user gave certificates for this subject: h2load cannot use them. */
export const wantsCertificates = ({ tls }: BenchSubject): boolean => (tls?.ca ?? tls?.cert) !== undefined;

/** Runs one load, and throws unless every request succeeds. `octetsEach`: of content, in either direction. */
function underLoad(subject: BenchSubject, path: string, load: Load, octetsEach: number): Promise<Measures> {
  return measured(subject, "request", async () => {
    const outcome = wantsCertificates(subject) ? await nodeLoad(subject, path, load) : await h2load(`${subject.origin}${path}`, load);
    const { succeeded, failed, seconds } = outcome;
    if (failed > 0 || succeeded === 0) throw new Error(`${subject.name}: ${failed} of ${load.requests} requests failed.`);
    return { count: succeeded, seconds, octets: succeeded * octetsEach };
  });
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
