import type { CodecAnswer } from "../codec.ts";
import { about, ACCEPTED, type Question, type Questions, refusal, show as shown, unexpected } from "../question.ts";
import type { Exemplar, Family, PageVector, Pair, Sample } from "./source/craft.ts";

/** What a parser reported about a page: its samples and families, or why it is invalid. */
export type PageAnswer = { readonly samples: readonly Sample[]; readonly families?: readonly Family[]; readonly error?: string };

export type ExpositionKind = "exposition-text" | "exposition-openmetrics";

/** The questions about pages of metrics, by kind. */
export const QUESTIONS: Questions = {
  "exposition-text": about((vector: PageVector) => pageQuestion("exposition-text", vector)),
  "exposition-openmetrics": about((vector: PageVector) => pageQuestion("exposition-openmetrics", vector)),
};

function pageQuestion(op: ExpositionKind, vector: PageVector): Question {
  return {
    request: { op, page: vector.page },
    judge(answer: CodecAnswer) {
      if (answer.is === "error") return judgePage(vector, { samples: [], error: answer.error });
      if (answer.is === "samples") return judgePage(vector, answer);
      return unexpected(answer);
    },
  };
}

/** One line about what is wrong with the report of a parser; undefined if nothing is. A parser may leave out families and exemplars. */
export function judgePage(
  vector: Pick<PageVector, "result" | "samples" | "families">,
  { samples, families, error }: PageAnswer,
): string | undefined {
  if (error !== undefined) return vector.result === "valid" ? refusal(error) : undefined;
  if (vector.result === "invalid") return ACCEPTED;
  const due = vector.samples ?? [];
  for (const [i, sample] of due.entries()) {
    const got = samples[i];
    if (got === undefined) return `sample ${i + 1} is missing`;
    const different = differenceOf(sample, got);
    if (different !== undefined) return `sample ${i + 1}: ${different}`;
  }
  if (samples.length > due.length) return `sample ${due.length + 1} is unexpected: ${show(samples[due.length])}`;
  return families === undefined || vector.families === undefined ? undefined : differentFamily(vector.families, families);
}

function differenceOf(due: Sample, got: Sample): string | undefined {
  if (got.name !== due.name) return `name is ${show(got.name)}, not ${show(due.name)}`;
  if (sorted(got.labels) !== sorted(due.labels)) return `labels are ${sorted(got.labels)}, not ${sorted(due.labels)}`;
  if (!isSameValue(got.value, due.value)) return `value is ${show(got.value)}, not ${show(due.value)}`;
  if (!isSameTime(got.timestamp, due.timestamp)) return `timestamp is ${show(got.timestamp)}, not ${show(due.timestamp)}`;
  if (got.exemplar === undefined) return undefined;
  return due.exemplar === undefined
    ? `exemplar is ${show(got.exemplar)}, but there is none`
    : differentExemplar(due.exemplar, got.exemplar);
}

function differentExemplar(due: Exemplar, got: Exemplar): string | undefined {
  const isSame = sorted(got.labels) === sorted(due.labels) && isSameValue(got.value, due.value) && isSameTime(got.timestamp, due.timestamp);
  return isSame ? undefined : `exemplar is ${show(got)}, not ${show(due)}`;
}

/** Compares families. A parser may leave out members; "" equals absent. */
function differentFamily(due: readonly Family[], got: readonly Family[]): string | undefined {
  for (const family of got) {
    const expected = due.find(({ name }) => name === family.name);
    for (const member of ["type", "help", "unit"] as const) {
      const text = family[member] ?? "";
      const isDefault = member === "type" && (text === "untyped" || text === "unknown");
      if (text !== "" && text !== (expected?.[member] ?? "") && !(isDefault && expected?.type === undefined))
        return `${member} of ${family.name} is ${show(text)}, not ${show(expected?.[member])}`;
    }
  }
  return undefined;
}

/** Compares values as 64-bit floats, whatever their spelling. */
const isSameValue = (a: string, b: string): boolean => Object.is(valueOf(String(a)), valueOf(b));
const valueOf = (text: string): number =>
  /^[+-]?inf/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : /^nan$/i.test(text) ? NaN : Number(text);
/** Compares times to a millisecond: some parsers drop fractions. */
const isSameTime = (a: number | undefined, b: number | undefined): boolean =>
  a === undefined || b === undefined ? a === b : Math.abs(Number(a) - b) < 1;

const sorted = (labels: readonly Pair[]): string => show([...labels].sort(([a, x], [b, y]) => (a < b || (a === b && x < y) ? -1 : 1)));

const show = (value: unknown): string => shown(value, 160);
