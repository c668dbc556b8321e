import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import type { Family, Sample } from "./exposition/source/craft.ts";

/** The answer of a codec to one request. The protocol is in README.md. */
export type CodecAnswer =
  | { readonly is: "fields"; readonly fields: readonly (readonly (readonly [string, string, boolean?])[])[] }
  | { readonly is: "blocks"; readonly blocks: readonly string[] }
  /** Messages of HTTP/1.1, WebSocket or RPC, why the octets after them are refused, and the status of an RPC call that is refused. */
  | {
      readonly is: "messages";
      readonly messages: readonly Readonly<Record<string, unknown>>[];
      readonly error?: string;
      readonly code?: number;
    }
  /** A page of metrics: its samples and families. */
  | { readonly is: "samples"; readonly samples: readonly Sample[]; readonly families?: readonly Family[] }
  | { readonly is: "error"; readonly error: string }
  /** The codec does not support this operation. */
  | { readonly is: "unknown" }
  /** No answer: the codec exited, took too long, or printed something else. `why` is one line. */
  | { readonly is: "trouble"; readonly why: string };

/** A request and its answer, as lines and as data. `got` is empty if no line came. */
export type Exchange = { readonly sent: string; readonly got: string; readonly answer: CodecAnswer };

/** The maximum length of an answer line. */
const MAX_LINE = 1 << 26;

/** A codec in its own process: one request and one answer at a time, one line of JSON each. After trouble the next request restarts it. */
export class CodecProcess {
  readonly #command: string;
  readonly #limitMs: number;
  /** The factor for the time limit of a process's first answer, since it has to start. */
  readonly #startFactor: number;
  #child: ChildProcessWithoutNullStreams | undefined;
  #stderr = "";
  #id = 0;
  #settle: ((answer: CodecAnswer, line?: string) => void) | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(command: string, limitMs: number, startFactor = 1) {
    this.#command = command;
    this.#limitMs = limitMs;
    this.#startFactor = startFactor;
  }

  /** Sends a request after every earlier one is answered. */
  async ask(request: Readonly<Record<string, unknown>>): Promise<CodecAnswer> {
    return (await this.exchange(request)).answer;
  }

  /** As `ask`, with the lines. */
  exchange(request: Readonly<Record<string, unknown>>): Promise<Exchange> {
    const turn = this.#queue.then(() => this.#exchange(request));
    // The caller gets the failure; the next request goes ahead.
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #exchange(request: Readonly<Record<string, unknown>>): Promise<Exchange> {
    const limitMs = this.#limitMs * (this.#child === undefined ? this.#startFactor : 1);
    const child = (this.#child ??= this.#start());
    const id = ++this.#id;
    const sent = JSON.stringify({ id, ...request });
    const exchange = await new Promise<Exchange>((resolve) => {
      const settle = (answer: CodecAnswer, got = ""): void => {
        clearTimeout(timer);
        resolve({ sent, got, answer });
      };
      const timer = setTimeout(() => settle(trouble(`the codec gave no answer within ${limitMs} ms`)), limitMs);
      this.#settle = settle;
      child.stdin.write(`${sent}\n`);
    });
    this.#settle = undefined;
    if (exchange.answer.is === "trouble") this.stop();
    return exchange;
  }

  /** Kills the process and its children. */
  stop(): void {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) killGroup(child);
  }

  #start(): ChildProcessWithoutNullStreams {
    this.#stderr = "";
    // Its own process group, so that the shell's children end with it.
    const child = spawn(this.#command, { shell: true, detached: true, stdio: "pipe" });
    // A codec that hangs does not outlive this process.
    const kill = (): void => killGroup(child);
    process.once("exit", kill);
    const settle = (answer: CodecAnswer, line?: string): void => {
      if (this.#child === child) this.#settle?.(answer, line);
    };
    child.on("error", (error) => settle(trouble(`the codec cannot be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      process.off("exit", kill);
      settle(trouble(howItEnded(code, signal, this.#stderr)));
      if (this.#child === child) this.#child = undefined;
    });
    // "close" reports a codec that exits without reading.
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#stderr = (this.#stderr + text).slice(-2_000)));
    let unbroken = 0;
    child.stdout.on("data", (octets: Buffer) => {
      const last = octets.lastIndexOf(10);
      unbroken = last < 0 ? unbroken + octets.length : octets.length - last;
      if (unbroken > MAX_LINE) settle(trouble(`the codec printed ${unbroken} octets without a line end`));
    });
    createInterface({ input: child.stdout }).on("line", (line) => settle(read(line, this.#id), line));
    return child;
  }
}

function killGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}

/** The shell's status for a command that it does not find. */
const NOT_FOUND = 127;

function howItEnded(code: number | null, signal: string | null, stderr: string): string {
  const message = stderr.trim().split("\n").at(-1) ?? "";
  const missing = code === NOT_FOUND ? /([^:\s]+): (?:command )?not found$/.exec(message)?.[1] : undefined;
  if (missing !== undefined) return `the codec cannot be started: there is no program "${missing}"`;
  const complaint = message === "" ? "" : `: ${message.slice(0, 200)}`;
  return `the codec exited (${signal ?? `status ${code}`}) without an answer${complaint}`;
}

const trouble = (why: string): CodecAnswer => ({ is: "trouble", why });

function read(line: string, id: number): CodecAnswer {
  let answer: Readonly<Record<string, unknown>> | null;
  try {
    answer = JSON.parse(line) as Readonly<Record<string, unknown>> | null;
  } catch {
    return trouble(`the codec printed an invalid answer: ${JSON.stringify(line.slice(0, 80))}`);
  }
  if (answer?.["id"] !== id) return trouble(`the codec answered with id ${JSON.stringify(answer?.["id"])} instead of ${id}`);
  const error = answer["error"];
  const { messages, samples, families, blocks, fields, code } = answer;
  if (isListOf(messages, isMember)) {
    return {
      is: "messages",
      messages,
      ...(typeof error === "string" ? { error } : {}),
      ...(typeof code === "number" ? { code } : {}),
    };
  }
  if (typeof error === "string") return { is: "error", error };
  if (answer["unknown"] === true) return { is: "unknown" };
  if (isListOf(samples, isSample)) return { is: "samples", samples, ...(isFamilies(families) ? { families } : {}) };
  if (isListOf(blocks, isHex)) return { is: "blocks", blocks };
  if (isListOf(fields, (list) => isListOf(list, isField))) return { is: "fields", fields };
  return trouble("the codec's answer has no valid fields, blocks, messages, samples or error");
}

const isListOf = <T>(value: unknown, holds: (item: unknown) => item is T): value is T[] => Array.isArray(value) && value.every(holds);
const isMember = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;
const isHex = (value: unknown): value is string => typeof value === "string" && /^(?:[0-9a-f]{2})*$/i.test(value);
const isField = (value: unknown): value is [string, string, boolean?] =>
  Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
const isSample = (value: unknown): value is Sample =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "value" in value &&
  "labels" in value &&
  isListOf(value.labels, isField);
/** Its members are compared as JSON, so none is checked here. */
const isFamilies = (value: unknown): value is Family[] => Array.isArray(value);
