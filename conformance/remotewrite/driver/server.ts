import { randomBytes } from "node:crypto";
import { type Driver, type Feature, type Played, type Twin, Unreachable, WrongUse } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import type { RequestField } from "../../wire/request-fields.ts";
import type { Case, Counts, Sight, Step } from "../vocabulary.ts";
import { type Answer, type Moment, type Receiver, send, stored } from "./request.ts";
import { sightInWords } from "./words.ts";

/** Optional features of a receiver, probed once before the first case. */
export const SERVER_FEATURES: Readonly<Record<string, string>> = {
  one: "it writes a sample of protocol 1",
  two: "it writes a sample of protocol 2, and says so",
  histograms: "it writes a native histogram",
  query: "a query shows the sample that was written: --query, by default /api/v1/query",
};

const MINUTES = 60_000;
export const NATIVE = {
  schema: 0,
  zeroThreshold: 0.5,
  zeroCount: 1,
  positive: { 1: 2, 2: 3 },
  negative: {},
  count: 6,
  sum: 9,
  isInteger: true,
  isGauge: false,
} as const;

export type ServerOptions = {
  readonly url: string;
  readonly query?: string | undefined;
  readonly timeout: number;
  readonly fields?: readonly RequestField[];
};
type Ended = { readonly answers: readonly Answer[]; readonly moment: Moment; readonly lines: TranscriptLine[] };

/** The message of an error; that of fetch() says nothing, but its cause does. */
function causeOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message : String(cause);
}

/** Performs the cases on a receiver. */
export class ServerDriver implements Driver<Case> {
  readonly role = "server";
  readonly #url: string;
  readonly #query: string;
  readonly #timeout: number;
  readonly #fields: readonly RequestField[];
  readonly #run = randomBytes(4).toString("hex");
  readonly #base = Date.now() - 5 * MINUTES;
  #performances = 0;

  constructor({ url, query, timeout, fields = [] }: ServerOptions) {
    this.#fields = fields;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new WrongUse(`"${url}" is not the address of a receiver: write one like http://127.0.0.1:9090/api/v1/write.`);
    this.#url = url;
    this.#query = query ?? new URL("/api/v1/query", url).href;
    this.#timeout = timeout;
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const features = new Map<string, Feature>();
    const labels = [["__name__", "@"]] as const;
    const ask = async (step: Omit<Step, "do">): Promise<Ended> => this.#perform([{ do: "write", ...step }], 1);
    try {
      const one = await ask({ protocol: 1, series: [{ labels, samples: [[1, 0]] }] });
      const two = await ask({ protocol: 2, series: [{ labels, samples: [[1, 0]] }] });
      const [first, second] = [one.answers[0]!, two.answers[0]!];
      features.set("one", { has: isGood(first), how: `a sample of protocol 1 is answered with ${first.status}` });
      features.set("two", {
        has: isGood(second) && second.counts !== undefined,
        how: `a sample of protocol 2 is answered with ${second.status}${isGood(second) ? ", without a field about what was written" : ""}`,
      });
      const isFirst = features.get("one")?.has === true;
      const histogram = await ask({ protocol: isFirst ? 1 : 2, series: [{ labels, histograms: [[NATIVE, 0]] }] });
      features.set("histograms", {
        has: isGood(histogram.answers[0]!),
        how: `a native histogram is answered with ${histogram.answers[0]!.status}`,
      });
      const shown = await stored(this.#asking, (isFirst ? one : two).moment).catch(() => []);
      features.set("query", { has: shown.length === 1, how: `a query at ${this.#query} does not show the sample that was written` });
    } catch (error) {
      throw new Unreachable(`POST to ${this.#url} has no answer: ${causeOf(error)}.`);
    }
    if (features.get("one")?.has !== true && features.get("two")?.has !== true)
      throw new Unreachable(`${this.#url} writes no sample: ${features.get("one")?.how}, and ${features.get("two")?.how}.`);
    return { features };
  }

  async play(c: Case, patience = 1): Promise<Played> {
    const ended = await this.#perform(c.steps, patience);
    const seen: string[] = [];
    for (const answer of ended.answers.slice(0, -1))
      if (!isGood(answer))
        return { is: "other", reason: "A good request before it was refused.", observed: inWords(answer), transcript: ended.lines };
    const last = ended.answers.at(-1);
    if (last === undefined)
      return { is: "other", reason: "There is no answer.", observed: "no answer", timedOut: true, transcript: ended.lines };
    let index = -1;
    for (const [at, { see }] of c.allowed.entries()) {
      const fault = await this.#fault(see, last, ended.moment);
      if (fault === undefined) {
        index = at;
        break;
      }
      seen.push(fault);
    }
    const observed = inWords(last);
    if (index < 0) return { is: "other", reason: `${seen[0]}.`, observed, transcript: ended.lines };
    return { is: "allowed", index, reason: "", observed, transcript: ended.lines };
  }

  async control(c: Case, patience = 1): Promise<Twin> {
    const { answers, lines } = await this.#perform(c.control, patience);
    const bad = answers.find((one) => !isGood(one));
    const isAccepted = answers.length === c.control.length && bad === undefined;
    return { is: isAccepted ? "accepted" : "refused", reason: bad === undefined ? "2xx" : inWords(bad), transcript: lines };
  }

  controlKey({ control }: Case): string {
    return JSON.stringify(control);
  }
  expected({ allowed }: Case): string[] {
    return allowed.map(({ see }) => sightInWords(see));
  }
  async close(): Promise<void> {}

  /** Where queries go. Credentials of the receiver go nowhere else. */
  get #asking(): Receiver {
    const isThere = new URL(this.#query).origin === new URL(this.#url).origin;
    return { url: this.#query, fields: isThere ? this.#fields : [], timeout: this.#timeout };
  }

  async #perform(steps: readonly Step[], patience: number): Promise<Ended> {
    const moment = { metric: `touchstone_${this.#run}_${++this.#performances}`, base: this.#base };
    const lines: TranscriptLine[] = [];
    const began = performance.now();
    const note = (way: TranscriptLine["way"], means: string): void =>
      void lines.push({ at: Math.round(performance.now() - began), way, means });
    const answers: Answer[] = [];
    for (const step of steps) {
      note("->", `a request of protocol ${step.protocol} with ${step.series.length} series of ${moment.metric}${aboutOf(step)}`);
      try {
        const answer = await send({ url: this.#url, fields: this.#fields, timeout: this.#timeout * patience }, step, moment);
        answers.push(answer);
        note("<-", inWords(answer));
      } catch (error) {
        if (this.#performances <= 2) throw error;
        note("<-", `no answer: ${error instanceof Error ? error.message : String(error)}`);
        return { answers: [], moment, lines };
      }
    }
    return { answers, moment, lines };
  }

  /** Why this is not what was to be seen; undefined if it is. */
  async #fault(see: Sight, answer: Answer, moment: Moment): Promise<string | undefined> {
    switch (see.see) {
      case "written":
        if (!isGood(answer)) return `It answers with ${answer.status}`;
        if (see.status !== undefined && answer.status !== see.status) return `The status is ${answer.status}, not ${see.status}`;
        if (see.isEmpty === true && answer.body !== "") return "The answer has content";
        return see.counts === undefined ? undefined : countFault(answer, [see.counts]);
      case "refused": {
        const isRight = see.status === undefined ? answer.status >= 400 && answer.status < 500 : answer.status === see.status;
        if (!isRight) return `It answers with ${answer.status}`;
        if (see.says === true && answer.body.trim() === "") return "The answer does not say what is wrong";
        return see.counts === undefined ? undefined : countFault(answer, see.counts);
      }
      case "stored": {
        const shown = await stored(this.#asking, moment);
        const wanted = JSON.stringify(see.values);
        return JSON.stringify(shown) === wanted ? undefined : `A query shows ${JSON.stringify(shown)}, not ${wanted}`;
      }
      case "all":
        for (const one of see.of) {
          const fault = await this.#fault(one, answer, moment);
          if (fault !== undefined) return fault;
        }
        return undefined;
    }
  }
}

const isGood = ({ status }: Answer): boolean => status >= 200 && status < 300;

function countFault({ counts, faults }: Answer, wanted: readonly Counts[]): string | undefined {
  if (faults[0] !== undefined) return faults[0];
  if (counts === undefined) return "No header field says what was written";
  const isOne = wanted.some(
    ({ samples, histograms, exemplars }) =>
      counts.samples === samples && counts.histograms === histograms && (exemplars === undefined || counts.exemplars === exemplars),
  );
  return isOne
    ? undefined
    : `The header fields say ${counts.samples} samples, ${counts.histograms} histograms and ${counts.exemplars ?? 0} exemplars`;
}

const aboutOf = ({ shape, packing, fields, contentOf, protocol }: Step): string =>
  [
    shape === undefined ? "" : `, ${shape}`,
    packing === undefined ? "" : `, packed: ${packing}`,
    contentOf === undefined || contentOf === protocol ? "" : `, with the message of protocol ${contentOf}`,
    ...Object.entries(fields ?? {}).map(([name, value]) => `, ${name}: ${value ?? "(none)"}`),
  ].join("");

function inWords({ status, body, counts }: Answer): string {
  const said = body.trim().split("\n", 1)[0] ?? "";
  const written =
    counts === undefined
      ? ""
      : `, ${counts.samples} samples, ${counts.histograms} histograms and ${counts.exemplars ?? 0} exemplars written`;
  return `${status}${written}${said === "" ? "" : `: ${said.slice(0, 120)}`}`;
}
