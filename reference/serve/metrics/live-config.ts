import { configText, describeProblem, loadConfig, type Config } from "../../metrics/config/index.ts";
import type { RuleGroup } from "../../metrics/rules/index.ts";
import { readConfigFiles } from "./config-files.ts";

/** A configuration that was refused: the message names every problem with its place. */
export class ConfigRefused extends Error {
  override readonly name = "ConfigRefused";
}

/** The configuration of a running server. */
export class LiveConfig {
  /** Undefined: the server has none, and scrapes itself. */
  readonly #file: string | undefined;
  readonly #isAgent: boolean;
  readonly #onNotice: (message: string) => void;
  readonly #now: () => number;
  #current: Config;
  #rules: readonly RuleGroup[] = [];
  #isLoaded = true;
  #refusedAt: number | undefined;
  #loadedAt: number;

  /** Throws `ConfigRefused`. `text` is the configuration if there is no file. */
  constructor({
    file,
    text,
    isAgent,
    now,
    onNotice,
  }: {
    file: string | undefined;
    text: string;
    isAgent: boolean;
    now: () => number;
    onNotice: (message: string) => void;
  }) {
    this.#file = file;
    this.#isAgent = isAgent;
    this.#onNotice = onNotice;
    this.#now = now;
    ({ config: this.#current, rules: this.#rules } = this.#read(text));
    this.#loadedAt = now();
  }

  get current(): Config {
    return this.#current;
  }
  /** The groups of the rule files. */
  get rules(): readonly RuleGroup[] {
    return this.#rules;
  }
  /** The configuration as YAML, without its secrets. */
  get text(): string {
    return configText(this.#current);
  }
  /** Whether the last attempt to load it succeeded, and the time of the last success. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }
  /** The time of the last attempt, if it failed. */
  get refusedAt(): number | undefined {
    return this.#refusedAt;
  }
  get loadedAt(): number {
    return this.#loadedAt;
  }

  /** Reads the file again. Throws `ConfigRefused` and changes nothing if it is invalid. */
  reload(): Config {
    if (this.#file === undefined) return this.#current;
    try {
      const { config: next, rules } = this.#read("");
      if (JSON.stringify(next.storage) !== JSON.stringify(this.#current.storage))
        this.#onNotice(`${this.#file}: changes of storage take effect at the next start`);
      this.#current = next;
      this.#rules = rules;
      this.#isLoaded = true;
      this.#refusedAt = undefined;
      this.#loadedAt = this.#now();
      return next;
    } catch (error) {
      this.#isLoaded = false;
      this.#refusedAt = this.#now();
      throw error;
    }
  }

  /** Replaces the configuration of a server without a file. */
  replace(text: string): void {
    this.#current = this.#read(text).config;
  }

  #read(text: string): { readonly config: Config; readonly rules: readonly RuleGroup[] } {
    if (this.#file === undefined) return { config: loadConfig(text, { file: "(no configuration)" }).config!, rules: [] };
    const { config, rules, problems, notices, missing } = readConfigFiles(this.#file, { isAgent: this.#isAgent });
    if (config === undefined) throw new ConfigRefused(problems.map((one) => describeProblem(one)).join("\n"));
    for (const notice of [...notices, ...missing]) this.#onNotice(describeProblem(notice));
    return { config, rules };
  }
}
