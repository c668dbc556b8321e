import { field, Writer } from "../../../reference/core/index.ts";
import { Encoder } from "../../../reference/qpack/index.ts";
import type { VectorField } from "../../../vectors/load.ts";
import type { DecodeQuestion } from "../../../vectors/qpack/question.ts";
import { answerTo, type Reading } from "../../../vectors/qpack/read.ts";
import { answerLines } from "../../harness/impostors/codec-lines.ts";
import { PLAIN } from "../cases/codec-vectors.ts";
import type { EncodeQuestion } from "../embedded/adapter.ts";

/**
 * QPACK codecs that are wrong on purpose: `node conformance/qpack/impostors/codec.ts NAME`. Each is ours with one mistake: it is asked something
 * else, or its answer is changed, or its encoder gets another input.
 */

type Flaw = {
  readonly about: string;
  /** What its decoder is asked instead. */
  readonly asked?: (question: DecodeQuestion) => DecodeQuestion;
  /** What its decoder answers instead. */
  readonly answers?: (right: Reading, question: DecodeQuestion) => Reading;
  readonly encoder?: EncoderFlaw;
};
type EncoderFlaw = {
  /** The settings that it goes by. */
  readonly settings?: (question: EncodeQuestion) => { readonly capacity: number; readonly blocked: number };
  /** The fields that it sends. */
  readonly fields?: (fields: readonly VectorField[]) => readonly VectorField[];
  /** What it hears of its decoder: the octets, and the streams whose sections are not acknowledged. */
  readonly hears?: (answers: string, open: readonly number[]) => string;
  /** Whether it hears an acknowledgment of all that it sent, as soon as it sent it. */
  readonly assumesArrival?: true;
  /** What becomes of an instruction that it must refuse. */
  readonly refuses?: "never" | number;
  readonly section?: (hex: string) => string;
  readonly instructions?: (hex: string, question: EncodeQuestion) => string;
};

const decoder = (about: string, flaw: Omit<Flaw, "about" | "encoder">): Flaw => ({ about, ...flaw });
const encoder = (about: string, flaw: EncoderFlaw): Flaw => ({ about, encoder: flaw });
const without = ({ messages }: Reading): Reading => ({ messages });
const isPlain = (question: DecodeQuestion): boolean =>
  JSON.stringify(question.steps) === JSON.stringify("steps" in PLAIN ? PLAIN.steps : []);
const inSections =
  (change: (fields: readonly VectorField[]) => readonly VectorField[]) =>
  (right: Reading, question: DecodeQuestion): Reading =>
    isPlain(question)
      ? right
      : {
          ...right,
          messages: right.messages.map((one) =>
            "fields" in one ? { ...one, fields: change(one["fields"] as readonly VectorField[]) } : one,
          ),
        };
const inAnswers =
  (change: (hex: string) => string) =>
  (right: Reading): Reading => ({
    ...right,
    messages: right.messages.map((one) => ("answers" in one ? { answers: change(String(one["answers"])) } : one)),
  });

export const CODEC_FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: decoder("accepts everything, and reads what it can", { answers: without }),
  garbles: decoder("changes every value", { answers: inSections((fields) => fields.map(([name, value]) => [name, `${value}!`])) }),
  "loses-fields": decoder("loses the last field of a section, or adds one to an empty section", {
    answers: inSections((fields) => (fields.length === 0 ? [["x", ""]] : fields.slice(0, -1))),
  }),
  "unmarks-fields": decoder("says of every field that it may be indexed", {
    answers: inSections((fields) => fields.map(([name, value]) => [name, value, false] as unknown as VectorField)),
  }),
  "wrong-code": decoder("refuses with another error code", {
    answers: (right) => (right.code === undefined ? right : { ...right, code: 0x100 }),
  }),
  "wide-table": decoder("permits one octet more than it announced", {
    asked: (question) => ({ ...question, capacity: question.capacity + 1 }),
  }),
  "patient-with-all": decoder("permits any number of blocked streams", { asked: (question) => ({ ...question, blocked: 1_000 }) }),
  "patient-with-one-more": decoder("permits one blocked stream more", {
    asked: (question) => ({ ...question, blocked: question.blocked + 1 }),
  }),
  impatient: decoder("refuses sections that have to wait", { asked: (question) => ({ ...question, blocked: 0 }) }),
  "silent-decoder": decoder("says nothing on its decoder stream", { answers: inAnswers(() => "") }),
  "confirms-twice": decoder("acknowledges every section twice", {
    answers: inAnswers((hex) => hex.replaceAll(/[89a-e][0-9a-f]/g, (octet, at: number) => (at % 2 === 0 ? octet + octet : octet))),
  }),
  "confirms-too-much": decoder("confirms more insertions than it has", { answers: inAnswers((hex) => (hex === "" ? hex : `${hex}3e`)) }),
  "confirms-nothing": decoder("sends an increment of 0", { answers: inAnswers((hex) => (hex === "" ? hex : `${hex}00`)) }),
  "cancels-nothing": decoder("sends no cancellation", {
    asked: (question) => ({ ...question, steps: question.steps.filter((one) => !("cancel" in one)) }),
  }),

  "confirms-cancellations": decoder("confirms an insertion with each stream that is given up", {
    answers: (right, { steps }) => inAnswers((hex) => hex + "01".repeat(steps.filter((one) => "cancel" in one).length))(right),
  }),

  "reverses-lists": encoder("sends lists of three and more fields backwards", {
    fields: (fields) => (fields.length > 2 ? [...fields].reverse() : fields),
  }),
  "sends-utf8": encoder("sends octets beyond ASCII as two", {
    fields: (fields) => fields.map(([name, value]) => [name, Buffer.from(value, "utf8").toString("latin1")]),
  }),
  "tires-of-values": encoder("sends the same value for a name after its third", {
    fields: (fields) => fields.map(([name, value]) => [name, /^value-[3-9]|^value-\d\d/.test(value) ? "value-3" : value]),
  }),
  "large-table": encoder("uses a table of 4,096 octets, whatever its peer permits", {
    settings: ({ blocked }) => ({ capacity: 4_096, blocked }),
  }),
  "zero-capacity": encoder("sets a capacity of 0 where no table is permitted", {
    instructions: (hex, { capacity }) => (capacity === 0 ? "20" : hex),
  }),
  "risks-all": encoder("refers to entries that are not acknowledged, on any number of streams", {
    settings: ({ capacity }) => ({ capacity, blocked: 1_000 }),
  }),
  "risks-one-more": encoder("risks one stream more than permitted", {
    settings: ({ capacity, blocked }) => ({ capacity, blocked: blocked + 1 }),
  }),
  "assumes-arrival": encoder("treats all that it sent as acknowledged", { assumesArrival: true, hears: () => "" }),
  "increments-release": encoder("treats an increment as the acknowledgment of all sections", {
    hears: (answers, open) => answers + (/^0[1-9a-f]/.test(answers) ? open.map((stream) => (0x80 | stream).toString(16)).join("") : ""),
  }),
  "cancellations-acknowledge": encoder("treats a cancellation as an acknowledgment", {
    hears: (answers, open) =>
      answers.replaceAll(/^4[0-9a-f]$/g, (hex) => (open.includes(Number.parseInt(hex, 16) & 0x3f) ? `8${hex[1]}` : hex)),
  }),
  "counts-high": encoder("requires all insertions so far", { section: countsHigh }),
  "base-below-zero": encoder("sends a base below 0", {
    section: (hex) => (hex.startsWith("00") ? hex : `${hex.slice(0, 2)}fe00${hex.slice(4)}`),
  }),
  "indexes-known-secrets": encoder("ignores that a field is sensitive where a table has it", {
    fields: (fields) =>
      fields.map(([name, value, sensitive]) => (sensitive === true && name !== ":method" ? [name, value, true] : [name, value])),
  }),
  "accepts-any-answer": encoder("accepts every instruction of its decoder", { refuses: "never" }),
  "refuses-with-another-code": encoder("refuses instructions with another error code", { refuses: 0x201 }),
  "reads-whole-answers": encoder("reads each piece of the decoder stream as whole instructions", {
    hears: (answers) => (answers === "7f" ? "7f00" : answers === "81" ? "84" : answers),
  }),
};

/** The same section with an insert count one higher, and the same base. */
function countsHigh(hex: string): string {
  const octets = Buffer.from(hex, "hex");
  const [count = 0, base = 0] = octets;
  if (count === 0) return hex;
  octets[0] = count + 1;
  octets[1] = base >= 0x80 ? base + 1 : base === 0 ? 0x80 : base - 1;
  return octets.toString("hex");
}

const DECODER_STREAM_ERROR = 0x202;

function encode(flaw: EncoderFlaw, question: EncodeQuestion): Reading {
  const { capacity, blocked } = flaw.settings?.(question) ?? question;
  const wrong = new Encoder();
  wrong.settings({ maxTableCapacity: capacity, maxBlockedStreams: blocked });
  const writer = new Writer();
  const messages: { readonly instructions: string; readonly section: string }[] = [];
  const open: number[] = [];
  for (const step of question.steps) {
    if ("answers" in step) {
      const refused = wrong.receive(Buffer.from(flaw.hears?.(step.answers, open) ?? step.answers, "hex"));
      if (refused === undefined || flaw.refuses === "never") continue;
      return { messages, error: refused.name, code: flaw.refuses ?? DECODER_STREAM_ERROR };
    }
    const before = wrong.outstanding;
    const fields = flaw.fields?.(step.section) ?? step.section;
    wrong.encode(
      step.stream,
      fields.map(([name, value, sensitive]) => field(name, value, sensitive === true)),
      writer,
    );
    if (wrong.outstanding > before) open.push(step.stream);
    const instructions = Buffer.from(wrong.take()).toString("hex");
    const section = Buffer.from(writer.take()).toString("hex");
    messages.push({
      instructions: flaw.instructions?.(instructions, question) ?? instructions,
      section: flaw.section?.(section) ?? section,
    });
    if (flaw.assumesArrival === true) {
      if (wrong.outstanding > before) wrong.receive(Uint8Array.of(0x80 | step.stream));
      if (wrong.inserted > wrong.known) wrong.receive(Uint8Array.of(wrong.inserted - wrong.known));
    }
  }
  return { messages };
}

type Request = { readonly id: number } & (DecodeQuestion | EncodeQuestion);

function answer(flaw: Flaw, request: Request): object {
  if (request.op === "qpack-encode") return encode(flaw.encoder ?? {}, request);
  const question = isPlain(request) ? request : (flaw.asked?.(request) ?? request);
  const right = answerTo(question);
  return flaw.answers?.(right, request) ?? right;
}

if (import.meta.main) await answerLines(CODEC_FLAWS, answer);
