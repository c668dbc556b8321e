import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";
import { freePort } from "../../conformance/peers/index.ts";
import { ROOT } from "../checks/sources.ts";
import type { Step } from "./console.ts";

const MARK = "@@ command";
/** The ports that documents use. Each run replaces them by free ones. */
const PORTS = /\b(?:8080|8081|9001)\b/g;

/** Ends what the commands left running. A server in the background is ready when it prints its first line. */
const scriptOf = (steps: readonly Step[]): string =>
  [
    `trap 'kill $(jobs -p) 2>/dev/null' EXIT`,
    "exec 2>&1",
    "s=0",
    ...steps.flatMap((step, at) => {
      if ("file" in step) return [`cp ".files/${at}" '${step.file}'`];
      const mark = `printf '%s\\n' '${MARK}'`;
      if (!step.command.endsWith("&")) return [mark, "(exit $s)", step.command, "s=$?"];
      const log = `.background-${at}`;
      return [mark, `${step.command.slice(0, -1)} > ${log} &`, `until [ -s ${log} ]; do sleep 0.05; done`, `cat ${log}`];
    }),
  ].join("\n");

/** Progress, which a terminal overwrites. */
const isProgress = (line: string): boolean => /^[\w-]+: \d+ (?:of \d+|cases)$/.test(line);

/**
 * Performs the steps of a document in a new folder, in one shell, and returns what each command printed. `touchstone` is this project's.
 * Ends the shell after `limit` milliseconds.
 */
export async function perform(steps: readonly Step[], limit: number): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-docs-"));
  try {
    const ports = new Map<string, string>();
    const text = JSON.stringify(steps);
    for (const [port] of text.matchAll(PORTS)) if (!ports.has(port)) ports.set(port, String(await freePort()));
    const prepared = JSON.parse(text.replaceAll(PORTS, (port) => ports.get(port) ?? port)) as Step[];
    place(join(folder, "bin/touchstone"), `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, "touchstone.ts")}' "$@"\n`);
    chmodSync(join(folder, "bin/touchstone"), 0o755);
    prepared.forEach((step, at) => {
      if ("file" in step) place(join(folder, "work/.files", String(at)), step.text);
    });
    mkdirSync(join(folder, "work"), { recursive: true });
    const output = await run(scriptOf(prepared), folder, limit);
    const back = [...ports].reduce((all, [port, used]) => all.replaceAll(used, port), output);
    return back
      .split(`${MARK}\n`)
      .slice(1)
      .map((one) =>
        one
          .replace(/\n$/, "")
          .split("\n")
          .filter((line) => !isProgress(line)),
      )
      .map((lines) => (lines.length === 1 && lines[0] === "" ? [] : lines));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function place(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What a script prints; what it started ends with it. */
function run(script: string, folder: string, limit: number): Promise<string> {
  const path = [join(folder, "bin"), dirname(process.execPath), join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(":");
  const shell = spawn("bash", ["-c", script], {
    cwd: join(folder, "work"),
    env: { ...process.env, PATH: path, NO_COLOR: "1" },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return new Promise((resolve, reject) => {
    let printed = "";
    const end = (): void => {
      if (shell.pid === undefined) return;
      try {
        process.kill(-shell.pid, "SIGKILL");
      } catch (error) {
        // Everything that it started has ended already.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    };
    const timer = setTimeout(end, limit);
    shell.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    shell.on("error", reject);
    shell.on("exit", () => {
      clearTimeout(timer);
      end();
    });
    shell.stdout.on("close", () => resolve(printed));
  });
}
