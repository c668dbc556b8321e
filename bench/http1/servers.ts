import { peer } from "../../conformance/peers/index.ts";
import { alternate } from "../lib/alternate.ts";
import { type EmbeddedSubjects, startSubjects } from "../lib/embedded.ts";
import { idleConnections, perThingGroups } from "../lib/idle-memory.ts";
import { openLoop } from "../lib/openloop.ts";
import type { BenchGroup } from "../lib/result.ts";
import { costAndRate, rows, SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import type { BenchSubject } from "../lib/subject.ts";
import { inTurn } from "../lib/turns.ts";
import { answered, batches, closedLoop, downloads, uploads } from "./load.ts";

/** Concurrent connections, as with `wrk -c50`. */
const CONNECTIONS = 50;
/** Pipelined requests on each connection. */
const PIPELINED = 16;
/** The rate of the open loop: far below the capacity of all servers, so that latency shows only their pauses. */
const RATE = 2_000;
const OPEN_SECONDS = 3;
const MIB10 = Buffer.alloc(10 << 20, "touchstone ");

/** Starts the default subjects: Touchstone, `node:http`, and `nginx` if it is installed. */
export function embeddedSubjects(say: Say): Promise<EmbeddedSubjects> {
  const ours = { small: "/", large: "/bytes/10485760", upload: "/upload" };
  const node = { small: "/", large: "/10m", upload: "/" };
  // nginx serves static files only and accepts no uploads.
  const nginx = { small: "/", large: "/10m" };
  return startSubjects(["touchstone", "node-http", "nginx"].map(peer), {
    protocol: "http1",
    say,
    optional: "nginx",
    pathsOf: (name) => (name === "touchstone" ? ours : name === "nginx" ? nginx : node),
  });
}

/** Small answers: sequential and pipelined in a closed loop, and latency in an open loop. */
export async function requestGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  const seconds = Math.max(1, Math.round(size.requests / 40_000));
  const single = await alternate(
    subjects,
    size.rounds,
    (s) => closedLoop(s, { connections: CONNECTIONS, seconds }),
    (round, s) => say(`keep-alive GET, round ${round} of ${size.rounds}: ${s.name}`),
  );
  const piped = await alternate(
    subjects,
    size.rounds,
    (s) => batches(s, { connections: CONNECTIONS, depth: PIPELINED, requests: 2 * size.requests }),
    (round, s) => say(`pipelined GET, round ${round} of ${size.rounds}: ${s.name}`),
  );
  const rounds = `${size.rounds} rounds in turn; ${SPREAD}`;
  return [
    ...costAndRate(single, {
      id: "http1/keep-alive",
      unit: "request",
      costTitle: "Server CPU for a keep-alive GET",
      rateTitle: "Requests per second, a keep-alive GET",
      note: `autocannon, ${CONNECTIONS} connections, ${seconds} s, ${rounds}; it shares the machine with the server and is slower than it`,
    }),
    ...costAndRate(piped, {
      id: "http1/pipelined",
      unit: "request",
      costTitle: `Server CPU for a GET, ${PIPELINED} pipelined`,
      rateTitle: `Requests per second, a GET, ${PIPELINED} pipelined`,
      note: `${CONNECTIONS} connections, ${PIPELINED} requests per write, ${2 * size.requests} requests, ${rounds}`,
    }),
    ...(await latencyGroups(subjects, size, say)),
  ];
}

async function latencyGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  const rounds = Math.min(3, size.rounds);
  const samples = await alternate(
    subjects,
    rounds,
    async (s) => {
      const load = { rate: RATE, seconds: OPEN_SECONDS, connections: CONNECTIONS, path: s.paths.small };
      const { p50, p99, max, lost } = await openLoop(s, load);
      if (lost > 0) throw new Error(`${s.name}: ${lost} of ${RATE * OPEN_SECONDS} requests were not answered.`);
      return { p50, p99, max };
    },
    (round, s) => say(`latency, round ${round} of ${rounds}: ${s.name}`),
  );
  const note = `open loop: ${RATE} GETs per second on ${CONNECTIONS} connections for ${OPEN_SECONDS} s, timed from when each was due; ${SPREAD}`;
  return (["p50", "p99", "max"] as const).map((measure) => ({
    id: `http1/latency-${measure}`,
    title: `Latency, ${{ p50: "median", p99: "99th percentile", max: "longest" }[measure]}`,
    unit: "ms",
    better: "lower",
    rows: rows(samples, measure),
    note,
  }));
}

/** Large bodies in both directions: CPU time per MiB. */
export async function transferGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  const down = await alternate(
    subjects,
    size.rounds,
    (s) => downloads(s, size.transfers, s.paths.large ?? s.paths.small),
    (round, s) => say(`downloads, round ${round} of ${size.rounds}: ${s.name}`),
  );
  const uploaded = subjects.filter(({ paths }) => paths.upload !== undefined);
  const up = await alternate(
    uploaded,
    size.rounds,
    (s) => uploads(s, size.transfers, s.paths.upload ?? "/", MIB10),
    (round, s) => say(`uploads, round ${round} of ${size.rounds}: ${s.name}`),
  );
  const note = `10 MiB bodies, one after another on one connection, ${size.transfers} transfers per round; ${SPREAD}`;
  return [
    {
      id: "http1/download-cpu-per-mib",
      title: "Server CPU per MiB sent",
      unit: "ms",
      better: "lower",
      rows: rows(down, "cpuMsPerMib", "userMsPerMib"),
      note,
    },
    { id: "http1/download-throughput", title: "Download", unit: "MiB/s", better: "higher", rows: rows(down, "mibPerSecond"), note },
    {
      id: "http1/upload-cpu-per-mib",
      title: "Server CPU per MiB received",
      unit: "ms",
      better: "lower",
      rows: rows(up, "cpuMsPerMib", "userMsPerMib"),
      note,
    },
    { id: "http1/upload-throughput", title: "Upload", unit: "MiB/s", better: "higher", rows: rows(up, "mibPerSecond"), note },
  ];
}

/** Memory of an idle connection: Touchstone and `node:http`. */
export async function memoryGroups({ rounds, connections }: Size, say: Say): Promise<BenchGroup[]> {
  const measure = (name: string) => () => idleConnections({ folder: import.meta.dirname, name }, connections, answered);
  const contenders = ["touchstone", "node:http"].map((name) => ({ name, measure: measure(name) }));
  const taken = await inTurn(contenders, Math.min(3, rounds), "memory", say);
  const note = `${connections} connections after one answer each, after a full collection`;
  return perThingGroups({ suite: "http1", thing: "connection", title: "an idle connection", taken, note });
}
