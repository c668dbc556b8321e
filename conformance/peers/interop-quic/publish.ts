import { writeFileSync } from "node:fs";
import { installed, run, type Outcome } from "./run.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios.ts";
import { STACKS, type Stack } from "./stacks.ts";

/**
 * Runs every scenario between every two stacks and writes `reports/published/http3-interop.md` and `.json`:
 * `node conformance/peers/interop-quic/publish.ts`. With names of scenarios or stacks it runs those alone and prints their outcomes.
 */

const FOLDER = new URL("../../../reports/published/", import.meta.url);
const SEED = 20;

const only = process.argv.slice(2);
const isAsked = (name: string, all: readonly { readonly name: string }[]): boolean =>
  !only.some((one) => all.some((two) => two.name === one)) || only.includes(name);
const scenarios = SCENARIOS.filter(({ name }) => isAsked(name, SCENARIOS));
const versions = await installed(STACKS);
const stacks = [...versions.keys()];
const clients = stacks.filter(({ client, name }) => client !== undefined && isAsked(name, STACKS));
const servers = stacks.filter(({ server, name }) => server !== undefined && isAsked(name, STACKS));

type Row = { readonly client: string; readonly server: string; readonly scenario: ScenarioName } & Outcome;
const rows: Row[] = [];
const runs = clients.flatMap((client) => servers.flatMap((server) => scenarios.map((scenario) => ({ client, server, scenario }))));
/** Paths are slow, and processors idle meanwhile. */
const AT_ONCE = 3;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = runs.shift(); next !== undefined; next = runs.shift()) {
      const { client, server, scenario } = next;
      const outcome = await run(client, server, scenario, SEED);
      rows.push({ client: client.name, server: server.name, scenario: scenario.name, ...outcome });
      const said = outcome.is === "passed" ? `${outcome.seconds.toFixed(1)} s` : `${outcome.is}, ${outcome.why}`;
      console.error(`${client.name} → ${server.name}, ${scenario.name}: ${said}`);
    }
  }),
);
if (only.length > 0) process.exit(rows.some(({ is }) => is === "failed") ? 1 : 0);

const cell = (client: Stack, server: Stack, scenario: ScenarioName): string => {
  const row = rows.find((one) => one.client === client.name && one.server === server.name && one.scenario === scenario)!;
  if (row.is === "failed") return "✗";
  if (row.is === "not offered") return "–";
  return scenario === "goodput" ? `${(row.kbps / 1_000).toFixed(2)} Mbit/s` : "✓";
};
const table = (client: Stack): string =>
  [
    `| ${client.name} as client, and the server of | ${servers.map(({ name }) => name).join(" | ")} |`,
    `| --- | ${servers.map(() => "---").join(" | ")} |`,
    ...scenarios.map(({ name }) => `| ${name} | ${servers.map((server) => cell(client, server, name)).join(" | ")} |`),
  ].join("\n");
const failures = rows.flatMap((row) =>
  row.is === "failed" ? [`- ${row.client} → ${row.server}, ${row.scenario}: ${row.why.replaceAll(/[|\n]+/g, " ")}`] : [],
);
const reasons = [...new Set(rows.flatMap((row) => (row.is === "not offered" ? [`- ${row.scenario}: ${row.why}`] : [])))].toSorted();
const absent = STACKS.filter((stack) => !versions.has(stack)).map(({ name, install }) => `- ${name}: ${install}`);

writeFileSync(
  new URL("http3-interop.json", FOLDER),
  `${JSON.stringify({ versions: Object.fromEntries([...versions].map(([{ name }, version]) => [name, version])), rows }, null, 1)}\n`,
);
writeFileSync(
  new URL("http3-interop.md", FOLDER),
  `# HTTP/3 and QUIC: every client with every server

The scenarios of the QUIC community's interoperability tests, on loopback, with a relay of our own between client and server instead of containers and a network simulator.
The path has that project's values: 15 ms each way, 10 Mbit/s, a queue of 25 datagrams. All files come over HTTP/3, where that project uses HTTP/0.9 for most scenarios.
✓ all files came, and the relay has seen what the scenario is about; ✗ failed, with the reason below; – cannot be asked of one of the two.
\`node conformance/peers/interop-quic/publish.ts\` writes this page, and \`http3-interop.json\` with the times.

${[...versions].map(([{ name }, version]) => `${name} ${version}`).join(" · ")}

| scenario | what it shows |
| --- | --- |
${scenarios.map(({ name, title }) => `| ${name} | ${title} |`).join("\n")}

${clients.map(table).join("\n\n")}

## Failed

${failures.length === 0 ? "Nothing." : failures.join("\n")}

## Not offered

${[...reasons, ...absent].join("\n")}

What the relay cannot see it does not prove: key updates are under header protection, so that scenario shows that the transfer survives the update which the client was told to begin. One run a cell, with fixed seeds for what is lost and damaged; the machine was shared.
`,
);
