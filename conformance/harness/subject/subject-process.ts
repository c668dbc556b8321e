import { type ChildProcess, spawn } from "node:child_process";

/** Characters that need a shell; a command without them is started directly, so that its exit status and signal are its own. */
const SHELL_ONLY = /[|&;<>()$`\\*?~\n]/;

/**
 * Splits a command into words at white space outside of single or double quotes. A command that uses any other shell syntax
 * is passed to `sh -c` unchanged.
 */
export function words(command: string): string[] {
  if (SHELL_ONLY.test(command.replaceAll(/'[^']*'/g, ""))) return ["sh", "-c", command];
  const found = command.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
  return found.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""));
}

export type Ending = { readonly code: number | null; readonly signal: string | null; readonly problem?: string };

/** A program under test with its children, in one process group. */
export class SubjectProcess {
  readonly child: ChildProcess;
  /** Resolves when it has ended or could not be started. */
  readonly ended: Promise<Ending>;
  #stderr = "";
  #ending: Ending | undefined;

  constructor(command: readonly string[], stdio: "ignore" | "pipe", environment: Readonly<Record<string, string>> = {}) {
    const [program = "", ...args] = command;
    this.child = spawn(program, args, {
      stdio: [stdio, stdio, "pipe"],
      detached: process.platform !== "win32",
      env: { ...process.env, ...environment },
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-2000);
    });
    this.ended = new Promise((resolve) => {
      const end = (ending: Ending): void => {
        this.#ending ??= ending;
        resolve(this.#ending);
      };
      this.child.once("error", (error: NodeJS.ErrnoException) => {
        end({ code: null, signal: null, problem: error.code === "ENOENT" ? `there is no program "${program}"` : error.message });
      });
      this.child.once("exit", (code, signal) => end({ code, signal }));
    });
    live.add(this);
    void this.ended.then(() => live.delete(this));
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }
  /** One line of its standard error: the first that looks like an error, or else the first. */
  get complaint(): string {
    const lines = this.#stderr.trim().split("\n");
    return (lines.find((line) => /error|cannot|fail|problem|refused|unknown|invalid|no such/i.test(line)) ?? lines[0] ?? "")
      .trim()
      .slice(0, 200);
  }

  /** Ends the whole group at once, and waits until the process is gone. */
  async kill(): Promise<void> {
    this.killNow();
    await this.ended;
  }

  killNow(): void {
    this.signal("SIGKILL");
  }

  /** Sends a signal to the whole group. */
  signal(name: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === "win32" ? pid : -pid, name);
    } catch {
      // The group is gone already.
    }
  }
}

const live = new Set<SubjectProcess>();
/** Ensures that no subject outlives this process. */
process.on("exit", () => {
  for (const running of live) running.killNow();
});
