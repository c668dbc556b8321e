import type { BenchResult } from "../bench/lib/result.ts";
import type { Result } from "../conformance/harness/result.ts";
import type { DiffResult } from "../conformance/diff/result.ts";
import { writeSafely, type Written } from "./files.ts";

/** Which reports are wanted, by path; `github` prints annotations, since the service reads them from the job's output. */
export type Wanted = {
  readonly json?: string | undefined;
  readonly junit?: string | undefined;
  readonly html?: string | undefined;
  readonly markdown?: string | undefined;
  readonly github?: boolean | undefined;
};
export type WriteOptions = {
  /** Charts for the HTML page. */
  readonly benches?: readonly BenchResult[];
  /** Where a report goes that its own place does not take; the system's temporary folder by default. */
  readonly fallback?: string;
  /** Takes the annotations; standard output by default. A run that prints JSON there passes standard error: the service reads both. */
  readonly print?: (text: string) => void;
};

type Format = "json" | "junit" | "html" | "markdown";
export type Report = Written & { readonly format: Format };

/**
 * Writes the reports that are wanted, one page or file for all results. Never throws over a path: each entry that comes back says
 * where its file is, and `problem` (one line) why it is not where it was asked for. JSON is first, since all others can be made again from it.
 */
export async function writeReports(given: Result | readonly Result[], wanted: Wanted, options: WriteOptions = {}): Promise<Report[]> {
  const results = "cases" in given ? [given] : given;
  const reports: Report[] = [];
  for (const format of ["json", "junit", "html", "markdown"] as const) {
    const path = wanted[format];
    if (path === undefined) continue;
    const text = await textOf(format, results, options.benches ?? []);
    reports.push({ format, ...(await writeSafely(path, text, options.fallback)) });
  }
  if (wanted.github === true) {
    const { toGithub } = await import("./github.ts");
    (options.print ?? ((text) => process.stdout.write(text)))(toGithub(results));
  }
  return reports;
}

/** Each writer is loaded when it is wanted: a check without reports does not wait for them. */
async function textOf(format: Format, results: readonly Result[], benches: readonly BenchResult[]): Promise<string> {
  if (format === "json") return (await import("./json.ts")).toJson(results);
  if (format === "junit") return (await import("./junit.ts")).toJunit(results);
  if (format === "markdown") return (await import("./markdown.ts")).toMarkdown(results);
  return (await import("./html.ts")).toHtml(results, { benches });
}

/** The page for benchmarks alone. Where the path is not taken the page is elsewhere, and the problem is said on standard error. */
export async function writeBenchPage(bench: BenchResult, path: string): Promise<void> {
  const { problem } = await writeSafely(path, await textOf("html", [], [bench]));
  if (problem !== undefined) console.error(problem);
}

/** The matrix of `touchstone diff` as a page; a path that does not take it is said on standard error, with where the page is instead. */
export async function writeDiffPage(result: DiffResult, path: string): Promise<void> {
  const { diffHtml } = await import("./html.ts");
  const { problem } = await writeSafely(path, diffHtml(result));
  if (problem !== undefined) console.error(problem);
}
