import type { BenchResult } from "../bench/lib/result.ts";
import type { Result } from "../conformance/harness/result.ts";
import type { DiffResult } from "../conformance/diff/result.ts";
import type { Beside } from "./html.ts";
import { writeSafely, type Written } from "./files.ts";

/** The paths of the reports to write. `github` prints annotations: GitHub reads them from the output of the job. */
export type Wanted = {
  readonly json?: string | undefined;
  readonly junit?: string | undefined;
  readonly html?: string | undefined;
  readonly markdown?: string | undefined;
  readonly tap?: string | undefined;
  readonly sarif?: string | undefined;
  readonly pcap?: string | undefined;
  readonly github?: boolean | undefined;
};
export type WriteOptions = Beside & {
  /** The folder for reports whose path cannot be written; by default the system's temporary folder. */
  readonly fallback?: string;
  /** Prints annotations, by default to standard output. A run that prints JSON there uses standard error: GitHub reads both. */
  readonly print?: (text: string) => void;
};

const FORMATS = ["json", "junit", "html", "markdown", "tap", "sarif", "pcap"] as const;
type Format = (typeof FORMATS)[number];
export type Report = Written & { readonly format: Format };

/**
 * Writes each report as one file for all results. Never throws because of a path: each returned entry says where its file is, and `problem`
 * (one line) why it is not at the requested path. JSON is written first, because all others can be written from it again.
 */
export async function writeReports(given: Result | readonly Result[], wanted: Wanted, options: WriteOptions = {}): Promise<Report[]> {
  const results = "cases" in given ? [given] : given;
  const reports: Report[] = [];
  for (const format of FORMATS) {
    const path = wanted[format];
    if (path === undefined) continue;
    const content = await contentOf(format, results, options);
    reports.push({ format, ...(await writeSafely(path, content, options.fallback)) });
  }
  if (wanted.github === true) {
    const { toGithub } = await import("./github.ts");
    (options.print ?? ((text) => process.stdout.write(text)))(toGithub(results));
  }
  return reports;
}

/** Loads a writer only when it is needed, so that a check without reports starts fast. */
async function contentOf(format: Format, results: readonly Result[], beside: Beside): Promise<string | Uint8Array> {
  if (format === "json") return (await import("./json.ts")).toJson(results);
  if (format === "junit") return (await import("./junit.ts")).toJunit(results);
  if (format === "tap") return (await import("./tap.ts")).toTap(results);
  if (format === "sarif") return (await import("./sarif.ts")).toSarif(results);
  if (format === "pcap") return (await import("./pcap/index.ts")).toPcap(results);
  if (format === "markdown") return (await import("./markdown.ts")).toMarkdown(results);
  return (await import("./html.ts")).toHtml(results, beside);
}

/** Writes the page of a benchmark run. If the path cannot be written, the page goes elsewhere and standard error says where. */
export async function writeBenchPage(bench: BenchResult, path: string): Promise<void> {
  const { problem } = await writeSafely(path, await contentOf("html", [], { benches: [bench] }));
  if (problem !== undefined) console.error(problem);
}

/** Writes the matrix of `touchstone diff` as a page. If the path cannot be written, the page goes elsewhere and standard error says where. */
export async function writeDiffPage(result: DiffResult, path: string): Promise<void> {
  const { diffHtml } = await import("./html.ts");
  const { problem } = await writeSafely(path, diffHtml(result));
  if (problem !== undefined) console.error(problem);
}
