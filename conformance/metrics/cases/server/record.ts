/**
 * Records the expected answers again: `node conformance/metrics/cases/server/record.ts NAME=URL …`. Each server gets the data set and every query. If all servers
 * that support a query agree, that is its answer. If not, the script reports it, and the specification decides: `decided.json` has the words of the query
 * with the reason why the answer of the first server is right. A server without the features of a query does not vote.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { QueryClient, type Answer } from "../../driver/server-client.ts";
import { ensureData, succeeded } from "../../driver/server-data.ts";
import { featuresOf } from "../../driver/server-features.ts";
import { unlike } from "../../driver/server-judge.ts";
import { type Asked, everythingAsked } from "./asked.ts";
import { type Recorded, sightOf } from "./load.ts";
import { stepOf } from "./step.ts";

const FOLDER = join(import.meta.dirname, "answers");

type Metric = { readonly metric: Readonly<Record<string, string>> };
type Data =
  | { readonly resultType: "vector"; readonly result: readonly (Metric & { readonly value: readonly [number, string] })[] }
  | { readonly resultType: "matrix"; readonly result: readonly (Metric & { readonly values: readonly (readonly [number, string])[] })[] }
  | { readonly resultType: "scalar" | "string"; readonly result: readonly [number, string] };

/** A recorded answer; undefined for an error. */
function kept(answer: Answer): Recorded | undefined {
  if (!succeeded(answer)) return undefined;
  const { data } = answer.json as { data: Data };
  switch (data.resultType) {
    case "vector":
      return { vector: data.result.map(({ metric, value }) => [metric, value[1]]) };
    case "matrix":
      return { matrix: data.result.map(({ metric, values }) => [metric, values]) };
    case "scalar":
      return { scalar: data.result[1] };
    case "string":
      return { string: data.result[1] };
  }
}

async function record(servers: readonly (readonly [name: string, url: string])[]): Promise<void> {
  const all = everythingAsked();
  const parties = await Promise.all(
    servers.map(async ([name, url]) => {
      const client = new QueryClient(url, { timeout: 30_000, verify: false });
      await ensureData(client);
      return { name, client, features: await featuresOf(client) };
    }),
  );
  const decided = JSON.parse(readFileSync(join(FOLDER, "decided.json"), "utf8")) as Record<string, string>;
  const files = new Map<string, Record<string, Recorded>>();
  const ofOne = async (asked: Asked): Promise<void> => {
    const heard = await Promise.all(
      parties
        .filter(({ features }) => asked.needs.every((need) => features.get(need)?.has === true))
        .map(async ({ name, client }) => ({ name, answer: await client.ask(stepOf(asked)) })),
    );
    const [first] = heard;
    const own = first === undefined ? undefined : kept(first.answer);
    const chosen = own;
    const against = heard.filter(({ answer }) => chosen === undefined || unlike(sightOf(asked, chosen), answer) !== undefined);
    if (decided[asked.words] !== undefined && against.length === 0) console.log(`${asked.words} is decided, and all agree`);
    if (chosen === undefined || (decided[asked.words] === undefined && against.length > 0)) {
      console.log(
        JSON.stringify({
          words: asked.words,
          expr: asked.expr,
          at: asked.at,
          range: asked.range,
          heard: heard.map(({ name, answer }) => [name, answer.text.slice(0, 600)]),
        }),
      );
      return;
    }
    const file = files.get(asked.file) ?? {};
    files.set(asked.file, file);
    file[asked.words] = chosen;
  };
  for (const asked of all) await ofOne(asked);
  const order = new Map(all.map(({ words }, at) => [words, at]));
  for (const [name, answers] of files) {
    const lines = Object.entries(answers)
      .sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
      .map(([words, answer]) => `  ${JSON.stringify(words)}: ${JSON.stringify(answer)}`);
    writeFileSync(join(FOLDER, `${name}.json`), `{\n${lines.join(",\n")}\n}\n`);
  }
  for (const { client } of parties) client.close();
}

if (import.meta.main) {
  await record(
    process.argv.slice(2).map((word): [string, string] => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]),
  );
}
