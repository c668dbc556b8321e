import pty, { type IEvent, type IPty } from "@lydell/node-pty";
import type { Shell } from "../../websocket/channel/index.ts";

/** The program that runs in the terminal, and its first size. */
export type ShellOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cols: number;
  readonly rows: number;
};

/** A terminal opened with `encoding: null`: it reads and writes octets, since a read may end within a character. The library's types assume text. */
type OctetTerminal = Omit<IPty, "onData" | "write"> & { readonly onData: IEvent<Uint8Array>; write(octets: Uint8Array): void };

/** The time that a shell has to end after SIGHUP, before SIGKILL. */
const KILL_MS = 2_000;

/** A program in a pseudo-terminal. */
export class TerminalShell implements Shell {
  readonly #terminal: OctetTerminal;
  #hasEnded = false;

  constructor({ command, args, cwd, env, cols, rows }: ShellOptions) {
    // The types describe a terminal with an encoding: see `OctetTerminal`.
    this.#terminal = pty.spawn(command, [...args], {
      name: "xterm-256color",
      cols,
      rows,
      cwd,
      env: { ...withoutTokens(env), TERM: "xterm-256color" },
      encoding: null,
    }) as unknown as OctetTerminal;
  }

  get pid(): number {
    return this.#terminal.pid;
  }
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Reports the output, then the exit: its status, and the signal that ended the shell, if one did. */
  listen(printed: (octets: Uint8Array) => void, exited: (code: number, signal: number | null) => void): void {
    this.#terminal.onData(printed);
    this.#terminal.onExit(({ exitCode, signal }) => {
      this.#hasEnded = true;
      exited(exitCode, signal === undefined || signal === 0 ? null : signal);
    });
  }

  write(octets: Uint8Array): void {
    if (!this.#hasEnded) this.#terminal.write(Buffer.from(octets));
  }
  resize(cols: number, rows: number): void {
    if (!this.#hasEnded) this.#terminal.resize(cols, rows);
  }
  pause(): void {
    this.#terminal.pause();
  }
  resume(): void {
    this.#terminal.resume();
  }

  /** Ends the shell: by SIGHUP, then by SIGKILL. */
  kill(): void {
    if (this.#hasEnded) return;
    this.#terminal.kill("SIGHUP");
    setTimeout(() => void (this.#hasEnded || this.#terminal.kill("SIGKILL")), KILL_MS).unref();
  }
}

/** Hides the tokens of this process from the shell. */
function withoutTokens(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && !name.startsWith("TOUCHSTONE_")) kept[name] = value;
  return kept;
}
