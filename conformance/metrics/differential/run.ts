/**
 * Compares our query engine with a current Prometheus: `node conformance/metrics/differential/run.ts [--count 5000] [--seed 1] [--peer prometheus-3]`.
 * Both servers get the data set and the same random queries. Every difference is printed unless `explained.ts` lists it; the exit status is 1 if there is one.
 */
import { parseArgs } from "node:util";
import { membersOf } from "../../harness/shapes.ts";
import { peer, startPeer } from "../../peers/index.ts";
import { ensureData } from "../driver/server-data.ts";
import { QueryClient } from "../driver/server-client.ts";
import type { Step } from "../vocabulary.ts";
import { startReference } from "../embedded/server.ts";
import { difference, haveEqualSamples } from "./compare.ts";
import { EXPLAINED } from "./explained.ts";
import { type Drawn, drawQueries } from "./expressions.ts";
import type { Finding } from "./finding.ts";
import { type AskExpression, oddCountsOf } from "./odd-counts.ts";
import { hasTies } from "./ties.ts";

const AT_ONCE = 8;

type Compared = { readonly asked: number; readonly answered: number; readonly found: readonly Finding[] };

const stepOf = ({ expr, time, range }: Drawn): Step => ({
  do: "ask",
  path: range === undefined ? "query" : "query_range",
  form: true,
  params:
    range === undefined
      ? [
          ["query", expr],
          ["time", String(time)],
        ]
      : [
          ["query", expr],
          ["start", String(time)],
          ["end", String(range.end)],
          ["step", String(range.step)],
        ],
});

const isOrdered = ({ expr, range }: Drawn): boolean => range === undefined && /^sort(?:_by_label)?(?:_desc)?\(/.test(expr);

/** Asks two servers, which have the data set, the same queries. */
async function compareServers(ours: QueryClient, theirs: QueryClient, queries: readonly Drawn[]): Promise<Compared> {
  const found: Finding[] = [];
  let answered = 0;
  const waiting = queries.values();
  const one = async (): Promise<void> => {
    for (const query of waiting) {
      const [own, other] = await Promise.all([ours.ask(stepOf(query)), theirs.ask(stepOf(query))]);
      if (other.status === 200 && !/"result":\[\]/.test(other.text)) answered++;
      const differs = difference(own, other, isOrdered(query));
      if (differs === undefined) continue;
      const asked: AskExpression = async (expr) =>
        membersOf(membersOf((await ours.ask(stepOf({ ...query, expr }))).json)["data"])["result"];
      const [oddCounts, isTied] = [await oddCountsOf(query.expr, asked), await hasTies(query.expr, asked)];
      found.push({ ...query, difference: differs, hasEqualSamples: haveEqualSamples(own, other), oddCounts, hasTies: isTied });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return { asked: queries.length, answered, found };
}

/** Starts our server and a peer, fills both, and compares them. */
async function compareWithPeer(name: string, queries: readonly Drawn[]): Promise<Compared & { readonly version: string }> {
  await using reference = await startReference();
  await using other = await startPeer(peer(name), { protocol: "metrics" });
  const clients = [reference.url, other.url].map((url) => new QueryClient(url, { timeout: 60_000, verify: false }));
  const [ours, theirs] = clients as [QueryClient, QueryClient];
  try {
    for (const client of clients) await ensureData(client);
    return { ...(await compareServers(ours, theirs, queries)), version: other.version };
  } finally {
    for (const client of clients) client.close();
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "5000" },
      seed: { type: "string", default: "1" },
      peer: { type: "string", default: "prometheus-3" },
    },
  });
  const { asked, answered, found, version } = await compareWithPeer(values.peer, drawQueries(Number(values.seed), Number(values.count)));
  const explained = EXPLAINED.map((one) => ({ ...one, count: 0 }));
  const open = found.filter((finding) => {
    const reason = explained.find(({ when }) => when(finding));
    if (reason !== undefined) reason.count++;
    return reason === undefined;
  });
  for (const { expr, time, range, difference: differs } of open)
    console.log(`${expr}\n  ${range === undefined ? `at ${time}` : `from ${time} to ${range.end} step ${range.step}`}\n  ${differs}`);
  for (const { reason, where, count } of explained) if (count > 0) console.log(`explained, ${count} times: ${reason} (${where})`);
  console.log(
    `${asked} queries, seed ${values.seed}, ${values.peer} ${version}: ${answered} with a result, ${found.length - open.length} differences explained, ${open.length} not.`,
  );
  return open.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
