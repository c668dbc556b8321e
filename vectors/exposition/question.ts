import type { CodecAnswer } from "../codec.ts";
import type { Question } from "../judge.ts";
import type { Exemplar, Family, PageVector, Pair, Sample } from "./source/craft.ts";

export const EXPOSITION_KINDS = ["exposition-text", "exposition-openmetrics"] as const;
export type ExpositionKind = (typeof EXPOSITION_KINDS)[number];

/** What a reader said of a page: its samples, what is said of families, or why it is none. */
export type PageAnswer = { readonly samples: readonly Sample[]; readonly families?: readonly Family[]; readonly error?: string };

/** The question that a page puts to a reader. */
export function pageQuestion(op: ExpositionKind, vector: PageVector): Question {
  return {
    request: { op, page: vector.page },
    judge(answer: CodecAnswer) {
      if (answer.is === "error") return judgePage(vector, { samples: [], error: answer.error });
      if (answer.is === "samples") return judgePage(vector, answer);
      return answer.is === "trouble" ? answer.why : `it answered with ${answer.is}`;
    },
  };
}

/** What is wrong with a reading: one line, or nothing. Families and exemplars that a reader does not tell of are not missed. */
export function judgePage(vector: Pick<PageVector, "result" | "samples" | "families">, { samples, families, error }: PageAnswer): string | undefined {
  if (error !== undefined) return vector.result === "valid" ? `it was refused: ${error}` : undefined;
  if (vector.result === "invalid") return "it was accepted, and has to be refused";
  const due = vector.samples ?? [];
  for (const [i, sample] of due.entries()) {
    const got = samples[i];
    if (got === undefined) return `sample ${i + 1} is missing`;
    const different = differenceOf(sample, got);
    if (different !== undefined) return `sample ${i + 1}: ${different}`;
  }
  if (samples.length > due.length) return `sample ${due.length + 1} is none: ${show(samples[due.length])}`;
  return families === undefined || vector.families === undefined ? undefined : differentFamily(vector.families, families);
}

function differenceOf(due: Sample, got: Sample): string | undefined {
  if (got.name !== due.name) return `name is ${show(got.name)}, not ${show(due.name)}`;
  if (sorted(got.labels) !== sorted(due.labels)) return `labels are ${sorted(got.labels)}, not ${sorted(due.labels)}`;
  if (!isSameValue(got.value, due.value)) return `value is ${show(got.value)}, not ${show(due.value)}`;
  if (!isSameTime(got.timestamp, due.timestamp)) return `timestamp is ${show(got.timestamp)}, not ${show(due.timestamp)}`;
  if (got.exemplar === undefined) return undefined;
  return due.exemplar === undefined ? `exemplar is ${show(got.exemplar)}, and there is none` : differentExemplar(due.exemplar, got.exemplar);
}

function differentExemplar(due: Exemplar, got: Exemplar): string | undefined {
  const isSame = sorted(got.labels) === sorted(due.labels) && isSameValue(got.value, due.value) && isSameTime(got.timestamp, due.timestamp);
  return isSame ? undefined : `exemplar is ${show(got)}, not ${show(due)}`;
}

/** What is said of the families of the vector, and of no others. A member that is left out is not missed; "" is the same as absent. */
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

/** The same 64 bits, however they are written. */
const isSameValue = (a: string, b: string): boolean => Object.is(valueOf(String(a)), valueOf(b));
const valueOf = (text: string): number => (/^[+-]?inf/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : /^nan$/i.test(text) ? NaN : Number(text));
/** To a millisecond: some readers keep no fractions of it. */
const isSameTime = (a: number | undefined, b: number | undefined): boolean =>
  a === undefined || b === undefined ? a === b : Math.abs(Number(a) - b) < 1;

const sorted = (labels: readonly Pair[]): string =>
  show([...labels].sort(([a, x], [b, y]) => (a < b || (a === b && x < y) ? -1 : 1)));

const show = (value: unknown): string => {
  const said = JSON.stringify(value) ?? "absent";
  return said.length > 160 ? `${said.slice(0, 160)}…` : said;
};
