import { createInterface } from "node:readline";
import { isRecord } from "../shapes.ts";
import type { InProcessClient } from "./subject.ts";
import { SubjectProcess, words } from "./subject-process.ts";

/**
 * Clients that read descriptions: one line of JSON each, with an `id`, and that report in one line with the same `id`. A command stays for
 * many descriptions, or exits after each.
 */

/** A description without its `id`. */
export type Description = Readonly<Record<string, unknown>>;
export type Report =
  | { readonly is: "report"; readonly members: Readonly<Record<string, unknown>> }
  /** No report; `why` is a clause. */
  | { readonly is: "trouble"; readonly why: string };
/** A report that is awaited. */
export type Reporting = { readonly report: Promise<Report>; cancel(): Promise<void> };

/** How long a command may take to load and answer its first line, in milliseconds. */
const STARTUP_MS = 20_000;
const trouble = (why: string): Report => ({ is: "trouble", why });

/** One process. */
class Reporter {
  readonly #process: SubjectProcess;
  #id = 0;
  #settle: ((report: Report) => void) | undefined;

  constructor(command: string) {
    this.#process = new SubjectProcess(words(command), "pipe");
    const { child } = this.#process;
    child.stdin?.on("error", () => {});
    if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", (line) => this.#settle?.(readReport(line, this.#id)));
    void this.#ended();
  }

  get isOver(): boolean {
    return this.#process.ending !== undefined;
  }

  ask(description: Description): Promise<Report> {
    return new Promise((resolve) => {
      this.#settle = (report) => {
        this.#settle = undefined;
        resolve(report);
      };
      this.#process.child.stdin?.write(`${JSON.stringify({ id: ++this.#id, ...description })}\n`);
    });
  }
  kill(): Promise<void> {
    return this.#process.kill();
  }

  async #ended(): Promise<void> {
    const { code, signal, problem } = await this.#process.ended;
    // What it printed before its end is read first.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { complaint } = this.#process;
    const how = problem ?? `the command ended (${code === null ? signal : `status ${code}`}) without a report`;
    this.#settle?.(trouble(complaint === "" ? how : `${how}. It said: ${complaint}`));
  }
}

function readReport(line: string, id: number): Report {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return trouble(`the command printed ${JSON.stringify(line.slice(0, 80))}, which is not a report`);
  }
  if (!isRecord(read) || read["id"] !== id) return trouble(`the command reported another id than ${id}: ${line.slice(0, 80)}`);
  return typeof read["error"] === "string" ? trouble(`the command reported: ${read["error"]}`) : { is: "report", members: read };
}

/** The processes of a command, each with one description at a time; or a function in this process. */
export class ReportingClients {
  readonly #client: string | InProcessClient;
  readonly #first: Description;
  readonly #idle: Reporter[] = [];
  readonly #all = new Set<Reporter>();

  /** Every new process is asked `first`, so that no wait includes its start. */
  constructor(client: string | InProcessClient, first: Description) {
    this.#client = client;
    this.#first = first;
  }

  /** The report to `first`. */
  async greet(): Promise<Report> {
    if (typeof this.#client !== "string") return this.#call(this.#client, this.#first).report;
    const { reporter, report } = await this.#start(this.#client);
    if (report.is === "report") this.#idle.push(reporter);
    return report;
  }

  /** Gives a client this description. */
  async ask(description: Description): Promise<Reporting> {
    if (typeof this.#client !== "string") return this.#call(this.#client, description);
    const reporter = await this.#take(this.#client);
    if ("why" in reporter) return { report: Promise.resolve(reporter), cancel: async () => {} };
    let isOwed = true;
    const report = reporter.ask(description).then((found) => {
      isOwed = false;
      if (!reporter.isOver) this.#idle.push(reporter);
      return found;
    });
    // A client that owes a report would mix it up with the next; one that does not may have its next description already.
    return { report, cancel: async () => (isOwed ? reporter.kill() : undefined) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((one) => one.kill()));
  }

  async #take(command: string): Promise<Reporter | (Report & { is: "trouble" })> {
    for (let one = this.#idle.pop(); one !== undefined; one = this.#idle.pop()) if (!one.isOver) return one;
    const { reporter, report } = await this.#start(command);
    return report.is === "trouble" ? report : reporter;
  }

  async #start(command: string): Promise<{ reporter: Reporter; report: Report }> {
    const reporter = new Reporter(command);
    this.#all.add(reporter);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Report>((resolve) => {
      timer = setTimeout(() => resolve(trouble(`the command did not answer its first line within ${STARTUP_MS / 1000} s`)), STARTUP_MS);
    });
    const report = await Promise.race([reporter.ask(this.#first), late]);
    clearTimeout(timer);
    if (report.is === "trouble") await reporter.kill();
    return { reporter, report };
  }

  #call(client: InProcessClient, description: Description): Reporting {
    const abort = new AbortController();
    const run = async (): Promise<Report> => {
      try {
        const url = typeof description["target"] === "string" ? `http://${description["target"]}/` : "http://127.0.0.1/";
        const members = await client(url, abort.signal, { url, method: "POST", description });
        return isRecord(members) ? { is: "report", members } : trouble("the function returned no report");
      } catch (error) {
        return trouble(error instanceof Error ? error.message : String(error));
      }
    };
    return { report: run(), cancel: async () => abort.abort() };
  }
}
