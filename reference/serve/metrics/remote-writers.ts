import { type Config, unsupportedWrite } from "../../metrics/config/index.ts";
import { Labels } from "../../metrics/model/index.ts";
import type { SentMetadata } from "../../metrics/remote/index.ts";
import type { Database, LogPosition } from "../../metrics/tsdb/index.ts";
import { RemotePosition } from "./remote-position.ts";
import { type MetadataSource, RemoteWriter } from "./remote-writer.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Scraper } from "./scraper.ts";

export type WritersOptions = {
  readonly database: Database;
  readonly scraper: Scraper;
  readonly flushMs: number;
  readonly onNotice: (message: string) => void;
};

/** All receivers of a configuration (Prometheus docs, configuration/configuration.md, `<remote_write>`). */
export class RemoteWriters {
  readonly #options: WritersOptions;
  readonly #metadata: MetadataSource;
  #writers = new Map<string, { readonly fingerprint: string; readonly writer: RemoteWriter; readonly position: RemotePosition }>();

  constructor(options: WritersOptions) {
    this.#options = options;
    this.#metadata = new ScrapedMetadata(options.scraper);
    options.database.holdLog(() => this.#least);
  }

  /** What the receiver that is farthest behind has accepted. */
  get #least(): LogPosition | undefined {
    let least: LogPosition | undefined;
    for (const { queue } of this.all) {
      const at = queue.acknowledged;
      if (least === undefined || at.segment < least.segment || (at.segment === least.segment && at.octets < least.octets)) least = at;
    }
    return least;
  }

  get all(): readonly RemoteWriter[] {
    return [...this.#writers.values()].map(({ writer }) => writer);
  }

  /** Takes another configuration. A queue with other settings goes on where the one before has ended. */
  async apply({ remote_write: wanted, global }: Pick<Config, "remote_write" | "global">): Promise<void> {
    const { database, onNotice, flushMs } = this.#options;
    const before = this.#writers;
    const named = new Map<string, Config["remote_write"][number]>();
    for (const one of wanted) {
      let name = one.name ?? one.url;
      for (let serial = 2; named.has(name); serial++) name = `${one.name ?? one.url} ${serial}`;
      named.set(name, one);
    }
    const scheme = global.metric_name_validation_scheme;
    const fingerprints = new Map(
      [...named].map(([name, config]) => [name, fingerprintOf({ config, external: global.external_labels, scheme })]),
    );
    this.#writers = new Map([...before].filter(([name, { fingerprint }]) => fingerprints.get(name) === fingerprint));
    await Promise.all(
      [...before].map(async ([name, { writer, position }]) => {
        if (this.#writers.has(name)) return;
        await writer.close(named.has(name) ? flushMs : 0);
        if (!named.has(name)) position.remove();
      }),
    );
    for (const [name, config] of named) {
      if (this.#writers.has(name)) continue;
      const unsupported = unsupportedWrite(config);
      if (unsupported.length > 0) {
        onNotice(`remote write to ${name}: ${unsupported.join(", ")}: not supported yet, so nothing is sent there`);
        continue;
      }
      const position = new RemotePosition(database.directory, name);
      const external = Labels.of(global.external_labels);
      const writer = new RemoteWriter({ config, name, database, external, scheme, position, metadata: this.#metadata, onNotice });
      this.#writers.set(name, { fingerprint: fingerprints.get(name)!, writer, position });
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((writer) => writer.close(this.#options.flushMs)));
    this.#writers.clear();
  }
}

/** Metadata of the targets is gathered again after this long. */
const GATHER_MS = 10_000;
/** What the names of a family's series have after its own. */
const SUFFIXES = /_(?:total|bucket|sum|count|created|info|gsum|gcount)$/;

class ScrapedMetadata implements MetadataSource {
  readonly #scraper: Scraper;
  #families = new Map<string, SentMetadata>();
  #gatheredAt = -Infinity;

  constructor(scraper: Scraper) {
    this.#scraper = scraper;
  }

  readonly of = (metric: string): SentMetadata | undefined => {
    const families = this.#gathered();
    return families.get(metric) ?? families.get(metric.replace(SUFFIXES, ""));
  };
  all(): Iterable<readonly [string, SentMetadata]> {
    return this.#gathered();
  }

  #gathered(): Map<string, SentMetadata> {
    const now = performance.now();
    if (this.#families.size > 0 && now - this.#gatheredAt < GATHER_MS) return this.#families;
    this.#gatheredAt = now;
    this.#families = new Map();
    for (const { metadata } of this.#scraper.active)
      for (const [family, { type = "", help = "", unit = "" }] of metadata)
        if (!this.#families.has(family)) this.#families.set(family, { type, help, unit });
    return this.#families;
  }
}
