import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type OutgoingHttpHeaders, request as send } from "node:http";
import { join } from "node:path";
import type { Started } from "../../harness/impostors/catch.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { type Protocol, requestOf, type RequestSeries, type WrittenValue } from "../../wire/remotewrite/build.ts";
import type { WrittenHistogram } from "../../wire/metrics/histogram.ts";
import { readMessage } from "../../wire/protobuf.ts";
import { ClientDriver } from "../driver/client.ts";
import { EXTERNAL, HELP, NATIVE_TYPE, nativeAt } from "../driver/page.ts";
import type { SenderCase } from "../sender-vocabulary.ts";

/** A small sender that is right, and others that are wrong on purpose. */

type Flaw = {
  readonly about: string;
  /** Sends this in place of requests, or nothing at all. */
  readonly instead?: "garbage" | "nothing";
  /** Whether it sends a request again; by default after 5xx, 429 and no answer. */
  readonly again?: (status: number) => boolean;
  /** Sends nothing more after an answer other than 2xx. */
  readonly stops?: true;
  /** Waits this long after each failure. */
  readonly waitMs?: number;
  /** Sends each request twice, and of two the newer one first. */
  readonly isConfused?: true;
  /** Keeps nothing on disk. */
  readonly forgets?: true;
  /** Changes what is sent of a scrape. */
  readonly series?: (series: readonly RequestSeries[]) => readonly RequestSeries[];
};

const labelled =
  (change: (labels: RequestSeries["labels"]) => RequestSeries["labels"]): NonNullable<Flaw["series"]> =>
  (all) =>
    all.map((one) => ({ ...one, labels: change(one.labels) }));

export const FLAWS: { readonly [name: string]: Flaw } = {
  garbage: { about: "sends octets without sense", instead: "garbage" },
  honest: { about: "does nothing wrong" },
  forgetful: { about: "never sends a request again", again: () => false, forgets: true },
  stubborn: { about: "sends a request again until something makes it stop", again: (status) => status !== 204, waitMs: 20 },
  "steady-pace": { about: "waits equally long after each failure", waitMs: 150 },
  "gives-up": { about: "sends nothing more after a failure", stops: true },
  confused: { about: "sends newer requests first, and each twice", isConfused: true },
  unsorted: { about: "does not sort labels", series: labelled((labels) => labels.toReversed()) },
  talkative: { about: "sends its own labels of the target", series: labelled((labels) => [["__address__", "x"], ...labels]) },
  seconds: {
    about: "sends times in seconds",
    series: (all) =>
      all.map((one) => ({ ...one, samples: (one.samples ?? []).map(([value, time]) => [value, Math.round(time / 1_000)] as const) })),
  },
  together: {
    about: "sends a float beside each histogram, of which it doubles the sum",
    series: (all) =>
      all
        .filter(({ samples }) => samples?.[0]?.[0] !== "stale")
        .map((one) => ({
          ...one,
          ...(one.histograms && {
            samples: one.histograms.map(([, time]) => [1, time] as const),
            histograms: one.histograms.map(([value, time]) => [{ ...value, sum: value.sum * 2 }, time] as const),
          }),
        })),
  },
  silent: { about: "never sends anything", instead: "nothing" },
};

const INTERVAL_MS = 100;
const UNESCAPED: { readonly [letter: string]: string } = { n: "\n", '"': '"', "\\": "\\" };
const BY_OCTETS = (a: readonly [string, string], b: readonly [string, string]): number =>
  Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0]));
const TYPES: { readonly [type: string]: number } = { counter: 1, gauge: 2, histogram: 3 };

type Scraped = {
  readonly labels: RequestSeries["labels"];
  readonly value: WrittenValue | WrittenHistogram;
  readonly metadata: RequestSeries["metadata"];
};
const seriesOf = ({ labels, value, metadata }: Scraped, time: number): RequestSeries => ({
  labels,
  ...(typeof value === "object" ? { histograms: [[value, time]] } : { samples: [[value, time]] }),
  ...(metadata && { metadata }),
});

/** The page of messages, of which only the scrape is not known before. */
function scrapedMessages(page: Uint8Array, target: string): Scraped[] {
  // Its first family is shorter than 16,384 octets: two for its length.
  const first = readMessage(page.subarray(page[0]! < 128 ? 1 : 2, page[0]! < 128 ? 1 + page[0]! : 2 + (page[0]! & 127) + page[1]! * 128));
  const histogram = readMessage(readMessage(first?.octets(4) ?? new Uint8Array())?.octets(7) ?? new Uint8Array());
  const scrape = (histogram?.number(1) ?? 3) - 3;
  const labels = (name: string): RequestSeries["labels"] =>
    [...EXTERNAL, ["job", "harness"] as const, ["instance", target] as const, ["__name__", name] as const].sort(BY_OCTETS);
  const { count, sum, positive } = nativeAt(scrape);
  const value = {
    schema: 0,
    zeroThreshold: 0.5,
    zeroCount: 1,
    positive: { 0: positive[0]!, 1: positive[1]! },
    negative: {},
    count,
    sum,
    isInteger: true,
    isGauge: false,
  };
  return [
    { labels: labels("native"), value, metadata: [3, HELP, ""] },
    { labels: labels("ticks_total"), value: scrape, metadata: [1, HELP, ""] },
  ];
}

function scraped(page: string, target: string): Scraped[] {
  const [types, helps] = [new Map<string, number>(), new Map<string, string>()];
  const found: Scraped[] = [];
  for (const line of page.split("\n")) {
    const [, kind, family = "", rest = ""] = /^# (TYPE|HELP) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "TYPE") types.set(family, TYPES[rest] ?? 0);
    if (kind === "HELP") helps.set(family, rest);
    const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const own = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, label = "", text = ""]) => [label, text.replaceAll(/\\(.)/g, (_, letter: string) => UNESCAPED[letter] ?? letter)] as const,
    );
    const all = new Map([...EXTERNAL, ["job", "harness"], ["instance", target], ["__name__", name], ...own]);
    const known = /^(?:[+-]Inf|NaN)$/.test(value) ? (value as WrittenValue) : Number(value);
    const base = name.replace(/_(?:bucket|sum|count)$/, "");
    found.push({
      labels: [...all].filter(([, text]) => text !== "").sort(BY_OCTETS),
      value: known,
      metadata: [types.get(name) ?? types.get(base) ?? 0, helps.get(name) ?? "", ""],
    });
  }
  return found;
}

class Sender {
  readonly #flaw: Flaw;
  readonly #url: string;
  readonly #protocol: Protocol;
  readonly #file: string;
  /** What was not accepted yet, a scrape each. */
  #queue: (readonly RequestSeries[])[] = [];
  #known = new Map<string, RequestSeries["labels"]>();
  #waitMs = 0;
  /** Of a confused one: waits for the next scrape. */
  #held: readonly RequestSeries[] | undefined;

  constructor(flaw: Flaw, url: string, protocol: Protocol, directory: string) {
    this.#flaw = flaw;
    this.#url = url;
    this.#protocol = protocol;
    mkdirSync(directory, { recursive: true });
    this.#file = join(directory, "queue.json");
    if (existsSync(this.#file)) this.#queue = JSON.parse(readFileSync(this.#file, "utf8")) as (readonly RequestSeries[])[];
  }

  async scrape(target: string): Promise<void> {
    const time = Date.now();
    const found = await this.#found(target);
    const before = this.#known;
    this.#known = new Map(found.map(({ labels }) => [JSON.stringify(labels), labels]));
    const ended = [...before]
      .filter(([key]) => !this.#known.has(key))
      .map(([, labels]): RequestSeries => ({ labels, samples: [["stale", time]] }));
    const series = [...found.map((one) => seriesOf(one, time)), ...ended];
    if (series.length === 0) return;
    const changed = this.#flaw.series?.(series) ?? series;
    const held = this.#held;
    this.#held = this.#flaw.isConfused === true && held === undefined ? changed : undefined;
    if (this.#held === undefined) this.#queue.push(...(held === undefined ? [changed] : [changed, held]));
  }

  async #found(target: string): Promise<Scraped[]> {
    const accept = "application/vnd.google.protobuf;q=0.9,text/plain;q=0.5";
    const response = await fetch(`http://${target}/metrics`, { headers: { accept } }).catch(() => undefined);
    if (response?.ok !== true) return [];
    if (response.headers.get("content-type") !== NATIVE_TYPE) return scraped(await response.text(), target);
    return scrapedMessages(await response.bytes(), target);
  }

  async flush(signal: AbortSignal): Promise<void> {
    const { again = (status: number) => status >= 500 || status === 429 || status === 0, stops, isConfused, waitMs } = this.#flaw;
    while (this.#queue.length > 0 && !signal.aborted) {
      const [first = []] = this.#queue;
      const { status, retryAfterMs } = await this.#post(first);
      if (isConfused === true) await this.#post(first);
      if (status < 200 || status >= 300) {
        if (stops === true) await new Promise((resolve) => void signal.addEventListener("abort", resolve));
      }
      if (!again(status)) {
        this.#queue.shift();
        this.#waitMs = 0;
        continue;
      }
      this.#waitMs = waitMs ?? Math.min(1_000, this.#waitMs === 0 ? 30 : this.#waitMs * 2);
      await pause(waitMs ?? retryAfterMs ?? this.#waitMs);
    }
  }

  save(): void {
    if (this.#flaw.forgets !== true) writeFileSync(this.#file, JSON.stringify(this.#queue));
  }

  #post(series: readonly RequestSeries[]): Promise<{ readonly status: number; readonly retryAfterMs: number | undefined }> {
    const isGarbage = this.#flaw.instead === "garbage";
    const type = this.#protocol === 1 ? "" : ";proto=io.prometheus.write.v2.Request";
    const headers: OutgoingHttpHeaders | readonly string[] = isGarbage
      ? ["host", new URL(this.#url).host, "content-type", "text/plain", "content-type", "text/html"]
      : {
          "content-encoding": "snappy",
          "content-type": `application/x-protobuf${type}`,
          "user-agent": "honest/1.0",
          "x-prometheus-remote-write-version": this.#protocol === 1 ? "0.1.0" : "2.0.0",
        };
    const url = new URL(this.#url);
    if (isGarbage) url.pathname = "/elsewhere";
    return new Promise((resolve) => {
      const request = send(url, { method: isGarbage ? "PUT" : "POST", headers }, (response) => {
        response.resume();
        response.once("end", () => {
          const after = response.headers["retry-after"];
          resolve({ status: response.statusCode ?? 0, retryAfterMs: after === undefined ? undefined : Number(after) * 1_000 });
        });
      });
      request.once("error", () => resolve({ status: 0, retryAfterMs: undefined }));
      request.end(isGarbage ? "nothing that makes sense" : requestOf(this.#protocol, { series }));
    });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** The sender with this flaw. */
const clientOf =
  (flaw: Flaw): InProcessClient =>
  async (url, signal, { sender: places }) => {
    if (places === undefined) throw new Error("a sender needs a target");
    const sender = new Sender(flaw, url, places.protocol, places.directory);
    let sending: Promise<void> | undefined;
    while (!signal.aborted) {
      await sender.scrape(places.target);
      if (flaw.instead !== "nothing") sending ??= sender.flush(signal).finally(() => (sending = undefined));
      await pause(INTERVAL_MS);
    }
    await sending;
    sender.save();
  };

/** Starts the impostor with this name. */
export async function startSender(name: string): Promise<Started<SenderCase>> {
  const driver = new ClientDriver({ client: clientOf(flawOf(FLAWS, name)), timeout: 1_000, mostMs: name === "honest" ? 20_000 : 4_000 });
  return { driver, stop: () => driver.close() };
}
