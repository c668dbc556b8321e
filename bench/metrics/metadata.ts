import { join } from "node:path";
import { alternate, type Measures } from "../lib/alternate.ts";
import type { BenchGroup } from "../lib/result.ts";
import { SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import { Fleet } from "./data/fleet.ts";
import { Texts, timeOf } from "./data/texts.ts";
import { cpuOf, MISSING, OURS, rowsOf, withFolder } from "./measure.ts";
import { configured } from "./servers/configured.ts";
import { ask, type MetricsProcess } from "./servers/process.ts";
import { prometheusVersion, remoteWrite, startPrometheus } from "./servers/prometheus.ts";

/** What a page with a query field asks for, and the page about the storage. */
const ENDPOINTS = [
  { id: "names", title: "names of labels", path: "labels" },
  { id: "metrics", title: "names of metrics", path: "label/__name__/values" },
  { id: "values", title: "values of a label that each instance has", path: "label/instance/values" },
  { id: "status", title: "status of the storage", path: "status/tsdb" },
] as const;
type Endpoint = (typeof ENDPOINTS)[number];

/** Samples of each series, of the last minute: the endpoints ask for all times. */
const STEPS = 4;
/** One request takes less than the clock of CPU time can tell. */
const REQUESTS = 25;

/** Names and values of labels without a matcher, and the status of the storage. */
export async function metadataGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const version = prometheusVersion();
  if (version === undefined) {
    say(`metadata: ${MISSING}`);
    return [];
  }
  const texts = new Texts(new Fleet(size.series), Date.now() - timeOf(STEPS, 0));
  return withFolder(async (folder) => {
    const running: MetricsProcess[] = [];
    try {
      for (const [name, begin] of [[OURS, configured] as const, [`prometheus ${version}`, startPrometheus] as const]) {
        const server = await begin(join(folder, name), "");
        running.push({ ...server, name });
        await remoteWrite(server.origin, texts, { endStep: STEPS });
      }
      const groups: BenchGroup[] = [];
      for (const endpoint of ENDPOINTS) groups.push(await measured(running, { endpoint, count: texts.fleet.count, size, say }));
      return groups;
    } finally {
      for (const one of running) await one.kill();
    }
  });
}

type Measuring = { readonly endpoint: Endpoint; readonly count: number; readonly size: Size; readonly say: Say };

async function measured(servers: readonly MetricsProcess[], { endpoint, count, size, say }: Measuring): Promise<BenchGroup> {
  const { id, title, path } = endpoint;
  const [ours, theirs] = await Promise.all(servers.map(({ origin }) => answerOf(origin, endpoint)));
  if (ours !== theirs) throw new Error(`The servers answer ${path} differently, so their speed cannot be compared: ${ours}, ${theirs}`);
  const samples = await alternate(
    servers,
    size.rounds,
    async ({ pid, origin }): Promise<Measures> => {
      const before = cpuOf(pid);
      for (let request = 0; request < REQUESTS; request++) await answerOf(origin, endpoint);
      return { cpu: (cpuOf(pid) - before) / 1_000 / REQUESTS };
    },
    (round, { name }) => say(`${title}, round ${round} of ${size.rounds}: ${name}`),
  );
  return {
    id: `metrics/metadata-${id}`,
    title: `Metadata: ${title}, CPU time per request`,
    unit: "ms",
    better: "lower",
    rows: rowsOf(new Map([...samples].map(([{ name }, measures]) => [name, measures])), "cpu"),
    note: `/api/v1/${path}, ${REQUESTS} times in a row; ${count} series with ${STEPS} samples each in memory; both answers are equal; ${SPREAD}`,
  };
}

/** The names or values; of the status, the number of series. */
async function answerOf(origin: string, { path }: Endpoint): Promise<string> {
  const { status, body } = await ask(origin, `/api/v1/${path}`);
  if (status !== 200) throw new Error(`${path} is answered with ${status}: ${body.toString()}`);
  const { data } = JSON.parse(body.toString()) as { data: readonly string[] | { readonly headStats: { readonly numSeries: number } } };
  return "headStats" in data ? String(data.headStats.numSeries) : [...data].sort().join("\n");
}
