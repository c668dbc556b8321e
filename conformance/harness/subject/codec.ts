import { createHash } from "node:crypto";
import { CodecProcess, type CodecAnswer } from "../../../vectors/codec.ts";
import { printable } from "../../wire/octets.ts";
import type { Case } from "../case.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../driver.ts";
import type { TranscriptLine } from "../result.ts";

export type CodecOptions = {
  /** A command that reads requests on standard input and answers on standard output, one JSON line each, until its input ends. */
  readonly command: string;
  /** The longest time to wait for one answer, in milliseconds. */
  readonly timeout: number;
};

/** A case of one request to a codec, with its control. */
export type OneQuestion<Step, Sight> = Case<Step, Sight> & { readonly steps: readonly [Step]; readonly control: readonly [Step] };
/** One request: the operation, and its members. */
type Asked = { readonly do: string };
/** The requests of one protocol to a codec, and how to judge the answers. */
export type CodecWords<Step extends Asked, Sight, C extends OneQuestion<Step, Sight>> = {
  /** The features that cases may need, with how the probe detects them. */
  readonly features: Readonly<Record<string, string>>;
  /** One request per feature. */
  readonly first: Readonly<Record<string, Step>>;
  /** The error for a codec that has none of the features. */
  readonly knowsNothing: string;
  /** How much longer than an answer the start of the program may take, as a factor. */
  readonly startFactor: number;
  /** The part of a request that the transcript shows. */
  readonly shown: (members: Omit<Step, "do">) => unknown;
  readonly answered: (answer: CodecAnswer) => string;
  /** Whether an answer to the probe other than "unknown" says that the codec does not know the feature. By default none does. */
  readonly lacks?: (feature: string, answer: CodecAnswer) => boolean;
  /** Why the answer does not match the sight; undefined if it does. */
  readonly unlike: (see: Sight, answer: CodecAnswer) => string | undefined;
  /** Why the control was not read; undefined if it was. */
  readonly refusal: (c: C, answer: CodecAnswer) => string | undefined;
  /** An allowed sight, in words. */
  readonly allowed: (see: Sight) => string;
};

/** Performs cases of one request each on a codec, in one child process, one request at a time. */
export class OneQuestionDriver<Step extends Asked, Sight, C extends OneQuestion<Step, Sight>> implements Driver<C> {
  readonly role = "codec";
  readonly steady = true;
  readonly #words: CodecWords<Step, Sight, C>;
  readonly #child: CodecProcess;

  constructor(words: CodecWords<Step, Sight, C>, { command, timeout }: CodecOptions) {
    this.#words = words;
    this.#child = new CodecProcess(command, timeout, words.startFactor);
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const words = this.#words;
    const features = new Map<string, Feature>();
    for (const [name, step] of Object.entries(words.first)) {
      const { answer } = await this.#ask(step);
      if (answer.is === "trouble")
        throw new Unreachable(`A first request (${name}): ${answer.why}. vectors/README.md describes the requests.`);
      // A refusal is a mistake for the cases to find, not a missing feature.
      const has = answer.is !== "unknown" && words.lacks?.(name, answer) !== true;
      features.set(name, { has, how: has ? (words.features[name] ?? name) : `it said so at a first request: ${words.answered(answer)}` });
    }
    if ([...features.values()].every(({ has }) => !has))
      throw new Unreachable(`${words.knowsNothing} vectors/README.md describes the requests.`);
    return { features };
  }

  async play(c: C): Promise<Played> {
    const { answer, transcript } = await this.#ask(c.steps[0]);
    const observed = this.#words.answered(answer);
    const wrong = c.allowed.map(({ see }) => this.#words.unlike(see, answer));
    const index = wrong.indexOf(undefined);
    if (index >= 0) return { is: "allowed", index, reason: "", observed, transcript };
    return { is: "other", reason: `${sentence(wrong[0] ?? observed)}.`, observed, transcript };
  }

  async control(c: C): Promise<Twin> {
    const { answer, transcript } = await this.#ask(c.control[0]);
    const wrong = this.#words.refusal(c, answer);
    return { is: wrong === undefined ? "accepted" : "refused", reason: wrong ?? "", transcript };
  }

  controlKey(c: C): string {
    return createHash("sha256").update(JSON.stringify(c.control)).digest("hex");
  }

  expected(c: C): string[] {
    return c.allowed.map(({ see, by }) => `${this.#words.allowed(see)}${by === undefined ? "" : ` (${by})`}`);
  }

  close(): Promise<void> {
    this.#child.stop();
    return Promise.resolve();
  }

  async #ask(step: Step): Promise<{ answer: CodecAnswer; transcript: TranscriptLine[] }> {
    const { do: op, ...members } = step;
    const began = performance.now();
    const answer = await this.#child.ask({ op, ...members });
    const at = Math.round((performance.now() - began) * 10) / 10;
    const transcript: TranscriptLine[] = [
      { at: 0, way: "->", means: `${op} ${JSON.stringify(this.#words.shown(members)).slice(0, 2_000)}` },
      { at, way: "<-", means: this.#words.answered(answer) },
    ];
    return { answer, transcript };
  }
}

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** A value in one short line. */
export const short = (value: unknown): string => printable(JSON.stringify(value), 160);
