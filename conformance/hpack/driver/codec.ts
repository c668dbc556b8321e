import { createHash } from "node:crypto";
import { CodecProcess, type Exchange } from "../../../vectors/codec.ts";
import { type CodecOptions, sentence } from "../../harness/subject/codec.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import type { Case, Outcome, Step } from "../vocabulary.ts";
import { representations } from "../../wire/hpack/representations.ts";
import { fromHex } from "../../wire/octets.ts";
import { answerInWords, outcomeInWords, stepInWords } from "./describe.ts";
import { isSeen } from "./sights.ts";

/** `:method: GET` by its index, which every decoder supports. */
const PLAIN: Step = { do: "decode", blocks: ["82"] };

/** The same, beyond the size of lists that the request allows. */
const LIMITED: Step = { ...PLAIN, listSize: 1 };

/** One request for each optional feature. */
const FIRST: readonly (readonly [feature: string, op: string, Step])[] = [
  ["encode", "hpack-encode", { do: "encode", lists: [[[":method", "GET"]]] }],
  ["changes", "hpack-encode-changes", { do: "encode", changes: [[]], lists: [[[":method", "GET"]]] }],
  ["decode-changes", "hpack-decode-changes", { do: "decode", changes: [[]], blocks: ["82"] }],
];

/** What an encoder need not do: whether it does shows in the blocks of one request. */
const HABITS: readonly (readonly [feature: string, how: string, Step, (blocks: readonly Uint8Array[]) => boolean])[] = [
  [
    "huffman",
    "a Huffman string for the value www.example.com",
    { do: "encode", lists: [[["n", "www.example.com"]]] },
    (blocks) => blocks.some((block) => representations(block).all.some((one) => one.is === "literal" && one.value.huffman)),
  ],
  ["static", "an index for :method GET", { do: "encode", lists: [[[":method", "GET"]]] }, ([block]) => block?.at(-1) === INDEX_OF_GET],
  [
    "indexing",
    "an index for a field of the list before",
    { do: "encode", lists: [[["x-name", "1"]], [["x-name", "1"]]] },
    ([, block]) => block?.length === 1,
  ],
];
const INDEX_OF_GET = 0x82;

/** The first answer of a process may take this many times as long: it has to start. */
const START_FACTOR = 5;

/** Performs HPACK cases on a codec: one child for all of them, one request at a time. */
export class CodecDriver implements Driver<Case> {
  readonly role = "codec";
  readonly steady = true;
  readonly #child: CodecProcess;

  constructor(options: CodecOptions) {
    this.#child = new CodecProcess(options.command, options.timeout, START_FACTOR);
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const answer = await this.#child.ask(requestOf(PLAIN));
    if (answer.is === "trouble")
      throw new Unreachable(`A first request (decode 82): ${answer.why}. vectors/README.md describes the requests.`);
    if (answer.is !== "fields")
      throw new Unreachable("The codec answered a first request, to decode 82, without fields. vectors/README.md describes the requests.");
    const features = new Map<string, Feature>([["decode", { has: true, how: "it decoded a first block" }]]);
    for (const [name, op, step] of FIRST) {
      const { is } = await this.#child.ask(requestOf(step));
      // A refusal is a mistake for the cases to find, not a missing feature.
      const has = is !== "unknown";
      features.set(name, { has, how: has ? `the codec knows ${op}` : `it said that it does not know ${op}` });
    }
    const limited = await this.#child.ask(requestOf(LIMITED));
    const has = limited.is === "error";
    features.set("list-size", { has, how: `it ${has ? "refuses" : "accepts"} a field with a listSize of 1` });
    for (const [name, how, step, isIn] of HABITS) {
      const answer = await this.#child.ask(requestOf(step));
      const has = answer.is === "blocks" && isIn(answer.blocks.map(fromHex));
      features.set(name, { has, how: `it encodes ${has ? "" : "without "}${how}` });
    }
    return { features };
  }

  async play(c: Case): Promise<Played> {
    const { transcript, last, step } = await this.#perform(c.steps);
    const observed = answerInWords(last.answer);
    const index = c.allowed.findIndex(({ see }) => isSeen(see, step, last.answer) === undefined);
    if (index >= 0) return { is: "allowed", index, reason: "", observed, transcript };
    const [strict] = c.allowed;
    const why = last.answer.is === "trouble" ? last.answer.why : isSeen(strict.see, step, last.answer);
    return { is: "other", reason: `${sentence(why ?? observed)}.`, observed, transcript };
  }

  async control(c: Case): Promise<Twin> {
    const { transcript, last, step } = await this.#perform(c.control);
    const wrong = isSeen(step.do === "decode" ? { see: "accepted" } : { see: "round trip" }, step, last.answer);
    return { is: wrong === undefined ? "accepted" : "refused", reason: wrong ?? "", transcript };
  }

  controlKey(c: Case): string {
    return createHash("sha256").update(JSON.stringify(c.control)).digest("hex");
  }

  expected(c: Case): string[] {
    return c.allowed.map((outcome: Outcome) => outcomeInWords(outcome));
  }

  close(): Promise<void> {
    this.#child.stop();
    return Promise.resolve();
  }

  /** Sends each step as a request, up to the first without an answer. */
  async #perform(steps: readonly Step[]): Promise<{ transcript: TranscriptLine[]; last: Exchange; step: Step }> {
    const began = performance.now();
    const now = (): number => Math.round((performance.now() - began) * 10) / 10;
    const transcript: TranscriptLine[] = [];
    let done: { last: Exchange; step: Step } | undefined;
    for (const step of steps) {
      const at = now();
      const last = await this.#child.exchange(requestOf(step));
      transcript.push({ at, way: "->", means: `${stepInWords(step)} ${last.sent}` });
      transcript.push({ at: now(), way: "<-", means: `${answerInWords(last.answer)} ${last.got.slice(0, 2000)}`.trim() });
      done = { last, step };
      if (last.answer.is === "trouble") break;
    }
    if (done === undefined) throw new Error("a case without steps");
    return { transcript, ...done };
  }
}

function requestOf(step: Step): Record<string, unknown> {
  if ("changes" in step) {
    const { changes } = step;
    return step.do === "decode"
      ? { op: "hpack-decode-changes", changes, blocks: step.blocks }
      : { op: "hpack-encode-changes", changes, lists: step.lists };
  }
  const sizes = step.tableSizes === undefined ? {} : { tableSizes: step.tableSizes };
  if (step.do === "decode") {
    const initial = step.tableSize === undefined ? {} : { tableSize: step.tableSize };
    const most = step.listSize === undefined ? {} : { listSize: step.listSize };
    return { op: "hpack-decode", ...initial, ...sizes, ...most, blocks: step.blocks };
  }
  return { op: "hpack-encode", ...sizes, lists: step.lists };
}
