import { type Driver, type Feature, type Played, type Twin, Unreachable, WrongUse } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { NATIVE, STEADY } from "../cases/client/phrases.ts";
import type { SenderCase, Sight, Step } from "../sender-vocabulary.ts";
import { type Arrived, hasSamples, isGood, type Record, writes } from "./record.ts";
import { RULES } from "./rules.ts";
import { live } from "./sender-life.ts";

/** Optional features of a sender, probed once before the first case. */
export const CLIENT_FEATURES: Readonly<{ [name: string]: string }> = {
  one: "it sends samples in protocol 1",
  two: "it sends samples in protocol 2",
  histograms: "it sends a native histogram of the page in protocol 2",
};

/** The longest life of a sender, in milliseconds: programs load first. */
const MOST_MS = 20_000;
/** Lives at the same time: of programs, and of functions, which mostly wait. */
const ABREAST = { programs: 4, functions: 16 } as const;

export type ClientOptions = {
  readonly client: string | InProcessClient;
  readonly timeout: number;
  /** The longest life. */ readonly mostMs?: number;
};

/** Performs the cases on a sender: the same life serves all cases that ask for it. */
export class ClientDriver implements Driver<SenderCase> {
  readonly role = "client";
  readonly #options: ClientOptions;
  readonly #lives = new Map<string, Promise<Record>>();
  /** How often each case has asked for each life: a repetition gets another one. */
  readonly #asked = new Map<string, number>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ClientOptions) {
    const { client } = options;
    if (typeof client === "string" && !client.includes("{config}") && !(client.includes("{url}") && client.includes("{target}")))
      throw new WrongUse(
        `The sender's command "${client}" has no {config}, nor {url} and {target}, as in 'prometheus --config.file={config} --storage.tsdb.path={dir} --web.listen-address=127.0.0.1:0'.`,
      );
    this.#options = options;
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const features = new Map<string, Feature>();
    let complaint = "";
    const asked = (
      [
        ["one", 1],
        ["two", 2],
      ] as const
    ).map(([name, protocol]) => [name, protocol, this.#life([STEADY(protocol)], "probe", 1)] as const);
    for (const [name, protocol, life] of asked) {
      const record = await life;
      const isThere = writes(record).some((one) => speaks(one, protocol));
      features.set(name, {
        has: isThere,
        how: `configured for it, it sends no samples in protocol ${protocol}${record.complaint === "" ? "" : `: ${record.complaint}`}`,
      });
      complaint ||= record.complaint;
    }
    const native = await this.#life([NATIVE], "probe", 1);
    const hasHistograms = native.requests.some(({ message }) => message?.series.some(({ histograms }) => histograms.length > 0) === true);
    features.set("histograms", { has: hasHistograms, how: `configured for it, it sends no native histograms${said(native)}` });
    if ([...features.values()].every(({ has }) => !has))
      throw new Unreachable(
        `The sender sends no samples of the page that it is to scrape.${complaint === "" ? "" : ` It said: ${complaint}`}`,
      );
    return { features };
  }

  async play(c: SenderCase, patience = 1): Promise<Played> {
    const record = await this.#life(c.steps, c.id, patience);
    const transcript = transcriptOf(record);
    const [first] = c.allowed;
    let reason = "";
    for (const [index, { see }] of c.allowed.entries()) {
      const fault = RULES[see.rule]!(record, see.status);
      if (fault === undefined) return { is: "allowed", index, reason: "", observed: "as required", transcript };
      if (see === first.see) reason = fault;
    }
    return { is: "other", reason: `${reason}.`, observed: reason, transcript };
  }

  async control(c: SenderCase, patience = 1): Promise<Twin> {
    const record = await this.#life(c.control, `control of ${this.controlKey(c)}`, patience);
    const isAccepted = writes(record).some(({ message, status }) => message !== undefined && isGood(status));
    return {
      is: isAccepted ? "accepted" : "refused",
      reason: isAccepted ? "samples arrived" : `no samples arrived${said(record)}`,
      transcript: transcriptOf(record),
    };
  }

  controlKey({ control }: SenderCase): string {
    return JSON.stringify(control);
  }
  expected({ allowed }: SenderCase): string[] {
    return allowed.map(({ see }) => inWords(see));
  }
  async close(): Promise<void> {
    await Promise.allSettled(this.#lives.values());
  }

  #life(steps: readonly Step[], by: string, patience: number): Promise<Record> {
    const [step] = steps;
    const key = JSON.stringify(step);
    const time = this.#asked.get(`${by} ${key}`) ?? 0;
    this.#asked.set(`${by} ${key}`, time + 1);
    const name = `${time} ${patience} ${key}`;
    const known = this.#lives.get(name) ?? this.#run(step!, patience);
    this.#lives.set(name, known);
    return known;
  }

  async #run(step: Step, patience: number): Promise<Record> {
    const most = typeof this.#options.client === "string" ? ABREAST.programs : ABREAST.functions;
    if (this.#running >= most) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await live({ client: this.#options.client, step, mostMs: (this.#options.mostMs ?? MOST_MS) * patience });
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}

const said = ({ complaint }: Record): string => (complaint === "" ? "" : `. It said: ${complaint}`);
const inWords = ({ rule, status }: Sight): string => `the rule "${rule}"${status === undefined ? "" : ` after ${status}`}`;
const speaks = ({ message, headers, status }: Arrived, protocol: 1 | 2): boolean =>
  message !== undefined &&
  isGood(status) &&
  (headers.find(([name]) => name === "content-type")?.[1].includes("v2.Request") === true) === (protocol === 2);

/** The most requests that a transcript shows. */
const SHOWN = 40;
function transcriptOf({ requests, restartedAt }: Record): TranscriptLine[] {
  const lines = requests.slice(0, SHOWN).flatMap((one): TranscriptLine[] => {
    const { at, answeredAt, method, message, fault, status } = one;
    const series = message?.series ?? [];
    const samples = series.reduce((sum, { samples: own }) => sum + own.length, 0);
    const what =
      message === undefined
        ? `a request that cannot be read: ${fault}`
        : hasSamples(one)
          ? `${samples} samples of ${series.length} series`
          : "a request without samples";
    return [
      { at: Math.round(at), way: "<-", means: `${method} with ${what}` },
      { at: Math.round(answeredAt), way: "->", means: status === 0 ? "the connection is closed" : String(status) },
    ];
  });
  if (restartedAt !== undefined) lines.push({ at: Math.round(restartedAt), way: "--", means: "the sender was ended and started again" });
  if (requests.length > SHOWN)
    lines.push({ at: Math.round(requests[SHOWN]!.at), way: "--", means: `${requests.length - SHOWN} more requests` });
  return lines.sort((a, b) => a.at - b.at);
}
