import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { inShard, shardOfJob } from "../conformance/harness/shard.ts";
import { slownessOf } from "../conformance/harness/slowness.ts";
import type { FuzzOptions } from "./command.ts";
import { publish, withRun, without } from "./ledger.ts";
import { type FuzzRegistry, targetsOf } from "./lib/suite.ts";
import type { Line, Task } from "./worker.ts";

/** A worker without output for this long is hanging on an input. One that counts CPU time may have to wait for its turn. */
const SILENCE_MS = { wall: 20_000, cpu: 600_000 };
/** How many times longer than that to wait on a busy machine. */
const MOST_PATIENCE = 30;
const HERE = dirname(fileURLToPath(import.meta.url));
const PUBLISHED = join(HERE, "..", "reports", "published");

/** The parsed command line. */
export type Request = {
  readonly registry: FuzzRegistry;
  /** All suites of Touchstone, with or without fuzz targets. */
  readonly suites: readonly string[];
  readonly name: string | undefined;
  readonly url: string | undefined;
  readonly options: FuzzOptions;
};

/** Performs `touchstone fuzz`. Returns the exit status. */
export async function runFuzz(request: Request): Promise<number> {
  const { registry, suites, name, url, options } = request;
  const targets = await targetsOf(registry);
  if (options.list === true) {
    for (const [target, { mustFail }] of Object.entries(targets))
      console.log(mustFail === true ? `${target} (must fail: proves the guidance)` : target);
    return 0;
  }
  const shard = options.shard ?? shardOfJob();
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  if (url !== undefined) return overNetwork(request, url, shard === undefined ? seed : seed + shard.index - 1);
  const names = name === undefined ? Object.keys(targets).filter((one) => targets[one]?.mustFail !== true) : [name];
  const unknown = names.find((one) => targets[one] === undefined);
  if (unknown !== undefined) {
    if (suites.includes(unknown) && Object.keys(targets).every((one) => !one.startsWith(`${unknown}/`)))
      return wrong(`${unknown} has no fuzz targets yet: add them to fuzz/${unknown}/suite.ts, and a line to fuzz/suites.ts.`);
    return wrong(
      `Unknown target "${unknown}". Known: ${Object.keys(targets).join(", ")}. To fuzz a server, give its URL: touchstone fuzz http2 http://127.0.0.1:8080`,
    );
  }
  if (options.publish === true && !existsSync(PUBLISHED)) return wrong("--publish works in a checkout of Touchstone only.");
  if (options.replay !== undefined && name === undefined) return wrong("--replay needs the name of the target.");
  if (options.replay !== undefined && !existsSync(options.replay)) return wrong(`File not found: ${options.replay}.`);
  let status = 0;
  for (const target of names)
    for (let n = 0; n < options.seeds; n++) {
      if (shard !== undefined && !inShard(`${target} ${n}`, shard)) continue;
      if ((await one(registry, target, seed + n, options)) !== 0) status = 1;
    }
  return status;
}

async function overNetwork({ registry, suites, name = "", options }: Request, url: string, seed: number): Promise<number> {
  const network = (await registry.suites[name]?.())?.suite.network;
  if (network === undefined) {
    if (suites.includes(name))
      return wrong(`${name} has no network fuzzer yet: add "network" to fuzz/${name}/suite.ts, and a line to fuzz/suites.ts.`);
    const known = await Promise.all(
      Object.entries(registry.suites).map(async ([one, load]) => ((await load()).suite.network === undefined ? [] : [one])),
    );
    return wrong(`There is no network fuzzer for "${name}". Known: ${known.flat().join(", ")}.`);
  }
  const { seconds, json, replay, cert, key, iOperateThisTarget: consents = false } = options;
  if ((cert === undefined) !== (key === undefined)) return wrong("--cert and --key go together: give both.");
  const missing = [cert, key].find((file) => file !== undefined && !existsSync(file));
  if (missing !== undefined) return wrong(`File not found: ${missing}.`);
  const credentials = cert !== undefined && key !== undefined ? { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") } : {};
  return network(url, { credentials, consents, seed, seconds, json: json === true, ...(replay === undefined ? {} : { replay }) });
}

function wrong(line: string): number {
  console.error(line);
  return 2;
}

async function one(registry: FuzzRegistry, name: string, seed: number, options: FuzzOptions): Promise<number> {
  const folder = name.replaceAll("/", "-");
  const checkout = extname(fileURLToPath(import.meta.url)) === ".ts";
  const corpus = options.corpus ?? (checkout ? join(HERE, "corpus") : undefined);
  const task: Task = {
    registry: registry.module,
    target: name,
    seed,
    executions: options.executions,
    seconds: options.cpuSeconds ?? options.seconds,
    clock: options.cpuSeconds === undefined ? "wall" : "cpu",
    blind: options.blind === true,
    ...(corpus === undefined ? {} : { corpus: join(corpus, `${folder}.txt`) }),
    regressions: join(checkout ? join(HERE, "regressions") : "touchstone-fuzz", folder),
    ...(options.replay === undefined ? {} : { replay: options.replay }),
  };
  const result = await work(task, (line) => showProgress(name, line));
  if (options.publish === true && options.replay === undefined) record(name, seed, result);
  const again = `touchstone fuzz ${name} --seed ${seed}`;
  if (options.json === true)
    console.log(JSON.stringify({ target: name, seed, ...(typeof result === "string" ? { error: result } : result) }));
  if (typeof result === "string") {
    if (options.json !== true) console.log(`${name}: FAILED: ${result}\n  reproduce: ${again}`);
    return 1;
  }
  const rate = result.ms > 0 ? Math.round((result.executions / result.ms) * 1_000) : 0;
  if (result.failure !== undefined) {
    if (options.json !== true) {
      console.log(`${name}: FAILED after ${result.executions} inputs: ${result.failure.message}`);
      console.log(`  input (${result.failure.hex.length / 2} octets): ${result.failure.hex.slice(0, 160)}`);
      console.log(`  reproduce: touchstone fuzz ${name} --replay ${result.failure.file}`);
    }
    return 1;
  }
  if (options.json !== true)
    console.log(
      `${name}: held for ${result.executions} inputs (${rate}/s, ${reachedOf(result)}, ${result.kept} new in the corpus, seed ${seed})`,
    );
  return 0;
}

/** Keeps the result in the published table. */
function record(target: string, seed: number, result: Line | string): void {
  if (typeof result === "string" || result.failure !== undefined) return publish(PUBLISHED, (ledger) => without(ledger, target));
  const { cpuMs, executions: inputs, branches } = result;
  const date = new Date().toISOString().slice(0, 10);
  const run = { target, seed, cpuSeconds: cpuMs / 1_000, inputs, date, ...(branches === undefined ? {} : { branches }) };
  return publish(PUBLISHED, (ledger) => withRun(ledger, run));
}

/** The last line of the worker, or the reason it has none. */
function work(task: Task, progress: (line: Line) => void): Promise<Line | string> {
  const worker = join(HERE, `worker${extname(fileURLToPath(import.meta.url))}`);
  const child = spawn(process.execPath, ["--no-warnings", worker, JSON.stringify(task)], { stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve) => {
    let end: Line | undefined;
    let stderr = "";
    let hung = false;
    let closed = false;
    let heard = performance.now();
    const slowness = slownessOf();
    // On a busy machine a worker that does not hang is silent for longer.
    const look = async (): Promise<void> => {
      const patience = SILENCE_MS[task.clock] * Math.min(MOST_PATIENCE, await slowness());
      const left = heard + patience - performance.now();
      if (closed) return;
      if (left > 0) silence = setTimeout(() => void look(), left);
      else hung = child.kill("SIGKILL");
    };
    let silence = setTimeout(() => void look(), SILENCE_MS[task.clock]);
    child.stderr.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString("utf8")).slice(-4_000)));
    createInterface({ input: child.stdout }).on("line", (text) => {
      heard = performance.now();
      const line = JSON.parse(text) as Line;
      if (line.is === "end") end = line;
      else progress(line);
    });
    child.once("close", () => {
      closed = true;
      clearTimeout(silence);
      const why = stderr.split("\n").find((text) => /^\w*Error\b/.test(text)) ?? (stderr.trim() || "the worker exited without a message");
      resolve(hung ? `an input hangs: no output for ${SILENCE_MS[task.clock] / 1_000} s` : (end ?? why));
    });
  });
}

function reachedOf({ branches }: Line): string {
  return branches === undefined ? "blind" : `${branches.reached} of ${branches.of} branches reached`;
}

function showProgress(name: string, line: Line): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r\u001B[K${name}: ${line.executions} inputs, ${reachedOf(line)}, ${Math.round(line.ms / 1_000)} s`);
  if (line.is === "end") process.stderr.write("\n");
}
