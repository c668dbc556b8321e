import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { addToCorpus, loadCorpus } from "../fuzz/lib/corpus.ts";

/** The most inputs to send in one request. */
const BATCH = 1_000;

/** The corpora of a campaign, which all its workers read and add to: a set of inputs in hexadecimal for each target. */
export class SharedCorpus {
  readonly #redis: Redis;
  readonly #prefix: string;

  constructor(redis: Redis, campaign: string) {
    this.#redis = redis;
    this.#prefix = `touchstone:${campaign}:corpus`;
  }

  /** Runs something with a folder that has the corpus of a target, and shares what is new in it. */
  async during<T>(target: string, action: (folder: string) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-corpus-"));
    try {
      await this.read(target, folder);
      const done = await action(folder);
      await this.#share(folder);
      return done;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Writes the corpus of a target into a folder. Returns how many inputs it has. */
  async read(target: string, folder: string): Promise<number> {
    const name = target.replaceAll("/", "-");
    const inputs = await this.#redis.smembers(`${this.#prefix}:${name}`);
    addToCorpus(
      join(folder, `${name}.txt`),
      inputs.filter((line) => /^(?:[0-9a-f]{2})+$/.test(line)).map((line) => Buffer.from(line, "hex")),
    );
    return inputs.length;
  }

  async #share(folder: string): Promise<void> {
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".txt"))) {
      const inputs = loadCorpus(join(folder, file)).map((input) => Buffer.from(input).toString("hex"));
      for (let at = 0; at < inputs.length; at += BATCH)
        await this.#redis.sadd(`${this.#prefix}:${file.replace(/\.txt$/, "")}`, ...inputs.slice(at, at + BATCH));
    }
  }
}
