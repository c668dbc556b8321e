import { spawn, type ChildProcess } from "node:child_process";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** A running metrics server with a data directory. */
export type MetricsProcess = {
  readonly name: string;
  readonly pid: number;
  readonly origin: string;
  /** Milliseconds from its start until it was ready. */
  readonly readyMs: number;
  /** Kills it without a shutdown, like a crash. */
  kill(): Promise<void>;
};

const READY_MS = 300_000;
const LOOK_MS = 5;

/** Starts a program that listens on `port`, and waits until it is ready. */
export async function startProcess(name: string, command: readonly string[], port: number): Promise<MetricsProcess> {
  const began = performance.now();
  const [program = "", ...words] = command;
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "pipe"] });
  const lastLine = lastLineOf(child);
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} exited before it was ready: ${lastLine()}`);
    if (performance.now() - began > READY_MS) throw new Error(`${name} is not ready after ${READY_MS} ms: ${lastLine()}`);
    await pause(LOOK_MS);
  }
  return { name, pid: child.pid ?? 0, origin, readyMs: performance.now() - began, kill: () => killed(child) };
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await ended;
}

export type Answer = { readonly status: number; readonly body: Buffer };

/** Sends one request on a new connection, without compression. */
export function ask(origin: string, path: string, body?: Buffer | string, fields: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method: body === undefined ? "GET" : "POST", headers: fields, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response
        .on("data", (part: Buffer) => void parts.push(part))
        .on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }))
        .on("error", reject);
    });
    sent.on("error", reject).end(body);
  });
}

const isReady = (origin: string): Promise<boolean> =>
  ask(origin, "/-/ready").then(
    ({ status }) => status === 200,
    () => false,
  );

function lastLineOf(child: ChildProcess): () => string {
  let text = "";
  child.on("error", ({ message }) => (text += message));
  child.stderr?.on("data", (part: Buffer) => (text = (text + part.toString()).slice(-2_000)));
  return () => text.trim().split("\n").at(-1) ?? "";
}
