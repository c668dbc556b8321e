import { createHash } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LogPosition } from "../../metrics/tsdb/index.ts";

const FOLDER = "remote_write";

/** The file with the position up to which a queue has sent the log. */
export class RemotePosition {
  readonly #folder: string;
  readonly #path: string;
  #saved: LogPosition | undefined;

  /** `name`: what the queue is called, which tells it from other queues after a restart. */
  constructor(directory: string, name: string) {
    this.#folder = join(directory, FOLDER);
    this.#path = join(this.#folder, `${createHash("sha256").update(name).digest("hex").slice(0, 16)}.json`);
  }

  /** Undefined if the queue is new. Throws if the file cannot be read. */
  load(): LogPosition | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    const [, segment, octets] = /^\{"segment":(\d{1,15}),"octets":(\d{1,15})\}$/.exec(text) ?? [];
    if (segment === undefined || octets === undefined) throw new Error(`${this.#path} is not a position in the log`);
    this.#saved = { segment: Number(segment), octets: Number(octets) };
    return this.#saved;
  }

  /** Replaces the file at once, so that a crash leaves the old position or the new one. */
  save(position: LogPosition): void {
    if (this.#saved?.segment === position.segment && this.#saved.octets === position.octets) return;
    mkdirSync(this.#folder, { recursive: true });
    const temporary = `${this.#path}.tmp`;
    const file = openSync(temporary, "w");
    try {
      writeSync(file, JSON.stringify({ segment: position.segment, octets: position.octets }));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, this.#path);
    this.#saved = position;
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
