/**
 * Judges the installed third-party implementations, and writes the matrices of `reports/published/`.
 * `node ci/publish.ts [matrix [name …]] [--pages]`: all of them, or one (`http2-servers-tls`), or some of its columns; the others stay as they are. A column
 * is a file, `http2-servers/nginx.json.gz`; the page and the summary are written from all columns of a matrix. Compare each new fail that it prints
 * with the specification, by hand, before you commit the result. `--pages` instead of names judges nobody: it writes the pages and summaries again
 * from the columns, after a change of `reports/page/`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release } from "node:os";
import { join } from "node:path";
import { run, type Result, type SuiteName } from "../conformance/index.ts";
import { allPeers, clientCommand, peer, serverCommand, startPeer, versionOf, type Peer } from "../conformance/peers/index.ts";
import { compare, comparisonHtml, comparisonMarkdown, mergeColumns, newFails, readColumns, writeColumns } from "../reports/index.ts";

/** The WebSocket server behind each proxy. */
const BEHIND = "ws";
/** Existing peers know these names. */
const EXISTING: Settings = { dialect: "grpc" };
const OUT = join(import.meta.dirname, "..", "reports", "published");

/** The values of the suite's own flags. */
type Settings = Readonly<Record<string, string>>;
type Matrix = Judge & {
  readonly title: string;
  /** Of the same subjects: a fail that this one shows already is not new. */
  readonly kin?: string;
};
type Judge = {
  readonly has: (p: Peer) => boolean;
  readonly judge: (p: Peer) => Promise<Result>;
  /** What its column is called: the peer's name by default. */
  readonly nameOf?: (p: Peer) => string;
};
/** Every matrix, by the name of its files. */
const MATRICES: Readonly<Record<string, Matrix>> = {
  "http1-servers": { title: "HTTP/1.1 servers, judged", ...servers("http1", "clear") },
  "http1-clients": { title: "HTTP/1.1 clients, judged", ...clients("http1") },
  "http1-proxies": { title: "HTTP/1.1 reverse proxies, judged", ...proxies("http1") },
  "http2-servers": { title: "HTTP/2 servers, judged", ...servers("http2", "clear") },
  "http2-servers-tls": { title: "HTTP/2 servers over TLS, judged", kin: "http2-servers", ...servers("http2", "tls") },
  "http3-servers": { title: "HTTP/3 servers, judged", ...servers("http3", "tls") },
  "http3-clients": { title: "HTTP/3 clients, judged", ...clients("http3") },
  "websocket-servers": { title: "WebSocket servers, judged", ...websockets() },
  "websocket-clients": { title: "WebSocket clients, judged", ...clients("websocket") },
  "metrics-servers": { title: "Metrics servers, judged", ...servers("metrics", "clear") },
  "metrics-targets": { title: "Pages of targets of metrics, judged", ...servers("metrics-target", "clear") },
  "alert-routers": { title: "Alert routers, judged", ...startedServers("alerts") },
  "alert-senders": { title: "Senders of alerts, judged", ...clients("alerts") },
  "scrape-clients": { title: "Scrapers of metrics, judged", ...clients("scrape") },
  "metrics-servers-themselves": { title: "Metrics servers: federation, reload, status, judged", ...clients("metrics-server") },
  "rules-servers": { title: "Rules and alerts of metrics servers, judged", ...clients("rules") },
  "http2-clients": { title: "HTTP/2 clients, judged", ...clients("http2") },
  "rpc-servers": { title: "Servers of RPC, judged", ...servers("rpc", "clear", EXISTING) },
  "rpc-servers-connect": { title: "Servers of RPC in the dialect connect, judged", ...servers("rpc", "clear", { dialect: "connect" }) },
  "rpc-servers-grpc-web": { title: "Servers of RPC in the dialect grpc-web, judged", ...servers("rpc", "clear", { dialect: "grpc-web" }) },
  "rpc-clients": { title: "Clients of RPC, judged", ...clients("rpc", EXISTING) },
  "rpc-clients-connect": { title: "Clients of RPC in the dialect connect, judged", ...clients("rpc", { dialect: "connect" }) },
  "rpc-clients-grpc-web": { title: "Clients of RPC in the dialect grpc-web, judged", ...clients("rpc", { dialect: "grpc-web" }) },
  "rpc-proxies": { title: "Reverse proxies of RPC, judged", ...proxies("rpc", EXISTING) },
};

const flagsOf = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => ` --${name} ${value}`)
    .join("");

const speaksDialect = ({ dialects }: { readonly dialects?: readonly string[] }, { dialect }: Settings): boolean =>
  dialect === undefined || dialects?.includes(dialect) === true;

function servers(suite: SuiteName, transport: "clear" | "tls", settings: Settings = {}): Judge {
  return {
    has: ({ speaks }) => {
      const spec = speaks[suite]?.server;
      return spec?.[transport] !== undefined && speaksDialect(spec, settings);
    },
    judge: async (p) => {
      await using running = await startPeer(p, { tls: transport === "tls", protocol: suite });
      const result = await run({ suite, subject: running.url, pid: running.pid, name: p.name, settings });
      const url = `${transport === "tls" ? "https" : "http"}://127.0.0.1:PORT/`;
      return named(result, p, running.version, `touchstone check ${suite} ${url}${flagsOf(settings)}`);
    },
  };
}

/** WebSocket servers, and reverse proxies in front of one of them, which are judged together as a client meets them. */
function websockets(): Judge {
  const plain = servers("websocket", "clear");
  const isProxy = (p: Peer): boolean => p.speaks["websocket"]?.proxy?.clear !== undefined;
  return {
    has: (p) => plain.has(p) || isProxy(p),
    nameOf: (p) => (isProxy(p) ? `${p.name} before ${BEHIND}` : p.name),
    judge: async (p) => {
      if (!isProxy(p)) return plain.judge(p);
      await using origin = await startPeer(peer(BEHIND), { protocol: "websocket" });
      await using running = await startPeer(p, { protocol: "websocket", origin: `127.0.0.1:${origin.port}` });
      const name = `${p.name} before ${BEHIND}`;
      const result = await run({ suite: "websocket", subject: running.url, pid: running.pid, name });
      return named(result, { ...p, name }, `${running.version}, ${origin.version}`, "touchstone check websocket http://127.0.0.1:PORT/");
    },
  };
}

function clients(suite: SuiteName, settings: Settings = {}): Judge {
  return {
    has: ({ speaks }) => {
      const spec = speaks[suite]?.client;
      return spec !== undefined && speaksDialect(spec, settings);
    },
    judge: async (p) => {
      const { command = "", tls = false } = p.speaks[suite]?.client ?? {};
      const result = await run({ suite, subject: { client: await clientCommand(p, suite) }, name: p.name, tls, settings });
      const flags = `${tls ? " --tls" : ""}${flagsOf(settings)}`;
      return named(result, p, (await versionOf(p)) ?? "", `touchstone check ${suite} --client '${command}'${flags}`);
    },
  };
}

/** Servers that the suite starts with a configuration of its own. */
function startedServers(suite: SuiteName): Judge {
  return {
    has: (p) => p.speaks[suite]?.server?.command !== undefined,
    judge: async (p) => {
      const result = await run({ suite, subject: { url: await serverCommand(p, suite) }, name: p.name });
      return named(result, p, (await versionOf(p)) ?? "", `touchstone check ${suite} --server '${p.speaks[suite]?.server?.command}'`);
    },
  };
}

function proxies(suite: SuiteName, settings: Settings = {}): Judge {
  return {
    has: (p) => p.speaks[suite]?.proxy?.clear !== undefined,
    judge: async (p) => {
      const result = await run({ suite, subject: { proxy: p.name }, name: p.name, settings });
      return named(result, p, (await versionOf(p)) ?? "", `touchstone check ${suite} --proxy ${p.name}${flagsOf(settings)}`);
    },
  };
}

/** A result under the peer's name and version. Its command has placeholders for the paths and ports of this machine. */
const named = (result: Result, p: Peer, version: string, target: string): Result => ({
  ...result,
  subject: { ...result.subject, name: p.name, version, target },
});

const published = (name: string): Result[] => readColumns(join(OUT, name));

/** Judges the chosen columns of a matrix. Each one is on disk before the next begins, so that an interrupted run loses one at most. */
async function publish(matrix: string, how: Matrix, names: readonly string[]): Promise<void> {
  const chosen = allPeers().filter((one) => how.has(one) && (names.length === 0 || names.includes(one.name)));
  for (const [at, p] of chosen.entries()) {
    if ((await versionOf(p)) === undefined) {
      console.log(`${p.name} is not here (${p.install}): its column stays as it is.`);
      continue;
    }
    console.log(`${matrix} ${at + 1}/${chosen.length}: ${p.name} …`);
    const started = performance.now();
    const result = await how.judge(p);
    const { pass, warn, fail, unproved, skip, error } = result.summary;
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(
      `  ${result.subject.version}: ${pass} pass, ${warn} warn, ${fail} fail, ${unproved} unproved, ${skip} skip, ${error} error in ${seconds} s`,
    );
    addColumn(matrix, how, result);
  }
}

function addColumn(matrix: string, { title, kin, nameOf = ({ name }) => name }: Matrix, result: Result): void {
  const before = published(matrix);
  const read = kin === undefined ? before : [...before, ...published(kin)];
  for (const { name, c } of newFails(read, [result]))
    console.log(`  new ${c.verdict} of ${name}: ${c.id}: ${c.reason} Seen: ${c.observed}`);
  const changed = write(matrix, title, mergeColumns(before, [result], allPeers().map(nameOf)), stamp());
  console.log(`  wrote ${changed.join(", ")}`);
}

/** The pages again, from the columns. */
function again(matrix: string, { title, nameOf = ({ name }) => name }: Matrix): void {
  const columns = published(matrix);
  if (columns.length === 0) return;
  const [, kept = stamp()] = /^# .*\n\n(.*)\n/.exec(existsSync(summary(matrix)) ? readFileSync(summary(matrix), "utf8") : "") ?? [];
  console.log(`wrote ${write(matrix, title, mergeColumns(columns, [], allPeers().map(nameOf)), kept).join(", ")}`);
}

const summary = (matrix: string): string => join(OUT, `${matrix}.md`);

/** When and where a matrix was judged. */
function stamp(): string {
  const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Linux ${release().split("-")[0] ?? ""}, Node ${process.version}`;
  return `Last changed ${new Date().toISOString().slice(0, 10)}, on ${machine}. The second table has the date of each column.`;
}

/** Writes the columns that changed, the page and the summary. The names of the files. */
function write(name: string, title: string, results: readonly Result[], when: string): string[] {
  const comparison = compare(results);
  const lines = results.map(({ subject }) => `| ${subject.name} | ${subject.version ?? ""} | \`${subject.target}\` |`);
  const what = allPeers().flatMap((p) => (results.some(({ subject }) => subject.name === p.name) ? [`- ${p.name}: ${p.about}`] : []));
  const table = `| implementation | version | command |\n| --- | --- | --- |\n${lines.join("\n")}`;
  const head = `# ${title}\n\n${when}\n\n${table}\n\n${what.join("\n")}\n\n`;
  mkdirSync(OUT, { recursive: true });
  writeFileSync(summary(name), `${head}${comparisonMarkdown(comparison)}`);
  writeFileSync(join(OUT, `${name}.html`), comparisonHtml(comparison));
  return [`${name}.html`, `${name}.md`, ...writeColumns(join(OUT, name), results).map((file) => `${name}/${file}`)];
}

/** The mistake in the command line, if any. */
function mistake(matrix: string | undefined, names: readonly string[]): string | undefined {
  const chosen = matrix === undefined ? undefined : MATRICES[matrix];
  if (matrix !== undefined && chosen === undefined) return `There is no matrix "${matrix}". Known: ${Object.keys(MATRICES).join(", ")}.`;
  const stranger = names.find((name) => !allPeers().some((p) => p.name === name && chosen?.has(p) === true));
  return stranger === undefined ? undefined : `"${stranger}" is not in the matrix ${matrix}.`;
}

const pagesOnly = process.argv.includes("--pages");
const [wanted, ...names] = process.argv.slice(2).filter((word) => word !== "--pages");
const wrong = mistake(wanted, names) ?? (pagesOnly && names.length > 0 ? "A page has all columns: --pages takes no names." : undefined);
if (wrong === undefined) {
  for (const [matrix, how] of Object.entries(MATRICES)) {
    if (wanted !== undefined && wanted !== matrix) continue;
    if (pagesOnly) again(matrix, how);
    else await publish(matrix, how, names);
  }
} else {
  console.error(wrong);
  process.exitCode = 2;
}
