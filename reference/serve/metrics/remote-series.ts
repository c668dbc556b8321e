import { createHash } from "node:crypto";
import { CUSTOM_BOUNDS, Labels } from "../../metrics/model/index.ts";
import type { QueuedSeries, SentForms, SentSample } from "../../metrics/remote/index.ts";
import { type NameScheme, type RelabelConfig, Relabelling } from "../../metrics/scrape/index.ts";
import type { Config } from "../../metrics/config/index.ts";
import type { LogFollower, LoggedSample } from "../../metrics/tsdb/index.ts";

/** Why a sample of the log is not sent, under the names that operators know. */
export type Drop = "dropped_series" | "unintentionally_dropped_series" | "invalid_name" | "nhcb_in_rw1_not_supported";

export type SeriesOptions = {
  readonly external: Labels;
  readonly rules: readonly RelabelConfig[];
  readonly scheme: NameScheme;
  /** Of the writer of the requests. */
  readonly forms: SentForms;
  readonly message: Config["remote_write"][number]["protobuf_message"];
  readonly sendsHistograms: boolean;
  readonly sendsExemplars: boolean;
};

const md5 = (octets: Uint8Array): Uint8Array => createHash("md5").update(octets).digest();
const METRIC = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
/** Series beyond those in memory that are kept before the table is swept. */
const SLACK = 1_000;

type Known = { readonly series: QueuedSeries | Drop; isUsed: boolean };

/** The series of the log as they are sent: with external labels, after the rules (Prometheus docs, configuration/configuration.md, `<remote_write>`). */
export class RemoteSeries {
  readonly #options: SeriesOptions;
  /** Protocol 1, which has names of ASCII letters only. */
  readonly #isFirst: boolean;
  readonly #rules: Relabelling;
  readonly #known = new Map<number, Known>();
  #most = SLACK;
  readonly dropped = new Map<Drop, number>();

  constructor(options: SeriesOptions) {
    this.#options = options;
    this.#isFirst = options.message === "prometheus.WriteRequest";
    this.#rules = new Relabelling(options.rules, { md5, scheme: options.scheme });
  }

  /** The samples to send of a record of the log. */
  ready(samples: readonly LoggedSample[], follower: LogFollower): (SentSample & { readonly series: QueuedSeries })[] {
    const ready: (SentSample & { readonly series: QueuedSeries })[] = [];
    const { sendsHistograms, sendsExemplars } = this.#options;
    const isFirst = this.#isFirst;
    for (const { ref, time, value, isStale, histogram, exemplar } of samples) {
      if (exemplar !== undefined && !sendsExemplars) continue;
      if (histogram !== undefined && isFirst && !sendsHistograms) continue;
      const series = isFirst && histogram?.schema === CUSTOM_BOUNDS ? "nhcb_in_rw1_not_supported" : this.#seriesOf(ref, follower);
      if (typeof series === "string") this.dropped.set(series, (this.dropped.get(series) ?? 0) + 1);
      else ready.push({ series, time, value, isStale, histogram, exemplar });
    }
    return ready;
  }

  #seriesOf(ref: number, follower: LogFollower): QueuedSeries | Drop {
    let known = this.#known.get(ref);
    if (known === undefined) {
      if (this.#known.size >= this.#most) this.#sweep(follower);
      known = { series: this.#made(follower.labelsOf(ref)), isUsed: true };
      this.#known.set(ref, known);
    }
    known.isUsed = true;
    return known.series;
  }

  #made(own: Labels | undefined): QueuedSeries | Drop {
    if (own === undefined) return "unintentionally_dropped_series";
    const { external } = this.#options;
    const labels = this.#rules.apply(external.size === 0 ? own : Labels.of([...external, ...own]));
    if (labels === undefined || labels.size === 0) return "dropped_series";
    if (this.#isFirst && !isPlain(labels)) return "invalid_name";
    return { ...this.#options.forms.of(labels), hash: hashOf(labels.flat) };
  }

  /** Forgets series that memory has dropped and that were not used since the last sweep. */
  #sweep(follower: LogFollower): void {
    for (const [ref, known] of this.#known)
      if (known.isUsed || follower.isInMemory(ref)) known.isUsed = false;
      else this.#known.delete(ref);
    const left = [...this.#known.values()].flatMap(({ series }) => (typeof series === "string" ? [] : [series]));
    this.#options.forms.keep(left);
    this.#most = this.#known.size * 2 + SLACK;
  }
}

/** Whether protocol 1 has these names (Prometheus specs, prw/remote_write_spec.md, "Labels"). */
const isPlain = (labels: Labels): boolean =>
  [...labels].every(([name, value]) => (name === "__name__" ? METRIC.test(value) : LABEL.test(name)));

/** FNV-1a. */
function hashOf(texts: readonly string[]): number {
  let hash = 0x811c_9dc5;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
    hash = Math.imul(hash ^ SEPARATOR, 0x0100_0193);
  }
  return hash >>> 0;
}
/** No text has it alone. */
const SEPARATOR = 0xdcff;
