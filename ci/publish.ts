/**
 * Judges every third-party implementation that is installed here, and writes the matrices of `reports/published/`.
 * Run it with `node ci/publish.ts [server|client] [name …]`; look at each new failure by hand before committing what it wrote.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release } from "node:os";
import { join } from "node:path";
import { run, type Result } from "../conformance/index.ts";
import { allPeers, clientCommand, startPeer, versionOf, type Peer } from "../conformance/peers/index.ts";
import { compare, comparisonHtml, comparisonMarkdown } from "../reports/index.ts";

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "reports", "published");
const roles = ["server", "client"] as const;
type PeerRole = (typeof roles)[number];

async function server(p: Peer, tls: boolean): Promise<Result> {
  await using running = await startPeer(p, { tls });
  return named(
    await run({ suite: "http2", subject: running.url, name: p.name }),
    p,
    running.version,
    `touchstone check http2 ${tls ? "https" : "http"}://127.0.0.1:PORT/`,
  );
}

async function client(p: Peer): Promise<Result> {
  const command = await clientCommand(p);
  const tls = p.http2?.client?.tls === true;
  const result = await run({ suite: "http2", subject: { client: command }, name: p.name, tls });
  return named(
    result,
    p,
    (await versionOf(p)) ?? "",
    `touchstone check http2 --client '${p.http2?.client?.command ?? ""}'${tls ? " --tls" : ""}`,
  );
}

/** A result under the peer's name and version, with the command that anybody can type in place of this machine's paths and ports. */
const named = (result: Result, p: Peer, version: string, target: string): Result => ({
  ...result,
  subject: { ...result.subject, name: p.name, version, target },
});

const [role, ...names] = process.argv.slice(2);
const wanted = roles.filter((each) => role === undefined || role === each);
const chosen = (p: Peer): boolean => names.length === 0 || names.includes(p.name);

mkdirSync(OUT, { recursive: true });
for (const each of wanted) {
  const results: Result[] = [];
  for (const p of allPeers().filter((candidate) => candidate.http2?.[each] !== undefined && chosen(candidate))) {
    if ((await versionOf(p)) === undefined) {
      console.log(`${p.name} is not here (${p.install}): left out.`);
      continue;
    }
    const result = each === "server" ? await server(p, false) : await client(p);
    const { pass, warn, fail, skip, error } = result.summary;
    console.log(`${p.name} ${result.subject.version}: ${pass} pass, ${warn} warn, ${fail} fail, ${skip} skip, ${error} error`);
    results.push(result);
  }
  write(each, results);
}

function write(each: PeerRole, results: readonly Result[]): void {
  const name = `http2-${each}s`;
  const comparison = compare(results);
  const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Linux ${release().split("-")[0] ?? ""}, Node ${process.version}`;
  const lines = results.map(({ subject }) => `| ${subject.name} | ${subject.version ?? ""} | \`${subject.target}\` |`);
  const head = `# HTTP/2 ${each}s, judged\n\n${new Date().toISOString().slice(0, 10)}, on ${machine}.\n\n| implementation | version | command |\n| --- | --- | --- |\n${lines.join("\n")}\n\n`;
  writeFileSync(join(OUT, `${name}.md`), `${head}${comparisonMarkdown(comparison)}`);
  writeFileSync(join(OUT, `${name}.html`), comparisonHtml(comparison));
  // Verdicts with what was seen, without transcripts: those are a run away.
  const compact = results.map((result) => ({
    ...result,
    coverage: [],
    cases: result.cases.map(({ id, spec, level, role, title, verdict, reason, expected, observed, covers, ms }) => {
      const wrong = verdict === "fail" || verdict === "warn" || verdict === "error";
      return {
        id,
        spec,
        level,
        role,
        title,
        verdict,
        reason,
        expected: wrong ? expected : [],
        observed: wrong ? observed : "",
        covers,
        ms,
        transcript: [],
      };
    }),
  }));
  writeFileSync(join(OUT, `${name}.json`), `${JSON.stringify(compact)}\n`);
}
