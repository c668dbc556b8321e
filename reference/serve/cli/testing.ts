import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { afterEach } from "vitest";

const BIN = fileURLToPath(new URL("../../../bin.js", import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
});

/** A process of `touchstone serve`, its output lines, and its exit status; killed after the test. */
export function run(...args: string[]) {
  const child = spawn(process.execPath, [BIN, "serve", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const lines = createInterface(child.stdout);
  const printed: string[] = [];
  const first = new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    child.once("close", () => reject(new Error(`nothing was printed: ${errors}`)));
  });
  first.catch(() => {});
  lines.on("line", (line) => printed.push(line));
  const ended = (once(child, "close") as Promise<[number | null, string | null]>).then(([status, signal]) => ({
    status,
    signal,
    errors,
    printed,
  }));
  return { child, first, ended };
}
