import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import { probeSettings, type RunOf, Together } from "../../harness/together.ts";
import { placesBeside, requirePlaces } from "../../harness/subject/program.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import type { Case, Step } from "../vocabulary.ts";
import { readTemplate } from "./config.ts";
import { FEATURES, PLAIN } from "./features.ts";
import { faultOf, inWords } from "./judge.ts";
import { nameOf, type JobRecord } from "./record.ts";
import { runSession, type SessionOptions, type SessionResult } from "./session.ts";

/** Scrapes are this far apart. */
const INTERVAL_MS = 500;
/** A job that does not go on for so long is over. */
const STILL_MS = 20_000;
/** Samples may be shown so late. */
const SHOWN_MS = 12_000;
/** Programs load first: the time until the first request. */
const STARTUP_MS = 20_000;
/** Programs at the same time that find out about settings. */
const ABREAST = 4;
const DEFAULT_API = "http://127.0.0.1:{port}";
/** The most requests that a transcript shows. */
const SHOWN = 30;

export type ScraperOptions = {
  readonly client: string | InProcessClient;
  readonly api: string | undefined;
  readonly template: string | undefined;
  /** How long a job that does not go on is waited for, in milliseconds. */
  readonly stillMs?: number;
  /** How long its first request is waited for. */
  readonly startupMs?: number;
};

/** Performs the cases on a scraper. All cases that are asked for at the same time are jobs of one run. */
export class ScraperDriver implements Driver<Case> {
  readonly role = "client";
  readonly #options: ScraperOptions;
  readonly #template: string | undefined;
  readonly #together: Together<Step, JobRecord>;
  /** The last performance of each case. */
  readonly #performed = new Map<string, { readonly record: Promise<JobRecord>; readonly control: Promise<JobRecord> }>();

  constructor(options: ScraperOptions) {
    const { client, api, template } = options;
    requirePlaces(client, placesBeside(api));
    this.#options = options;
    this.#template = template === undefined ? undefined : readTemplate(template);
    this.#together = new Together({ run: (steps, patience) => this.#records(steps, patience), isShared: this.#isShared });
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    let complaint = "";
    const features = await probeSettings(FEATURES, {
      plain: PLAIN,
      abreast: this.#isShared ? 1 : ABREAST,
      isUp: async (steps) => {
        const result = await this.#session(steps, 1);
        ({ complaint } = result);
        return result.hasScraped;
      },
      onDown: () => {
        const said = complaint === "" ? "" : ` It said: ${complaint}`;
        throw new Unreachable(`The scraper does not scrape the target of its configuration.${said}`);
      },
    });
    return { features };
  }

  async play(c: Case): Promise<Played> {
    const { record: recorded } = this.#performed.get(c.id) ?? this.#perform(c, 1);
    const record = await recorded;
    const transcript = transcriptOf(record);
    if (record.passed < c.steps[0]!.stages.length) {
      if (record.isRefused) return { is: "unproved", reason: `${record.stopped}.`, observed: "nothing", transcript };
      const reason = `Stage ${record.passed + 1} of ${c.steps[0]!.stages.length} did not end: ${record.stopped}`;
      return { is: "other", reason: `${reason}.`, observed: reason, timedOut: true, transcript };
    }
    let reason = "";
    for (const [index, { see }] of c.allowed.entries()) {
      const fault = faultOf(see, record);
      if (fault === undefined) return { is: "allowed", index, reason: "", observed: "as required", transcript };
      reason ||= fault;
    }
    const sentence = reason.replace(/^(?:the|there|it|nothing) /, (word) => `${word[0]!.toUpperCase()}${word.slice(1)}`);
    return { is: "other", reason: `${sentence}.`, observed: reason, transcript };
  }

  async control(c: Case, patience = 1): Promise<Twin> {
    const { control } = this.#perform(c, patience);
    const record = await control;
    const isAccepted = record.passed === c.control[0]!.stages.length;
    return {
      is: isAccepted ? "accepted" : record.isRefused ? "unproved" : "refused",
      reason: isAccepted ? "its pages are stored" : `its page is not stored: ${record.stopped}`,
      transcript: transcriptOf(record),
    };
  }

  /** Controls run beside their cases, so each is its own; equal ones are one job. */
  controlKey({ id }: Case): string {
    return id;
  }
  expected({ allowed }: Case): string[] {
    return allowed.map(({ see }) => inWords(see));
  }
  async close(): Promise<void> {
    await this.#together.close();
  }

  /** Runs that ask at one address are made one after the other. */
  get #isShared(): boolean {
    return this.#options.api !== undefined && !this.#options.api.includes("{port}");
  }

  #perform(c: Case, patience: number): { readonly record: Promise<JobRecord>; readonly control: Promise<JobRecord> } {
    const found = { record: this.#together.want(c.steps[0]!, patience), control: this.#together.want(c.control[0]!, patience) };
    // Who asks for only one of the two hears of the failure there.
    for (const one of [found.record, found.control]) one.catch(() => {});
    this.#performed.set(c.id, found);
    return found;
  }

  async #records(steps: readonly Step[], patience: number): Promise<RunOf<JobRecord>> {
    const { records, complaint } = await this.#session(steps, patience);
    const said = complaint === "" ? "" : ` (it said: ${complaint})`;
    return {
      records: records.map((one) => (one.stopped === "" ? one : { ...one, stopped: `${one.stopped}${said}` })),
      isRefused: records.some(({ isRefused }) => isRefused),
    };
  }

  #session(steps: readonly Step[], patience: number): Promise<SessionResult> {
    const { client, api = DEFAULT_API, stillMs = STILL_MS, startupMs = STARTUP_MS } = this.#options;
    const options: SessionOptions = {
      client,
      api,
      template: this.#template,
      stillMs: stillMs * patience,
      startupMs: startupMs * patience,
      shownMs: Math.min(SHOWN_MS, stillMs / 2) * patience,
      intervalMs: INTERVAL_MS,
    };
    return runSession(steps, options);
  }
}

function transcriptOf({ asked, series, passed, stopped }: JobRecord): TranscriptLine[] {
  const requests = asked.slice(0, SHOWN).map(({ at, method, path, host, stage, fields }): TranscriptLine => ({
    at: Math.round(at),
    way: "<-",
    means: `${method} ${path}${host === "elsewhere" ? " at the other host" : ""} in stage ${stage}: ${fields.map(([name, value]) => `${name}: ${value}`).join("; ")}`,
  }));
  const at = Math.round(asked.at(-1)?.at ?? 0);
  const stored = series.map((one): TranscriptLine => {
    const labels = Object.entries(one.labels).flatMap(([name, value]) => (name === "__name__" ? [] : [`${name}="${value}"`]));
    const values = one.points.slice(0, 8).map(({ time, value }) => `${value} @${time}`);
    return { at, way: "--", means: `stored: ${nameOf(one)}{${labels.join(",")}} ${values.join(" ")}` };
  });
  return [...requests, ...stored, { at, way: "--", means: `${passed} stages are over${stopped === "" ? "" : `; ${stopped}`}` }];
}
