import { createHash } from "node:crypto";
import { CodecProcess, type CodecAnswer } from "../../../vectors/codec.ts";
import { judgePage } from "../../../vectors/exposition/question.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import { printable } from "../../wire/octets.ts";
import type { CodecCase, Sight, Step } from "../exposition/vocabulary.ts";

export type CodecOptions = {
  /** Reads requests on standard input and answers on standard output, a line of JSON each, until its input ends. */
  readonly command: string;
  /** The longest that one answer is waited for, in milliseconds. */
  readonly timeout: number;
};

/** What cases may need of a reader, and how it is found out. */
export const CODEC_FEATURES: Readonly<Record<string, string>> = {
  "exposition-text": "the codec reads a first page in the text format",
  "exposition-openmetrics": "the codec reads a first page of OpenMetrics",
};
/** One question for each feature. */
const FIRST: readonly Step[] = [
  { do: "exposition-text", page: "first 1\n" },
  { do: "exposition-openmetrics", page: "first 1\n# EOF\n" },
];

/** Performs cases on a reader of pages: one child for all of them, one request at a time. */
export class CodecDriver implements Driver<CodecCase> {
  readonly role = "codec";
  readonly steady = true;
  readonly #child: CodecProcess;
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ command, timeout }: CodecOptions) {
    this.#child = new CodecProcess(command, timeout);
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const features = new Map<string, Feature>();
    for (const step of FIRST) {
      const { answer } = await this.#ask(step);
      if (answer.is === "trouble")
        throw new Unreachable(`A first request (${step.do}): ${answer.why}. vectors/README.md shows what is asked.`);
      const has = answer.is === "samples" && answer.samples.length === 1;
      features.set(step.do, { has, how: has ? CODEC_FEATURES[step.do]! : `it did not at the first request: ${inWords(answer)}` });
    }
    if ([...features.values()].every(({ has }) => !has))
      throw new Unreachable("The codec knows neither exposition-text nor exposition-openmetrics. vectors/README.md shows what is asked.");
    return { features };
  }

  async play(c: CodecCase): Promise<Played> {
    const { answer, transcript } = await this.#ask(c.steps[0]!);
    const observed = inWords(answer);
    const wrong = c.allowed.map(({ see }) => unlike(see, answer));
    const index = wrong.indexOf(undefined);
    if (index >= 0) return { is: "allowed", index, reason: "", observed, transcript };
    return { is: "other", reason: `${sentence(wrong[0] ?? observed)}.`, observed, transcript };
  }

  async control(c: CodecCase): Promise<Twin> {
    const { answer, transcript } = await this.#ask(c.control[0]!);
    const isRead = answer.is === "samples";
    return { is: isRead ? "accepted" : "refused", reason: isRead ? "" : inWords(answer), transcript };
  }

  controlKey(c: CodecCase): string {
    return createHash("sha256").update(JSON.stringify(c.control)).digest("hex");
  }

  expected(c: CodecCase): string[] {
    return c.allowed.map(({ see, by }) => {
      const said = see.see === "read" ? `read as ${short(see.samples)}` : "refused";
      return `${said}${by === undefined ? "" : ` (${by})`}`;
    });
  }

  close(): Promise<void> {
    this.#child.stop();
    return Promise.resolve();
  }

  /** Asks when everything before has been answered. */
  #ask(step: Step): Promise<{ answer: CodecAnswer; transcript: TranscriptLine[] }> {
    const turn = this.#queue.then(async () => {
      const { do: op, page } = step;
      const began = performance.now();
      const answer = await this.#child.ask({ op, page });
      const at = Math.round((performance.now() - began) * 10) / 10;
      const transcript: TranscriptLine[] = [
        { at: 0, way: "->", means: `${op} ${JSON.stringify(page).slice(0, 2_000)}` },
        { at, way: "<-", means: inWords(answer) },
      ];
      return { answer, transcript };
    });
    this.#queue = turn.catch(() => {});
    return turn;
  }
}

/** Why the answer is not what the sight says; undefined where it is. */
function unlike(see: Sight, answer: CodecAnswer): string | undefined {
  if (answer.is === "trouble") return answer.why;
  if (answer.is !== "samples" && answer.is !== "error") return `it answered with ${answer.is}`;
  const said = answer.is === "samples" ? answer : { samples: [], error: answer.error };
  return judgePage(see.see === "read" ? { result: "valid", samples: see.samples } : { result: "invalid" }, said);
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const short = (value: unknown): string => printable(JSON.stringify(value), 160);
function inWords(answer: CodecAnswer): string {
  if (answer.is === "samples") return `read ${short(answer.samples)}`;
  if (answer.is === "error") return `refused: ${printable(answer.error, 120)}`;
  return answer.is === "trouble" ? answer.why : `answered with ${answer.is}`;
}
