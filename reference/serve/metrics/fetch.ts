import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { version } from "../../../version.ts";
import { reasonPhrase } from "../../http/index.ts";
import type { ScrapeConfig } from "../../metrics/config/index.ts";
import {
  acceptOf,
  DEFAULT_LIMITS,
  type Format,
  isEscapingScheme,
  OPENMETRICS,
  OPENMETRICS_OLD,
  PROTOBUF,
  TEXT,
  TEXT_UTF8,
} from "../../metrics/exposition/index.ts";
import { formatOf, type Scraped } from "../../metrics/scrape/index.ts";
import type { ClientResponse } from "../client/exchange.ts";
import { discard } from "./content.ts";
import { described, HttpAccess } from "./http-access.ts";
import type { Field } from "./outgoing.ts";
import type { PageRoom } from "./page-rooms.ts";

/** How the targets of one job are fetched: negotiation, credentials, redirects, limits. */

const unzipped = promisify(gunzip);

const FORMATS: Readonly<Record<string, Format>> = {
  PrometheusProto: PROTOBUF,
  "OpenMetricsText0.0.1": OPENMETRICS_OLD,
  "OpenMetricsText1.0.0": OPENMETRICS,
  "PrometheusText0.0.4": TEXT,
  "PrometheusText1.0.0": TEXT_UTF8,
};

/** The Accept field for the protocols of a job. */
function acceptFor({ scrape_protocols, metric_name_escaping_scheme: asked }: ScrapeConfig): string {
  const escaping = isEscapingScheme(asked) ? asked : "allow-utf-8";
  const formats = scrape_protocols.flatMap((name) => FORMATS[name] ?? []);
  return acceptOf(formats.map((one) => (one.version === "1.0.0" && one.is !== "protobuf" ? { ...one, escaping } : one)));
}

/** `room` receives the page, which is valid until the room is given back. */
export type FetchOptions = { readonly timeoutMs: number; readonly stop: AbortSignal; readonly room: PageRoom };

/** Fetches the pages of a job. */
export class Fetcher {
  readonly #job: ScrapeConfig;
  readonly #accept: string;
  readonly #access: HttpAccess;

  constructor(job: ScrapeConfig) {
    this.#job = job;
    this.#accept = acceptFor(job);
    // A connection lasts until the next scrape, unless that is far away.
    this.#access = new HttpAccess(job, { connectMs: job.scrape_timeout, keepMs: Math.min(120_000, job.scrape_interval + 5_000) });
  }

  /** The page of a target, or why there is none; never rejects. */
  async fetch(url: string, { timeoutMs, stop, room }: FetchOptions): Promise<Scraped> {
    const late = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([late, stop]);
    try {
      return await this.#fetch(url, timeoutMs, { signal, room });
    } catch (error) {
      if (late.aborted) return { error: `the target did not answer completely within ${timeoutMs} ms` };
      return { error: described(error) };
    }
  }

  async close(): Promise<void> {
    await this.#access.close();
  }

  async #fetch(url: string, timeoutMs: number, { signal, room }: Pick<Reading, "signal" | "room">): Promise<Scraped> {
    const { body_size_limit, fallback_scrape_protocol } = this.#job;
    const fields: Field[] = [
      ["accept", this.#accept],
      ["accept-encoding", this.#job.enable_compression ? "gzip" : "identity"],
      ["user-agent", `Touchstone/${version}`],
      ["x-prometheus-scrape-timeout-seconds", String(timeoutMs / 1_000)],
    ];
    const response = await this.#access.send(url, { fields, signal });
    const limit = body_size_limit > 0 ? body_size_limit : DEFAULT_LIMITS.pageOctets;
    return await pageOf(response, { limit, fallback: fallback_scrape_protocol, signal, room });
  }
}

type Reading = { readonly limit: number; readonly fallback: string | undefined; readonly signal: AbortSignal; readonly room: PageRoom };

/** The page in a response. */
async function pageOf({ status, fields, body }: ClientResponse, { limit, fallback, signal, room }: Reading): Promise<Scraped> {
  if (status !== 200) {
    discard(body);
    return { error: `the target answers with ${status} ${reasonPhrase(status) ?? ""}`.trim() };
  }
  const format = formatOf(fields.get("content-type"), fallback);
  if (format === undefined) {
    discard(body);
    return {
      error: `the Content-Type ${JSON.stringify(fields.get("content-type") ?? "")} is not that of a metrics page, and the job has no fallback_scrape_protocol`,
    };
  }
  const coding = (fields.get("content-encoding") ?? "identity").trim().toLowerCase();
  const received = await room.fill(body, limit, signal);
  if (received === undefined) return tooLarge(limit);
  if (coding === "identity" || coding === "") return { octets: received, format };
  if (coding !== "gzip" && coding !== "x-gzip") return { error: `the Content-Encoding ${JSON.stringify(coding)} was not asked for` };
  try {
    return { octets: await unzipped(received, { maxOutputLength: limit }), format };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return isTooLarge ? tooLarge(limit) : { error: `the page is not in gzip: ${described(error)}` };
  }
}

const tooLarge = (limit: number): Scraped => ({ error: `the page is larger than ${limit} octets`, isTooLarge: true });
