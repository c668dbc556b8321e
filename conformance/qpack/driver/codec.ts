import { createHash } from "node:crypto";
import { CodecProcess } from "../../../vectors/codec.ts";
import { unlike } from "../../../vectors/qpack/question.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import { type CodecOptions, sentence } from "../../harness/subject/codec.ts";
import { PLAIN } from "../cases/codec-vectors.ts";
import { ARRIVE, encode, send, X } from "../cases/encoder.ts";
import type { Case, EncodeStep, Sight, Step } from "../vocabulary.ts";
import { answerInWords, endedInWords, outcomeInWords, stepInWords } from "./describe.ts";
import { type Ended, Exchange } from "./exchange.ts";

/** The first answer of a process may take this many times as long: it has to start. */
const START_FACTOR = 5;
/** A field that comes again after everything arrived: worth an entry. */
const REPEATED = encode([send(0, X), ARRIVE, send(4, X), ARRIVE, send(8, X)], { capacity: 4096 });

/** A field that the caller marks: not every codec can be told. */
const SECRET = encode([send(0, ["x-secret", "value", true])], { capacity: 4096 });

/** What was seen of a case: how each allowed outcome was missed. */
type Seen = { readonly wrong: (see: Sight) => string | undefined; readonly observed: string; readonly transcript: TranscriptLine[] };

/** Performs QPACK cases on a codec: one child for all of them, one request at a time. */
export class CodecDriver implements Driver<Case> {
  readonly role = "codec";
  readonly steady = true;
  readonly #child: CodecProcess;

  constructor({ command, timeout }: CodecOptions) {
    this.#child = new CodecProcess(command, timeout, START_FACTOR);
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const { do: op, ...asked } = PLAIN as Extract<Step, { do: "qpack-decode" }>;
    const decoded = await this.#child.ask({ op, ...asked });
    if (decoded.is === "trouble")
      throw new Unreachable(`A first request (decode 0000c1): ${decoded.why}. vectors/README.md describes the requests.`);
    const encoded = await this.#child.ask({
      op: "qpack-encode",
      capacity: 0,
      blocked: 0,
      steps: [{ section: [[":method", "GET"]], stream: 0 }],
    });
    const features = new Map<string, Feature>([
      ["decode", known("qpack-decode", decoded.is !== "unknown")],
      ["encode", known("qpack-encode", encoded.is !== "unknown")],
    ]);
    if ([...features.values()].every(({ has }) => !has))
      throw new Unreachable("The codec knows neither qpack-decode nor qpack-encode. vectors/README.md describes the requests.");
    const exchange = new Exchange(this.#child, REPEATED[0] as EncodeStep);
    if (encoded.is !== "unknown") await exchange.play();
    const inserts = exchange.inserted > 0;
    const secret = new Exchange(this.#child, SECRET[0] as EncodeStep);
    const marks = encoded.is !== "unknown" && encoderUnlike({ see: "keeps", property: "never indexed" }, await secret.play()) === undefined;
    features.set("never-indexed", {
      has: marks,
      how: `it sends a new field that is marked as sensitive with${marks ? "" : "out"} the N bit`,
    });
    features.set("table", { has: inserts, how: `for a field that repeats it ${inserts ? "fills" : "fills no"} table` });
    return { features };
  }

  async play(c: Case): Promise<Played> {
    const { wrong, observed, transcript } = await this.#perform(c.steps[0]!);
    const index = c.allowed.findIndex(({ see }) => wrong(see) === undefined);
    if (index >= 0) return { is: "allowed", index, reason: "", observed, transcript };
    return { is: "other", reason: `${sentence(wrong(c.allowed[0].see) ?? observed)}.`, observed, transcript };
  }

  async control(c: Case): Promise<Twin> {
    const step = c.control[0]!;
    const { wrong, transcript } = await this.#perform(step);
    const reason = wrong(step.do === "qpack-encode" ? { see: "keeps", property: "round trip" } : PLAIN_SIGHT);
    return { is: reason === undefined ? "accepted" : "refused", reason: reason ?? "", transcript };
  }

  controlKey(c: Case): string {
    return createHash("sha256").update(JSON.stringify(c.control)).digest("hex");
  }

  expected(c: Case): string[] {
    return c.allowed.map((outcome) => outcomeInWords(outcome));
  }

  close(): Promise<void> {
    this.#child.stop();
    return Promise.resolve();
  }

  async #perform(step: Step): Promise<Seen> {
    if (step.do === "qpack-encode") {
      const exchange = new Exchange(this.#child, step);
      const ended = await exchange.play();
      return { wrong: (see) => encoderUnlike(see, ended), observed: endedInWords(ended), transcript: exchange.transcript };
    }
    const { do: op, ...asked } = step;
    const { answer, sent, got } = await this.#child.exchange({ op, ...asked });
    const transcript: TranscriptLine[] = [
      { at: 0, way: "->", means: `${stepInWords(step)} ${sent.slice(0, 2_000)}` },
      { at: 0, way: "<-", means: got.slice(0, 2_000) },
    ];
    const wrong = (see: Sight): string | undefined =>
      see.see === "decoded" || see.see === "refused" ? unlike(see, answer) : "it was not asked to encode";
    return { wrong, observed: answerInWords(answer), transcript };
  }
}

const known = (op: string, has: boolean): Feature => ({ has, how: has ? `the codec knows ${op}` : `it said that it does not know ${op}` });
const PLAIN_SIGHT: Sight = {
  see: "decoded",
  sections: [{ stream: 4, fields: [[":path", "/"]] }],
  answers: { said: [], inserted: 0 },
  capacity: 220,
};

/** Why the end of an exchange differs from a sight; undefined if it does not. */
function encoderUnlike(see: Sight, ended: Ended): string | undefined {
  if (ended.is === "trouble") return ended.why;
  if (see.see === "refused answers") {
    if (ended.is === "done" || !ended.last)
      return ended.is === "done" ? "it accepted the decoder's instruction" : `it refused earlier: ${ended.why}`;
    return ended.code === undefined || ended.code === see.code
      ? undefined
      : `it refused with 0x${ended.code.toString(16)}, not 0x${see.code.toString(16)}`;
  }
  if (ended.is === "refused") return `it refused: ${ended.why}`;
  if (see.see !== "keeps") return "it was asked to encode";
  return ended.broken.get("round trip") ?? ended.broken.get(see.property);
}
