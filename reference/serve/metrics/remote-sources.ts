import { version } from "../../../version.ts";
import type { SeriesTask } from "../../metrics/api/index.ts";
import type { Config } from "../../metrics/config/index.ts";
import { Labels, Matcher } from "../../metrics/model/index.ts";
import { type Annotation, childrenOf, ENGINE_DEFAULTS, type Expr, extentOf, QueryTimedOut } from "../../metrics/promql/index.ts";
import { ReadAnswer, type ReadQuery, unpackedMessage, writeReadRequest } from "../../metrics/remote/index.ts";
import { type Database, merged, pack } from "../../metrics/tsdb/index.ts";
import { discard } from "./content.ts";
import { described, HttpAccess } from "./http-access.ts";
import type { Gathered, OtherStorages, ReadTask } from "./queries.ts";

/** Reading from other servers (Prometheus docs, configuration/configuration.md, `<remote_read>`). */

type ReadConfig = Config["remote_read"][number];
/** What a response of samples may have, and unpack to. */
const MOST_OCTETS = 512 << 20;
const MOST_SAMPLES = 20_000_000;

/** The times that questions may have. */
const MOST_MS = Number.MAX_SAFE_INTEGER;
type Wanted = { readonly selectors: readonly (readonly Matcher[])[]; readonly start: number; readonly end: number };

/** One server that is read from. */
class RemoteSource {
  readonly config: ReadConfig;
  readonly #access: HttpAccess;

  constructor(config: ReadConfig) {
    this.config = config;
    this.#access = new HttpAccess(config, { connectMs: config.remote_timeout, keepMs: 60_000 });
  }

  get name(): string {
    return this.config.name ?? this.config.url;
  }

  async close(): Promise<void> {
    await this.#access.close();
  }

  /** The series of all queries in one storage. */
  async read(queries: readonly ReadQuery[], asked: Labels, signal: AbortSignal): Promise<ReadAnswer["storage"]> {
    const { url, headers, chunked_read_limit } = this.config;
    const answer = new ReadAnswer({ mostSamples: MOST_SAMPLES, mostOctets: chunked_read_limit, asked });
    const response = await this.#access.send(url, {
      method: "POST",
      isRepeatable: true,
      fields: [
        ["content-type", "application/x-protobuf"],
        ["content-encoding", "snappy"],
        ["user-agent", `Touchstone/${version}`],
        ["x-prometheus-remote-read-version", "0.1.0"],
        ...Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]),
      ],
      body: pack(writeReadRequest(queries)),
      signal,
    });
    if (response.status !== 200) {
      discard(response.body);
      throw new Error(`it answers ${response.status}`);
    }
    const type = (response.fields.get("content-type") ?? "").split(";", 1)[0]?.trim();
    if (type === "application/x-streamed-protobuf") {
      for await (const piece of response.body) answer.piece(piece);
      answer.end();
    } else answer.message(unpackedMessage(await response.body.bytes(MOST_OCTETS), MOST_OCTETS));
    return answer.storage;
  }
}

/** All servers of a configuration that are read from. */
export class RemoteSources implements OtherStorages {
  readonly #local: Database;
  readonly #lookbackMs: number;
  #external = Labels.NONE;
  #sources: readonly RemoteSource[] = [];

  constructor(local: Database, lookbackMs: number) {
    this.#local = local;
    this.#lookbackMs = lookbackMs;
  }

  async apply({ remote_read, global }: Pick<Config, "remote_read" | "global">): Promise<void> {
    const before = this.#sources;
    this.#external = Labels.of(global.external_labels);
    this.#sources = remote_read.map((config) => new RemoteSource(config));
    await Promise.all(before.map((source) => source.close()));
  }

  isAsked(task: ReadTask): boolean {
    if (this.#sources.length === 0) return false;
    const wanted = this.#wantedOf(task);
    return this.#sources.some((source) => this.#questionsOf(source, wanted).length > 0);
  }

  gather(task: ReadTask, deadline: number): Promise<Gathered> {
    return this.#gather(this.#wantedOf(task), task.signal, deadline);
  }

  /** The storage with the series of others that the selectors choose; undefined if none is asked. */
  series({ sets, start, end, signal }: SeriesTask, deadline: number): Promise<Gathered> | undefined {
    const wanted: Wanted = { selectors: sets, start: Math.max(start, -MOST_MS), end: Math.min(end, MOST_MS) };
    const isAsked = this.#sources.some((source) => this.#questionsOf(source, wanted).length > 0);
    return isAsked ? this.#gather(wanted, signal, deadline) : undefined;
  }

  /** The servers that have series of this time, but cannot be asked for names and values of labels. */
  withoutLabels({ start }: { readonly start: number }): string[] {
    return this.#sources.filter((source) => start < this.#readsUntil(source)).map(({ name }) => name);
  }

  async #gather(wanted: Wanted | undefined, signal: AbortSignal, deadline: number): Promise<Gathered> {
    const warnings: Annotation[] = [];
    const found = await Promise.all(
      this.#sources.map(async (source) => {
        const queries = this.#questionsOf(source, wanted);
        if (queries.length === 0) return undefined;
        const leftMs = deadline - performance.now();
        const { remote_timeout: mostMs } = source.config;
        const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(mostMs, leftMs))));
        try {
          return await source.read(queries, this.#askedOf(source), AbortSignal.any([signal, timeout]));
        } catch (error) {
          // The time of the query is over, not that of the server: no answer without its series, even if the timer was a moment early.
          if (timeout.aborted && leftMs <= mostMs) throw new QueryTimedOut();
          const message = `remote_read ${source.name}: ${described(error)}: its series are missing`;
          warnings.push({ level: "warning", message, span: { start: 0, end: 0 } });
          return undefined;
        }
      }),
    );
    const storages = [this.#local, ...found.filter((one) => one !== undefined)];
    return { warnings, storage: { querier: (start, end) => merged(storages.map((one) => one.querier(start, end))) } };
  }

  async close(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.close()));
  }

  /** The external labels that are asked for, and removed from what comes back. */
  #askedOf({ config }: RemoteSource): Labels {
    return config.filter_external_labels ? this.#external : Labels.NONE;
  }

  /** All that an expression reads. */
  #wantedOf({ expr, startMs, endMs, stepMs, lookbackMs }: ReadTask): Wanted | undefined {
    const options = { ...ENGINE_DEFAULTS, lookbackMs: lookbackMs ?? this.#lookbackMs };
    const extent = extentOf(expr, { startMs, endMs, stepMs }, options);
    if (extent === undefined) return undefined;
    return { selectors: [...selectorsIn(expr)], start: Math.floor(extent.startMs), end: Math.ceil(extent.endMs) };
  }

  /** One question for each selector; none for what this server has itself. */
  #questionsOf(source: RemoteSource, wanted: Wanted | undefined): ReadQuery[] {
    const until = this.#readsUntil(source);
    if (wanted === undefined || wanted.start >= until) return [];
    const { required_matchers: required } = source.config;
    const [start, end] = [wanted.start, Math.ceil(Math.min(wanted.end, until))];
    const asked = this.#askedOf(source);
    return wanted.selectors
      .filter((matchers) =>
        Object.entries(required).every(([name, value]) =>
          matchers.some((one) => one.name === name && one.operator === "=" && one.value === value),
        ),
      )
      .map((matchers) => ({ start, end, matchers: [...matchers, ...missing(matchers, asked)] }));
  }

  /** What is later is read from this server alone. */
  #readsUntil({ config }: RemoteSource): number {
    return config.read_recent ? Infinity : this.#localStart;
  }

  /** The time of the first sample of this server. */
  get #localStart(): number {
    return Math.min(this.#local.head.minTime, ...this.#local.blocks.all.map(({ meta }) => meta.minTime));
  }
}

/** Matchers for the labels that a selector does not mention. */
const missing = (matchers: readonly Matcher[], labels: Labels): Matcher[] =>
  [...labels].filter(([name]) => matchers.every((one) => one.name !== name)).map(([name, value]) => new Matcher(name, "=", value));

function* selectorsIn(expr: Expr): Generator<readonly Matcher[]> {
  if (expr.is === "vectorSelector") yield expr.matchers;
  for (const child of childrenOf(expr)) yield* selectorsIn(child);
}
