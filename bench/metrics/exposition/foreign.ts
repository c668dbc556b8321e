import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Pages } from "./pages.ts";
import type { Format, Subject } from "./subjects.ts";

/** Third-party parsers, in their own processes, which measure themselves. */
export type Foreign = { readonly subjects: readonly Subject[]; readonly missing: readonly string[]; stop(): void };

const GO =
  'the parser of the Prometheus server is left out: it needs Go and its modules ("go mod download" in bench/metrics/exposition/go).';
const PYTHON = 'prometheus_client is left out: it needs Python 3 and "pip install prometheus_client".';

/** The time limit for Go to download modules and build. */
const BUILD_MS = 240_000;

/** A loop around `prometheus_client`: "text FILE TIMES" in, "samples cpuMicros wallMicros" out. */
const SCRIPT = `
import sys, time
from importlib.metadata import version
from prometheus_client.parser import text_string_to_metric_families as text
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
print("prometheus_client", version("prometheus_client"), flush=True)
for line in sys.stdin:
    form, file, times = line.split()[:3]
    page = open(file, encoding="utf-8").read()
    cpu, wall, samples = time.process_time(), time.perf_counter(), 0
    for _ in range(int(times)):
        samples += sum(len(family.samples) for family in (text if form == "text" else openmetrics)(page))
    print(samples, int((time.process_time() - cpu) * 1e6), int((time.perf_counter() - wall) * 1e6), flush=True)
`;

export async function foreign(pages: Pages): Promise<Foreign> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-exposition-"));
  for (const format of ["text", "openmetrics"] as const) writeFileSync(join(folder, format), pages[format]);
  const stops: (() => void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const subjects: Subject[] = [];
  const missing: string[] = [];
  const program = join(folder, "textparse");
  try {
    execFileSync("go", ["build", "-mod=mod", "-o", program, "."], {
      cwd: copyOf(folder),
      stdio: "ignore",
      timeout: BUILD_MS,
    });
    const { name, ask, stop } = await started(program, []);
    stops.push(stop);
    subjects.push(
      { name, formats: ["text", "openmetrics"], run: (format, times) => ask(`${format} ${join(folder, format)} ${times}`) },
      {
        name: `${name}, labels as strings`,
        formats: ["text", "openmetrics"],
        run: (format, times) => ask(`${format} ${join(folder, format)} ${times} labels`),
      },
    );
  } catch (error) {
    missing.push(`${GO} ${reason(error)}`);
  }
  try {
    const { name, ask, stop } = await started("python3", ["-c", SCRIPT]);
    stops.push(stop);
    // A pass takes long enough to measure one.
    const run = (format: Format) => ask(`${format} ${join(folder, format)} 1`);
    subjects.push({ name, formats: ["text", "openmetrics"], run });
  } catch (error) {
    missing.push(`${PYTHON} ${reason(error)}`);
  }
  return { subjects, missing, stop: () => stops.toReversed().forEach((one) => one()) };
}

const reason = (error: unknown): string => `Error: ${(error as Error).message.split("\n", 1)[0]}`;

/** Copies the Go program, so that Go writes its go.sum into the temporary folder. */
function copyOf(folder: string): string {
  const to = join(folder, "go");
  execFileSync("cp", ["-r", join(import.meta.dirname, "go"), to]);
  return to;
}

type Started = { readonly name: string; ask(line: string): ReturnType<Subject["run"]>; stop(): void };

async function started(program: string, words: readonly string[]): Promise<Started> {
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"] });
  // A write error means that the process has exited, which `ended` reports.
  child.stdin.on("error", () => {});
  const ended = new Promise<never>((_, reject) => {
    child.on("error", reject);
    child.on("close", () => reject(new Error(`${program} exited before it answered.`)));
  });
  // Each call races against `ended`; between calls nothing handles the rejection.
  ended.catch(() => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await Promise.race([lines.next(), ended]);
    if (next.done === true) throw new Error(`${program} exited before it answered.`);
    return next.value;
  };
  return {
    name: await line(),
    async ask(text) {
      child.stdin.write(`${text}\n`);
      const [samples = 0, cpu = 0, wall = 0] = (await line()).split(" ").map(Number);
      return { samples, seconds: cpu / 1e6, wallSeconds: wall / 1e6 };
    },
    stop: () => child.stdin.end(),
  };
}
