import type { Command } from "commander";
import type { Result } from "../conformance/harness/result.ts";
import type { Written } from "./files.ts";
import { DamagedFile } from "./damaged.ts";
import { type Connection, connectionWords } from "./qlog/connection.ts";

type ReportOptions = {
  readonly html?: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly tap?: string;
  readonly sarif?: string;
  readonly pcap?: string;
  readonly json?: string;
  readonly github?: true;
};
type CompareOptions = { readonly html?: string; readonly markdown?: string; readonly json?: true; readonly all?: true };

/** Exit status for a damaged file and for a path that cannot be written. */
const WRONG = 2;

/** `touchstone report`: reports again, from saved results. */
export function reportCommand(command: Command): void {
  command
    .argument(
      "<result...>",
      'files that "touchstone check … --json" or "touchstone bench … --save" wrote, or logs of QUIC connections (qlog); several share one report, and they may be in gzip',
    )
    .option("--html <file>", "one self-contained page: failures first, coverage by section, every case with its transcript, charts")
    .option("--junit <file>", "JUnit XML")
    .option("--markdown <file>", "a summary for a job page")
    .option("--tap <file>", "the Test Anything Protocol, version 14")
    .option("--sarif <file>", "SARIF 2.1.0, for code scanning")
    .option("--pcap <file>", "the transcripts of cases that did not pass, as a capture for packet analysers (pcapng)")
    .option("--json <file>", "the results as one JSON file")
    .option("--github", "print annotations for GitHub Actions")
    .addHelpText(
      "after",
      `
Examples:
  touchstone check http2 http://127.0.0.1:8080 --json > result.json
  touchstone report result.json
  touchstone report result.json --html report.html --junit junit.xml
  touchstone report server.json client.json bench.json --html report.html
  touchstone report connection.sqlog --html connection.html
  touchstone report result.json --github --markdown "$GITHUB_STEP_SUMMARY"

Exit status: 0 written, 2 a file is damaged or cannot be written.`,
    )
    .action((files: string[], options: ReportOptions) =>
      guarded(async () => {
        const { readReport } = await import("./validate.ts");
        const read = files.map(readReport);
        const results = read.flatMap((one) => one.results);
        const [benches, connections] = [read.flatMap((one) => one.benches), read.flatMap((one) => one.connections)];
        const { github, ...paths } = options;
        if (results.length === 0 && (github === true || Object.keys(paths).some((format) => format !== "html")))
          throw new DamagedFile(`${files.join(", ")}: without results of a check there is only a page to write: use --html.`);
        if (github !== true && Object.keys(paths).length === 0) {
          await printed(results, connections, files);
          return;
        }
        const { writeReports } = await import("./write.ts");
        tell(await writeReports(results, { ...paths, github }, { benches, connections }));
      }),
    );
}

async function printed(results: readonly Result[], connections: readonly Connection[], files: readonly string[]): Promise<void> {
  for (const connection of connections) process.stdout.write(`${connectionWords(connection)}\n`);
  if (results.length === 0 && connections.length > 0) return;
  if (results.length === 0) throw new DamagedFile(`${files.join(", ")}: contains only benchmarks: use --html to write a page.`);
  const { toText } = await import("./terminal.ts");
  process.stdout.write(toText(results));
}

/** `touchstone compare`: cases by implementations. */
export function compareCommand(command: Command): void {
  command
    .argument("<result...>", 'files that "touchstone check … --json" wrote, one for each implementation; they may be in gzip')
    .option("--html <file>", "the matrix as one self-contained page")
    .option("--markdown <file>", "the matrix in Markdown")
    .option("--json", "print the matrix as JSON and nothing else")
    .option("--all", "in the terminal, also list the cases on which they agree")
    .addHelpText(
      "after",
      `
Examples:
  touchstone compare nginx.json nghttpd.json node.json
  touchstone compare *.json --html matrix.html --markdown matrix.md
  touchstone compare mine.json reports/published/http2-servers/*.json.gz
  touchstone compare before.json after.json --json | jq '.matrices[].rows[] | select(.disagree) | .id'

Exit status: 0 compared, 2 a file is damaged or cannot be written.`,
    )
    .action((files: string[], options: CompareOptions) =>
      guarded(async () => {
        const { readResults } = await import("./validate.ts");
        const { compare, comparisonMarkdown, comparisonTerminal } = await import("./compare/index.ts");
        const comparison = compare(files.flatMap(readResults));
        const { writeSafely } = await import("./files.ts");
        const written: Written[] = [];
        if (options.html !== undefined) {
          const { comparisonHtml } = await import("./html.ts");
          written.push(await writeSafely(options.html, comparisonHtml(comparison)));
        }
        if (options.markdown !== undefined) written.push(await writeSafely(options.markdown, comparisonMarkdown(comparison)));
        if (options.json === true) process.stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
        else
          process.stdout.write(comparisonTerminal(comparison, { everything: options.all === true, width: process.stdout.columns ?? 120 }));
        tell(written);
      }),
    );
}

function tell(written: readonly Written[]): void {
  for (const { problem, path } of written) {
    if (problem !== undefined) {
      console.error(problem);
      process.exitCode = WRONG;
    } else if (path !== undefined && process.stderr.isTTY) console.error(`wrote ${path}`);
  }
}

async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    console.error(error.message);
    process.exitCode = WRONG;
  }
}
