import { peer } from "../../conformance/peers/index.ts";
import { alternate, type Measures } from "../lib/alternate.ts";
import { type EmbeddedSubjects, startSubjects } from "../lib/embedded.ts";
import { measured } from "../lib/measured.ts";
import type { BenchGroup } from "../lib/result.ts";
import { costAndRate, rows, SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import type { BenchSubject } from "../lib/subject.ts";
import { handshakes, http3Load, type Load } from "./load.ts";

const MIB = 1 << 20;
/** Our own client is the load, and slower than a generator in C: a run takes as long as the others with fewer requests. */
const FEWER = 10;
const HANDSHAKES = 200;

/** Starts the default subjects: Touchstone, and `caddy` if it is installed. */
export function embeddedSubjects(say: Say): Promise<EmbeddedSubjects> {
  const ours = { small: "/", large: "/bytes/10485760" };
  return startSubjects(["touchstone", "caddy"].map(peer), {
    protocol: "http3",
    tls: true,
    say,
    optional: "caddy",
    pathsOf: (name) => (name === "touchstone" ? ours : { small: "/", large: "/10m" }),
  });
}

/** Runs one load, and throws unless every request succeeds. `octetsEach`: of content. */
const underLoad = (subject: BenchSubject, path: string, load: Load, octetsEach: number): Promise<Measures> =>
  measured(subject, "request", async () => {
    const { succeeded, failed, seconds } = await http3Load(subject, path, load);
    if (failed > 0 || succeeded === 0) throw new Error(`${subject.name}: ${failed} of ${load.requests} requests failed.`);
    return { count: succeeded, seconds, octets: succeeded * octetsEach };
  });

/** Small answers: CPU time per request, and requests per second. */
export async function requestGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  const load: Load = { connections: 10, streams: 32, requests: Math.ceil(size.requests / FEWER) };
  const samples = await alternate(
    subjects,
    size.rounds,
    (subject) => underLoad(subject, subject.paths.small, load, 0),
    (round, { name }) => say(`small requests, round ${round} of ${size.rounds}: ${name}`),
  );
  const note = `Touchstone's client, 10 connections of 32 streams, ${load.requests} requests, ${size.rounds} rounds in turn; ${SPREAD}`;
  return costAndRate(samples, {
    id: "http3/server",
    unit: "request",
    costTitle: "Server CPU per small request",
    rateTitle: "Small requests per second",
    note,
    rateNote: `${note}; client and server share the machine`,
  });
}

/** Large answers: CPU time per MiB. */
export async function transferGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  const load: Load = { connections: 1, streams: 1, requests: Math.ceil(size.transfers / FEWER) };
  const samples = await alternate(
    subjects,
    size.rounds,
    (subject) => underLoad(subject, subject.paths.large ?? "/10m", load, 10 * MIB),
    (round, { name }) => say(`downloads, round ${round} of ${size.rounds}: ${name}`),
  );
  const note = `10 MiB bodies, one after another on one connection, by Touchstone's client, ${load.requests} transfers per round, ${size.rounds} rounds in turn; ${SPREAD}`;
  return [
    {
      id: "http3/download-cpu-per-mib",
      title: "Server CPU per MiB sent",
      unit: "ms",
      better: "lower",
      rows: rows(samples, "cpuMsPerMib", "userMsPerMib"),
      note,
    },
    { id: "http3/download-throughput", title: "Download", unit: "MiB/s", better: "higher", rows: rows(samples, "mibPerSecond"), note },
  ];
}

/** New connections: CPU time for each, and how many per second. */
export async function handshakeGroups(subjects: readonly BenchSubject[], size: Size, say: Say): Promise<BenchGroup[]> {
  const samples = await alternate(
    subjects,
    size.rounds,
    (subject) => measured(subject, "request", async () => ({ count: HANDSHAKES, ...(await handshakes(subject, HANDSHAKES)) })),
    (round, { name }) => say(`handshakes, round ${round} of ${size.rounds}: ${name}`),
  );
  const note = `${HANDSHAKES} connections one after the other, by Touchstone's client, each up to the server's SETTINGS; ${size.rounds} rounds in turn; ${SPREAD}`;
  const [cost, rate] = costAndRate(samples, {
    id: "http3/handshake",
    unit: "request",
    costTitle: "Server CPU per connection",
    rateTitle: "Connections per second",
    note,
  });
  return [
    { ...cost!, id: "http3/handshake-cpu" },
    { ...rate!, id: "http3/handshake-rate", unit: "connections/s" },
  ];
}
