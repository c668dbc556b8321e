import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { installed, run, type Outcome } from "./run.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios.ts";
import { STACKS, type Stack } from "./stacks.ts";

/**
 * Runs every scenario between every two stacks and writes `reports/published/http3-interop.md` and `.json`:
 * `node conformance/peers/interop-quic/publish.ts`. With names of scenarios or stacks it runs those alone, and the page keeps the other outcomes.
 */

const FOLDER = new URL("../../../reports/published/", import.meta.url);
const SAVED = new URL("http3-interop.json", FOLDER);
/** Chooses what is lost and damaged. */
const SEED = 20;
/** Paths are slow, and processors idle meanwhile; but what is measured runs alone. */
const AT_ONCE = 3;

const only = process.argv.slice(2);
const isAsked = (name: string, all: readonly { readonly name: string }[]): boolean =>
  !only.some((one) => all.some((two) => two.name === one)) || only.includes(name);
const versions = await installed(STACKS);
const clients = [...versions.keys()].filter(({ client }) => client !== undefined);
const servers = [...versions.keys()].filter(({ server }) => server !== undefined);

type Row = { readonly client: string; readonly server: string; readonly scenario: ScenarioName } & Outcome;
const keyOf = (client: string, server: string, scenario: string): string => `${client} ${server} ${scenario}`;
const saved =
  only.length > 0 && existsSync(SAVED) ? (JSON.parse(readFileSync(SAVED, "utf8")) as { readonly rows: readonly Row[] }) : { rows: [] };
const byKey = new Map(saved.rows.map((row) => [keyOf(row.client, row.server, row.scenario), row]));

const runs = clients
  .filter(({ name }) => isAsked(name, STACKS))
  .flatMap((client) =>
    servers
      .filter(({ name }) => isAsked(name, STACKS))
      .flatMap((server) => SCENARIOS.filter(({ name }) => isAsked(name, SCENARIOS)).map((scenario) => ({ client, server, scenario }))),
  );
type Planned = (typeof runs)[number];
async function work(these: Planned[]): Promise<void> {
  for (let next = these.shift(); next !== undefined; next = these.shift()) {
    const { client, server, scenario } = next;
    const outcome = await run(client, server, scenario, SEED);
    byKey.set(keyOf(client.name, server.name, scenario.name), {
      client: client.name,
      server: server.name,
      scenario: scenario.name,
      ...outcome,
    });
    const said = outcome.is === "passed" ? `${outcome.seconds.toFixed(1)} s` : `${outcome.is}, ${outcome.why}`;
    console.error(`${client.name} → ${server.name}, ${scenario.name}: ${said}`);
  }
}
const isMeasured = ({ scenario }: Planned): boolean => scenario.name === "goodput";
const together = runs.filter((one) => !isMeasured(one));
await Promise.all(Array.from({ length: AT_ONCE }, () => work(together)));
await work(runs.filter(isMeasured));

const order = (one: Row): number => SCENARIOS.findIndex(({ name }) => name === one.scenario);
const rows = [...byKey.values()].sort((a, b) => `${a.client} ${a.server}`.localeCompare(`${b.client} ${b.server}`) || order(a) - order(b));

function cell(client: Stack, server: Stack, scenario: ScenarioName): string {
  const row = byKey.get(keyOf(client.name, server.name, scenario));
  if (row === undefined) return "";
  if (row.is === "failed") return "✗";
  if (row.is === "not offered") return "–";
  return scenario === "goodput" ? `${(row.kbps / 1_000).toFixed(2)} Mbit/s` : "✓";
}
const table = (client: Stack): string =>
  [
    `| ${client.name} as client, and the server of | ${servers.map(({ name }) => name).join(" | ")} |`,
    `| --- | ${servers.map(() => "---").join(" | ")} |`,
    ...SCENARIOS.map(({ name }) => `| ${name} | ${servers.map((server) => cell(client, server, name)).join(" | ")} |`),
  ].join("\n");
const failures = rows.flatMap((row) =>
  row.is === "failed" ? [`- ${row.client} → ${row.server}, ${row.scenario}: ${row.why.replaceAll(/[|\n]+/g, " ")}`] : [],
);
const reasons = [...new Set(rows.flatMap((row) => (row.is === "not offered" ? [`- ${row.scenario}: ${row.why}`] : [])))].toSorted();
const absent = STACKS.filter((stack) => !versions.has(stack)).map(({ name, install }) => `- ${name} is not installed: ${install}`);

const named = Object.fromEntries([...versions].map(([{ name }, version]) => [name, version]));
writeFileSync(SAVED, `${JSON.stringify({ versions: named, rows }, null, 1)}\n`);
writeFileSync(
  new URL("http3-interop.md", FOLDER),
  `# HTTP/3 and QUIC: every client with every server

The scenarios of the QUIC community's interoperability tests, on loopback, with a relay of our own between client and server instead of containers and a network simulator.
The path has that project's values: 15 ms each way, 10 Mbit/s, a queue of 25 datagrams. All files come over HTTP/3, where that project uses HTTP/0.9 for most scenarios.
✓ all files came, and the relay has seen what the scenario is about; ✗ failed, with the reason below; – cannot be asked of one of the two.
\`node conformance/peers/interop-quic/publish.ts\` writes this page, and \`http3-interop.json\` with the times.

${Object.entries(named)
  .map(([name, version]) => `${name} ${version}`)
  .join(" · ")}

| scenario | what it shows |
| --- | --- |
${SCENARIOS.map(({ name, title }) => `| ${name} | ${title} |`).join("\n")}

${clients.map(table).join("\n\n")}

## Failed

${failures.length === 0 ? "Nothing." : failures.join("\n")}

## Not offered

${[...reasons, ...absent].join("\n")}

## How far it goes

- The relay cannot see key updates, which are under header protection: that scenario shows that the transfer survives the update which the client was told to begin.
- One run a cell, with fixed seeds for what is lost and damaged. A handshake that fails at 30% loss once in ten may succeed with another seed.
- The relay is a program on the same two processors as client and server. When it waits for them, datagrams come in bursts and overflow the queue: goodput is a lower bound, and differences of a factor of two mean little.
- Not run: versionnegotiation (disabled by that project too), connectionmigration (preferred addresses), ecn (\`node:dgram\` has no ECN), ipv6, crosstraffic.
`,
);
