import { closeSync, openSync, writeSync } from "node:fs";

/** A file that grows by lines of JSON. What fails is a notice and no more: the server goes on without the log. */
export class LineLog {
  readonly #field: string;
  readonly #what: string;
  readonly #notice: (message: string) => void;
  #file: number | undefined;
  #path = "";
  /** Lines that could not be written. */
  failures = 0;

  /** `field`: the setting that names the file; `what`: what is not logged without it. Both begin notices. */
  constructor(field: string, what: string, notice: (message: string) => void) {
    this.#field = field;
    this.#what = what;
    this.#notice = notice;
  }

  get isEnabled(): boolean {
    return this.#file !== undefined;
  }

  /** Opens the file anew: it may have been moved away. Without a path nothing is logged. */
  reopen(path: string | undefined): void {
    this.close();
    if (path === undefined || path === "") return;
    this.#path = path;
    try {
      this.#file = openSync(path, "a", 0o666);
    } catch (error) {
      this.#notice(`${this.#field}: ${this.#what} are not logged: ${messageOf(error)}`);
    }
  }
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  write(line: object): void {
    if (this.#file === undefined) return;
    try {
      writeSync(this.#file, `${JSON.stringify(line)}\n`);
    } catch (error) {
      // The first failure says why; the others are counted.
      if (this.failures++ === 0) this.#notice(`${this.#field}: ${this.#path}: ${messageOf(error)}`);
    }
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
