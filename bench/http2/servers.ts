import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peer } from "../../conformance/peers/index.ts";
import { type EmbeddedSubjects, startSubjects } from "../lib/embedded.ts";
import { perThingGroups } from "../lib/idle-memory.ts";
import type { BenchGroup } from "../lib/result.ts";
import { costAndRate, rows, SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import { idleStreams, STREAMS_EACH } from "./memory.ts";
import { downloads, smallRequests, uploads, wantsCertificates } from "./requests.ts";
import type { BenchSubject } from "../lib/subject.ts";
import { inTurn } from "../lib/turns.ts";

/** Starts the default subjects: Touchstone, `node:http2`, and `nghttpd` if it is installed. */
export function embeddedSubjects(say: Say): Promise<EmbeddedSubjects> {
  const ours = { small: "/", large: "/bytes/10485760", upload: "/upload" };
  const theirs = { small: "/", large: "/10m", upload: "/" };
  return startSubjects(["touchstone", "node-http2", "nghttpd"].map(peer), {
    protocol: "http2",
    say,
    optional: "nghttpd",
    pathsOf: (name) => (name === "touchstone" ? ours : theirs),
  });
}

/** Small answers: CPU time per request, and requests per second. */
export async function requestGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  const samples = await smallRequests(subjects, {
    ...size,
    progress: (round, s) => say(`small requests, round ${round} of ${size.rounds}: ${s.name}`),
  });
  const load = subjects.some(wantsCertificates)
    ? `node:http2, 10 connections of 32 streams, ${size.requests} requests`
    : `h2load -t1 -c10 -m32 -n${size.requests}`;
  const note = `${load}, ${size.rounds} rounds in turn; ${SPREAD}`;
  return costAndRate(samples, {
    id: "http2/server",
    unit: "request",
    costTitle: "Server CPU per small request",
    rateTitle: "Small requests per second",
    note,
    rateNote: `${note}; client and server share the machine`,
  });
}

/**
 * Downloads are short, spend most of their time in the kernel, and vary by a quarter between connections: only many rounds show a
 * difference between servers.
 */
const DOWNLOAD_ROUNDS = 5;

/** Large bodies in both directions: CPU time per MiB. */
export async function transferGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  const downRounds = size.rounds * DOWNLOAD_ROUNDS;
  const down = await downloads(subjects, {
    rounds: downRounds,
    requests: size.transfers,
    progress: (round, s) => say(`downloads, round ${round} of ${downRounds}: ${s.name}`),
  });
  const folder = mkdtempSync(join(tmpdir(), "touchstone-bench-"));
  try {
    const file = join(folder, "10m");
    writeFileSync(file, Buffer.alloc(10 << 20, "touchstone "));
    const up = await uploads(subjects, file, {
      rounds: size.rounds,
      requests: size.transfers,
      progress: (round, s) => say(`uploads, round ${round} of ${size.rounds}: ${s.name}`),
    });
    const note = (rounds: number): string =>
      `10 MiB bodies, one after another on one connection, ${size.transfers} transfers per round, ${rounds} rounds in turn; ${SPREAD}`;
    return [
      {
        id: "http2/download-cpu-per-mib",
        title: "Server CPU per MiB sent",
        unit: "ms",
        better: "lower",
        rows: rows(down, "cpuMsPerMib", "userMsPerMib"),
        note: note(downRounds),
      },
      {
        id: "http2/download-throughput",
        title: "Download",
        unit: "MiB/s",
        better: "higher",
        rows: rows(down, "mibPerSecond"),
        note: note(downRounds),
      },
      {
        id: "http2/upload-cpu-per-mib",
        title: "Server CPU per MiB received",
        unit: "ms",
        better: "lower",
        rows: rows(up, "cpuMsPerMib", "userMsPerMib"),
        note: note(size.rounds),
      },
      {
        id: "http2/upload-throughput",
        title: "Upload",
        unit: "MiB/s",
        better: "higher",
        rows: rows(up, "mibPerSecond"),
        note: note(size.rounds),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Memory of an idle connection and of an open idle stream: Touchstone and `node:http2`. */
export async function memoryGroups({ rounds, connections }: Size, say: Say): Promise<BenchGroup[]> {
  const measure = (name: string) => () => idleStreams({ folder: import.meta.dirname, name }, connections);
  const contenders = ["touchstone", "node:http2"].map((name) => ({ name, measure: measure(name) }));
  const taken = await inTurn(contenders, Math.min(3, rounds), "memory", say);
  const note = `${connections} connections, ${STREAMS_EACH} open streams on each, after a full collection`;
  return [
    ...perThingGroups({ suite: "http2", thing: "connection", title: "an idle connection", taken, note }),
    ...perThingGroups({ suite: "http2", thing: "stream", title: "an open idle stream", taken, note }),
  ];
}
