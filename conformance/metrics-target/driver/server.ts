import { type Driver, type Feature, type Played, type Twin, Unreachable, WrongUse } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import type { Reach } from "../../harness/subject/reach.ts";
import { HTTP1, type Target, targetOf, type Verify } from "../../harness/subject/transport.ts";
import type { AcceptName, Case, Sight, Step } from "../vocabulary.ts";
import { FEATURES } from "./features.ts";
import { type Answer, fetchPage, fieldOf } from "./fetch.ts";
import type { Asked } from "./rule.ts";
import { ruleOf } from "./rules.ts";

/** The usual place of a page, where the address has no path. */
const USUAL_PATH = "/metrics";
const DEFAULT_SCRAPES = 4;
const DEFAULT_INTERVAL_MS = 500;
const MOST_SCRAPES = 1_000;

export type ServerOptions = {
  readonly url: string;
  readonly verify: Verify;
  readonly reach?: Reach;
  readonly timeout: number;
  /** How many scrapes are compared, and how far apart they are, in milliseconds. */
  readonly scrapes?: number;
  readonly intervalMs?: number;
};

/** Judges the page of a target. What cases ask for alike is asked for once; a case that is performed again has new answers. */
export class ServerDriver implements Driver<Case> {
  readonly role = "server";
  readonly #target: Target;
  readonly #options: ServerOptions;
  readonly #scrapes: number;
  readonly #intervalMs: number;
  readonly #asked = new Map<string, Promise<readonly Answer[]>>();
  /** How often each case, and each control, was performed. */
  readonly #times = new Map<string, number>();
  readonly #abort = new AbortController();

  constructor(options: ServerOptions) {
    const target = targetOf(options.url, options.verify, HTTP1, options.reach);
    this.#target = target.path === "/" ? { ...target, path: USUAL_PATH } : target;
    this.#options = options;
    this.#scrapes = within("--scrapes", options.scrapes ?? DEFAULT_SCRAPES, [2, MOST_SCRAPES]);
    this.#intervalMs = within("--interval", options.intervalMs ?? DEFAULT_INTERVAL_MS, [0, 3_600_000]);
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const get = async (accept?: AcceptName): Promise<Answer> =>
      (await this.#ask({ do: "scrape", ...(accept !== undefined && { accept }) }, "probe", 1))[0]!;
    const plain = await get();
    const { path, authority } = this.#target;
    if (plain.problem !== "") throw new Unreachable(`GET ${path} on ${authority}: ${plain.problem}.`);
    if (plain.status >= 300) {
      const to = fieldOf(plain, "location");
      const advice = to === undefined ? "name the address of the page" : `the page may be at ${to}`;
      throw new Unreachable(`GET ${path} on ${authority} is answered with ${plain.status}: ${advice}.`);
    }
    const answers = { text: await get("text"), openmetrics: await get("openmetrics"), protobuf: await get("protobuf") };
    const features = Object.entries(FEATURES).map(([name, { has, how }]) => [name, { has: has(answers), how }] as const);
    return { features: new Map(features) };
  }

  async play(c: Case, patience = 1): Promise<Played> {
    const asked = await this.#perform(c.id, c.steps, patience);
    const transcript = transcriptOf(asked);
    let reason = "";
    for (const [index, { see }] of c.allowed.entries()) {
      const fault = ruleOf(see.rule)(asked, see.words ?? []);
      if (fault === undefined) return { is: "allowed", index, reason: "", observed: "as required", transcript };
      reason ||= fault;
    }
    const timedOut = asked.some(({ answers }) => answers.some(({ problem }) => problem !== ""));
    return { is: "other", reason: `${sentence(reason)}.`, observed: reason, timedOut, transcript };
  }

  async control(c: Case, patience = 1): Promise<Twin> {
    const asked = await this.#perform(`control of ${this.controlKey(c)}`, c.control, patience);
    const bad = asked.flatMap(({ answers }) => answers).find(({ status, problem }) => status !== 200 || problem !== "");
    return {
      is: bad === undefined ? "accepted" : "refused",
      reason: bad === undefined ? "200" : bad.problem || `the answer to "${bad.request}" is ${bad.status}`,
      transcript: transcriptOf(asked),
    };
  }

  controlKey({ control }: Case): string {
    return JSON.stringify(control);
  }
  expected({ allowed }: Case): string[] {
    return allowed.map(({ see }) => inWords(see));
  }
  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.allSettled(this.#asked.values());
  }

  async #perform(who: string, steps: readonly Step[], patience: number): Promise<Asked[]> {
    const time = (this.#times.get(who) ?? 0) + 1;
    this.#times.set(who, time);
    return Promise.all(steps.map(async (step) => ({ step, answers: await this.#ask(step, String(time), patience) })));
  }

  #ask(step: Step, time: string, patience: number): Promise<readonly Answer[]> {
    const key = `${time} ${JSON.stringify(step)}`;
    const known = this.#asked.get(key) ?? this.#fetchAll(step, patience);
    this.#asked.set(key, known);
    return known;
  }

  async #fetchAll(step: Step, patience: number): Promise<readonly Answer[]> {
    const fetch = (): Promise<Answer> => fetchPage(this.#target, step, this.#options.timeout * patience);
    if (step.abreast !== undefined) return Promise.all(Array.from({ length: step.abreast }, fetch));
    const answers = [await fetch()];
    while (step.times === "series" && answers.length < this.#scrapes && !this.#abort.signal.aborted) {
      await new Promise((resolve) => {
        setTimeout(resolve, this.#intervalMs);
      });
      answers.push(await fetch());
    }
    return answers;
  }
}

/** With a capital letter, unless it begins with a name. */
const sentence = (reason: string): string => (/^[a-z]+ /.test(reason) ? `${reason[0]!.toUpperCase()}${reason.slice(1)}` : reason);

function within(flag: string, value: number, [least, most]: readonly [number, number]): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new WrongUse(`${flag} is a whole number from ${least} to ${most}, not ${value}.`);
}

const inWords = ({ rule, words = [] }: Sight): string =>
  [rule.replaceAll("-", " "), ...(words.length > 0 ? [`(${words.join(", ")})`] : [])].join(" ");

function transcriptOf(asked: readonly Asked[]): TranscriptLine[] {
  const all = asked.flatMap(({ answers }) => answers);
  const began = Math.min(...all.map((one) => one.asked));
  return all.flatMap(({ request, status, fields, body, raw, asked: sent, answered, problem }): TranscriptLine[] => [
    { at: sent - began, way: "->", means: request },
    {
      at: answered - began,
      way: "<-",
      means:
        problem || `${status}, ${fields.map(({ line }) => line).join("; ")}; ${raw.length} octets, ${body?.length ?? 0} without coding`,
    },
  ]);
}
