/**
 * Judges the installed third-party implementations, and writes the matrices of `reports/published/`.
 * `node ci/publish.ts [matrix [name …]] [--pages]`: all of them, or one (`http2-servers-tls`), or some of its columns; the others stay as they are. A column
 * is a file, `http2-servers/nginx.json.gz`; the page and the summary are written from all columns of a matrix. Compare each new fail that it prints
 * with the specification, by hand, before you commit the result. `--pages` instead of names judges nobody: it writes the pages and summaries again
 * from the columns, after a change of `reports/page/`. `--shard 2/4` judges the second of four parts of the columns and writes nothing else: copy the columns
 * of all parts together, then `--pages`. `--site` alone writes the site again, `reports/published/site/`, which every other run does at its end.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release } from "node:os";
import { join } from "node:path";
import type { Result } from "../conformance/index.ts";
import { allPeers, versionOf } from "../conformance/peers/index.ts";
import {
  compare,
  comparisonHtml,
  comparisonMarkdown,
  mergeColumns,
  newFails,
  readColumns,
  siteFiles,
  writeColumns,
  writeSite,
} from "../reports/index.ts";
import { readShard, shardOfJob } from "../conformance/harness/shard.ts";
import { columnsOf } from "./publish/columns.ts";
import { MATRICES, type Matrix } from "./publish/matrices.ts";
import { PROTOCOLS } from "./publish/protocols.ts";
import { siteInput } from "./publish/site.ts";

const OUT = join(import.meta.dirname, "..", "reports", "published");

const published = (name: string): Result[] => readColumns(join(OUT, name));

/** Judges the chosen columns of a matrix. Each one is on disk before the next begins, so that an interrupted run loses one at most. */
async function publish(matrix: string, how: Matrix, names: readonly string[]): Promise<void> {
  const chosen = columnsOf(matrix, how, { names, ...(shard === undefined ? {} : { shard }) });
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
  if (shard !== undefined) {
    console.log(`  wrote ${writeColumns(join(OUT, matrix), mergeColumns(before, [result], allPeers().map(nameOf))).join(", ")}`);
    return;
  }
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
  const site = `site/protocols/${PROTOCOLS.find(({ matrices }) => matrices.includes(name))?.id}.html`;
  const head = `# ${title}\n\n${when}\n\n[On the site](${site}), by implementation and requirement.\n\n${table}\n\n${what.join("\n")}\n\n`;
  mkdirSync(OUT, { recursive: true });
  writeFileSync(summary(name), `${head}${comparisonMarkdown(comparison)}`);
  writeFileSync(join(OUT, `${name}.html`), comparisonHtml(comparison, { site }));
  return [`${name}.html`, `${name}.md`, ...writeColumns(join(OUT, name), results).map((file) => `${name}/${file}`)];
}

/** The mistake in the command line, if any. */
function mistake(matrix: string | undefined, names: readonly string[]): string | undefined {
  const chosen = matrix === undefined ? undefined : MATRICES[matrix];
  if (matrix !== undefined && chosen === undefined) return `There is no matrix "${matrix}". Known: ${Object.keys(MATRICES).join(", ")}.`;
  const stranger = names.find((name) => !allPeers().some((p) => p.name === name && chosen?.has(p) === true));
  return stranger === undefined ? undefined : `"${stranger}" is not in the matrix ${matrix}.`;
}

/** Writes the public site from all columns and findings. */
function publishSite(): void {
  const files = siteFiles(siteInput(OUT));
  writeSite(join(OUT, "site"), files);
  console.log(`wrote site/: ${files.size} files`);
}

const FLAGS = ["--pages", "--shard", "--site"];
const unknownFlag = process.argv.slice(2).find((word) => word.startsWith("--") && !FLAGS.includes(word));
const siteOnly = process.argv.includes("--site");
const pagesOnly = process.argv.includes("--pages");
const part = process.argv.indexOf("--shard");
const shard = part < 0 ? shardOfJob() : readShard(process.argv[part + 1] ?? "");
const [wanted, ...names] = process.argv.slice(2).filter((word, at) => !word.startsWith("--") && (part < 0 || at + 2 !== part + 1));
const wrong =
  (unknownFlag === undefined
    ? undefined
    : `"${unknownFlag}" is unknown. The flags are ${FLAGS.join(", ")}: see the head of ci/publish.ts.`) ??
  mistake(wanted, names) ??
  (pagesOnly && names.length > 0 ? "A page has all columns: --pages takes no names." : undefined);
if (wrong === undefined) {
  for (const [matrix, how] of Object.entries(MATRICES)) {
    if (siteOnly || (wanted !== undefined && wanted !== matrix)) continue;
    if (pagesOnly) again(matrix, how);
    else await publish(matrix, how, names);
  }
  if (shard === undefined) publishSite();
} else {
  console.error(wrong);
  process.exitCode = 2;
}
