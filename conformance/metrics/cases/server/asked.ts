import { AT, type Group, type Question, RANGE } from "./question.ts";
import { QUESTIONS } from "./questions/index.ts";

/** A query with the words of its id, its rule, and the features it needs. */
export type Asked = Question & {
  readonly words: string;
  readonly rule: Group["rule"];
  readonly file: string;
  readonly needs: readonly string[];
};

/** Every query of the suite, including the range queries that groups ask for. */
export function everythingAsked(): Asked[] {
  return Object.entries(QUESTIONS).flatMap(([file, groups]) => groups.flatMap((group) => ofGroup(file, group)));
}

function ofGroup(file: string, { rule, needs = [], both, ask }: Group): Asked[] {
  return Object.entries(ask).flatMap(([words, written]) => {
    const question: Question = typeof written === "string" ? { expr: written } : written;
    const one: Asked = { at: AT, ...question, words, rule, file, needs: [...needs, ...(question.needs ?? [])] };
    if (question.range !== undefined || both !== true || question.at !== undefined) return [one];
    return [one, { ...one, words: `${words}-over-a-range`, range: RANGE }];
  });
}
