import type { CaseResult, Summary } from "../../conformance/harness/result.ts";
import { NONE } from "../order.ts";
import type { Question } from "./input.ts";
import { globs, OURS, type Judged } from "./judged.ts";

/** What one column answers to a question. */
export type Answer = {
  readonly column: Judged;
  /** The failed cases; those that prove a yes come first. */
  readonly broken: readonly CaseResult[];
  readonly summary: Summary;
  /** `broke`: it broke a rule, but nothing proves a yes. `unknown`: nothing was proved either way. */
  readonly says: "yes" | "broke" | "no" | "unknown";
};

const ORDER: readonly Answer["says"][] = ["yes", "broke", "no", "unknown"];

/** The answers of everybody in the matrices of a question: yes first, then who breaks most rules. */
export function answersTo(question: Question, judged: readonly Judged[]): Answer[] {
  const { matrices, proof } = question;
  const asked = askedBy(question);
  const proves = (c: CaseResult): boolean => proof === undefined || c.observed.includes(proof.observed);
  return judged
    .filter(({ matrix }) => matrices.includes(matrix.name))
    .map((column): Answer => {
      const cases = column.result.cases.filter(asked);
      const summary = { ...NONE };
      for (const { verdict } of cases) summary[verdict]++;
      const failed = cases.filter(({ verdict }) => verdict === "fail");
      const broken = [...failed.filter(proves), ...failed.filter((c) => !proves(c))];
      return { column, broken, summary, says: said(broken.map(proves), summary) };
    })
    .sort((a, b) => ORDER.indexOf(a.says) - ORDER.indexOf(b.says) || b.broken.length - a.broken.length);
}

/** Whether a question is about a case. */
export function askedBy({ requirements, also = [], without = [] }: Question): (c: Pick<CaseResult, "id" | "covers">) => boolean {
  const [rules, added, left] = [globs(requirements), globs(also), globs(without)];
  return ({ id, covers }) => (added(id) || covers.some(rules)) && !left(id);
}

function said(proofs: readonly boolean[], { pass, warn }: Summary): Answer["says"] {
  if (proofs.length > 0) return proofs.includes(true) ? "yes" : "broke";
  return pass + warn > 0 ? "no" : "unknown";
}

/** `caddy, h2o and haproxy`; with a limit `caddy, h2o and 4 more`. */
function listed(names: readonly string[], most = Number.POSITIVE_INFINITY): string {
  if (names.length > most + 1) return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** The answer in a few sentences, without our own implementation. */
export function answerWords(answers: readonly Answer[], { proof }: Question, most?: number): string {
  const others = answers.filter(({ column }) => column.name !== OURS);
  const names = (says: Answer["says"]): string =>
    listed(
      others.filter((answer) => answer.says === says).map(({ column }) => column.result.subject.name),
      most,
    );
  const [yes, broke, no] = [names("yes"), names("broke"), names("no")];
  return [
    yes === "" ? "Nobody who was judged." : `${yes}.`,
    ...(broke === "" ? [] : [`${proof?.otherwise ?? ""}: ${broke}.`]),
    ...(no === "" ? [] : [`Not: ${no}.`]),
  ].join(" ");
}
