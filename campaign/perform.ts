import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Task } from "./plan.ts";

/** What a job returns. A result of 2,000 cases is 100 kB of it. */
export type Done = {
  /** The exit status of the verb. */
  readonly status: number;
  readonly ms: number;
  /** What the verb has written for other programs, in gzip and base64: a result, or a line of JSON. */
  readonly output: string;
};

/** Why a job could not be done. */
export class NotDone extends Error {
  override name = "NotDone";
  /** Whether another attempt would end in the same way. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** The most that a verb may print, in octets. */
const MOST = 64 * 1024 * 1024;
const HERE = import.meta.dirname;
const EXTENSION = extname(fileURLToPath(import.meta.url));
/** The command line, and that of mutants, which only a checkout has. */
const COMMAND = join(HERE, "..", `touchstone${EXTENSION}`);
const MUTATE = join(HERE, "..", "ci", "mutate.ts");

/** The text that a job has returned. */
export const outputOf = ({ output }: Done): string => gunzipSync(Buffer.from(output, "base64"), { maxOutputLength: MOST }).toString("utf8");

/** Performs a job in a process of its own. `corpus` is the folder that fuzzing reads and writes. Throws `NotDone` if there is no result. */
export async function perform(task: Task, corpus: string): Promise<Done> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-job-"));
  try {
    const file = join(folder, "result.json");
    const began = performance.now();
    const { status, stdout, stderr } = await run(commandOf(task, file, corpus), { folder, verb: task.verb });
    const ms = Math.round(performance.now() - began);
    const why = stderr.trim().split("\n").at(-1) ?? "";
    // 0 and 1 are verdicts. 2 is a wrong command. Anything else may be otherwise next time: a peer that is away, a machine that is too busy.
    if (status !== 0 && status !== 1) throw new NotDone(`status ${status}: ${why}`, status === 2);
    const text = task.verb === "fuzz" ? stdout : existsSync(file) ? readFileSync(file, "utf8") : "";
    if (text === "") throw new NotDone(`nothing was written: ${why}`, false);
    return { status, ms, output: gzipSync(text).toString("base64") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The words of the process of a job. */
function commandOf({ verb, words, index, of }: Task, file: string, corpus: string): string[] {
  const shard = of === 1 ? [] : ["--shard", `${index}/${of}`];
  if (verb === "check") return [COMMAND, "check", ...words, ...shard, "--save", file];
  if (verb === "mutate") {
    if (!existsSync(MUTATE)) throw new NotDone("Mutants need a checkout of Touchstone.", true);
    return [MUTATE, ...words, ...shard, "--json", file];
  }
  // One shard is one seed: its number decides, and the last of two equal options counts.
  const at = words.indexOf("--seed");
  const first = Number(at < 0 ? 1 : words[at + 1]);
  return [COMMAND, "fuzz", ...words, "--seed", String(first + index - 1), "--corpus", corpus, "--json"];
}

type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

function run(command: readonly string[], { folder, verb }: { readonly folder: string; readonly verb: Task["verb"] }): Promise<Ended> {
  // The shard of a job is that of its plan, whatever the machine is.
  const { JOB_COMPLETION_INDEX: _, ...env } = process.env;
  const [module = "", ...words] = command;
  const child = spawn(process.execPath, ["--no-warnings", module, ...words], {
    env: { ...env, TMPDIR: folder },
    // Fuzzing writes a failing input where it runs, which may be read-only; the line that it prints has the input too.
    ...(verb === "fuzz" ? { cwd: folder } : {}),
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    const printed = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed.stdout += text;
      if (printed.stdout.length > MOST) child.kill("SIGKILL");
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr = (printed.stderr + text).slice(-4_000)));
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, ...printed }));
  });
}
