import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { InvalidArgumentError, type Command } from "commander";
import { fuzzOverNetwork as fuzzHttp1 } from "./http1/network.ts";
import { fuzzOverNetwork as fuzzHttp2 } from "./http2/network.ts";
import { fuzzOverNetwork as fuzzWebSocket } from "./websocket/network.ts";
import { TARGETS } from "./registry.ts";
import type { Line, Task } from "./worker.ts";

type Options = {
  readonly seed?: number;
  readonly seconds: number;
  readonly executions: number;
  readonly blind?: true;
  readonly corpus?: string;
  readonly replay?: string;
  readonly list?: true;
  readonly json?: true;
};
/** A worker that says nothing for so long hangs in an input. */
const SILENCE_MS = 20_000;
/** Fuzzers of peers over the network, by protocol. */
const NETWORK = { http1: fuzzHttp1, http2: fuzzHttp2, websocket: fuzzWebSocket } as const;
const HERE = dirname(fileURLToPath(import.meta.url));

const whole = (text: string): number => {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("A whole number is wanted.");
  return Number(text);
};

/** `touchstone fuzz`: the decoders of this project guided by coverage, or somebody's peer over the network. */
export function fuzzCommand(program: Command): void {
  program
    .command("fuzz")
    .argument("[target]", 'a target such as "hpack/decoder" (all of them by default), or a protocol with a URL: http1, http2, websocket')
    .argument("[url]", "fuzz the peer that listens there; loopback addresses only")
    .description("search for inputs that break a rule; every failure prints the line that reproduces it")
    .option("--seed <n>", "begin here: the same seed tries the same inputs", whole)
    .option("--seconds <n>", "stop a target after so long", whole, 10)
    .option("--executions <n>", "stop a target after so many inputs", whole, 100_000_000)
    .option("--blind", "without guidance by coverage")
    .option("--corpus <folder>", "keep inputs that reach something new here (fuzz/corpus in a checkout)")
    .option("--replay <file>", "run this one input")
    .option("--list", "list the targets")
    .option("--json", "print results as JSON, one line a target")
    .addHelpText(
      "after",
      `
Examples:
  touchstone fuzz                                          every target of this project, ten seconds each
  touchstone fuzz hpack/decoder --seconds 60 --seed 7
  touchstone fuzz hpack/decoder --replay failing.bin
  touchstone fuzz http2 http://127.0.0.1:8080 --seed 7     frames that a grammar makes, against your server
  touchstone fuzz http1 http://127.0.0.1:8080/echo         requests that a grammar makes
  touchstone fuzz websocket ws://127.0.0.1:9001/           frames behind an opening handshake, to any endpoint
`,
    )
    .action(async (name: string | undefined, url: string | undefined, options: Options) => {
      process.exitCode = await run(name, url, options);
    });
}

async function run(name: string | undefined, url: string | undefined, options: Options): Promise<number> {
  if (options.list === true) {
    for (const [target, { mustFail }] of Object.entries(TARGETS))
      console.log(mustFail === true ? `${target} (must fail: proves the guidance)` : target);
    return 0;
  }
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  if (url !== undefined) {
    if (name !== "http1" && name !== "http2" && name !== "websocket") {
      console.error(`There is no fuzzer for a peer that speaks "${name}". Known: ${Object.keys(NETWORK).join(", ")}.`);
      return 2;
    }
    const replay = options.replay === undefined ? {} : { replay: options.replay };
    return NETWORK[name](url, { seed, seconds: options.seconds, json: options.json === true, ...replay });
  }
  const names = name === undefined ? Object.keys(TARGETS).filter((n) => TARGETS[n]?.mustFail !== true) : [name];
  for (const wanted of names) {
    if (TARGETS[wanted] === undefined) {
      console.error(
        `There is no target "${wanted}". Known: ${Object.keys(TARGETS).join(", ")}. To fuzz a server, give its URL: touchstone fuzz http2 http://127.0.0.1:8080`,
      );
      return 2;
    }
  }
  if (options.replay !== undefined && (name === undefined || !existsSync(options.replay))) {
    console.error(name === undefined ? "--replay wants the target that the input belongs to." : `There is no file ${options.replay}.`);
    return 2;
  }
  let status = 0;
  for (const target of names) if ((await one(target, seed, options)) !== 0) status = 1;
  return status;
}

async function one(name: string, seed: number, options: Options): Promise<number> {
  const folder = name.replaceAll("/", "-");
  const checkout = extname(fileURLToPath(import.meta.url)) === ".ts";
  const corpus = options.corpus ?? (checkout ? join(HERE, "corpus") : undefined);
  const task: Task = {
    target: name,
    seed,
    executions: options.executions,
    seconds: options.seconds,
    blind: options.blind === true,
    ...(corpus === undefined ? {} : { corpus: join(corpus, `${folder}.txt`) }),
    regressions: join(checkout ? join(HERE, "regressions") : "touchstone-fuzz", folder),
    ...(options.replay === undefined ? {} : { replay: options.replay }),
  };
  const result = await work(task, (line) => showProgress(name, line));
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
      `${name}: held for ${result.executions} inputs (${rate}/s, ${result.reached} branches reached, ${result.kept} new in the corpus, seed ${seed})`,
    );
  return 0;
}

/** The last line of the worker, or in words why there is none. */
function work(task: Task, progress: (line: Line) => void): Promise<Line | string> {
  const worker = join(HERE, `worker${extname(fileURLToPath(import.meta.url))}`);
  const child = spawn(process.execPath, ["--no-warnings", worker, JSON.stringify(task)], { stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve) => {
    let end: Line | undefined;
    let said = "";
    let hung = false;
    const silence = setTimeout(() => {
      hung = true;
      child.kill("SIGKILL");
    }, SILENCE_MS);
    child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString("utf8")).slice(-4_000)));
    createInterface({ input: child.stdout }).on("line", (text) => {
      silence.refresh();
      const line = JSON.parse(text) as Line;
      if (line.is === "end") end = line;
      else progress(line);
    });
    child.once("close", () => {
      clearTimeout(silence);
      const why = said.split("\n").find((text) => /^\w*Error\b/.test(text)) ?? (said.trim() || "it ended without a word");
      resolve(hung ? `an input hangs: no answer for ${SILENCE_MS / 1_000} s` : (end ?? why));
    });
  });
}

function showProgress(name: string, line: Line): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r\u001B[K${name}: ${line.executions} inputs, ${line.reached} branches, ${Math.round(line.ms / 1_000)} s`);
  if (line.is === "end") process.stderr.write("\n");
}
