import { expect, test } from "vitest";
import { Page, readOpenMetrics, readText } from "../../../reference/metrics/exposition/index.ts";
import { cases } from "../cases/load.ts";
import { familiesOf, pageOf } from "../embedded/vivid.ts";
import * as pages from "../impostors/pages.ts";
import type { Case } from "../vocabulary.ts";
import type { Answer } from "./fetch.ts";
import { ruleOf } from "./rules.ts";

/** The rules are written apart from those of the strict reader: a page that one of them accuses, the other must not pass. */

const TYPES = { text: "text/plain; version=0.0.4", openmetrics: "application/openmetrics-text; version=1.0.0" } as const;
type Is = keyof typeof TYPES;

const answerOf = (body: Buffer, is: Is): Answer => ({
  status: 200,
  fields: [{ name: "Content-Type", value: TYPES[is], line: "" }],
  raw: body,
  body,
  isWhole: true,
  extra: 0,
  asked: 1_800_000_000_000,
  answered: 1_800_000_000_000,
  problem: "",
  request: "",
});

const all: readonly Case[] = await cases();
/** The cases about form, which the strict reader judges too. */
const aboutForm = (is: Is): Case[] =>
  all.filter(
    ({ id, level, steps }) =>
      level.startsWith("MUST") &&
      steps.length === 1 &&
      steps[0]?.accept === is &&
      steps[0].times === undefined &&
      id.includes(is === "text" ? "/text-" : "/om-"),
  );
/** The MUST that a page breaks. */
const accused = (body: Buffer, is: Is): string[] =>
  aboutForm(is).flatMap(({ id, steps, allowed: [{ see }] }) =>
    ruleOf(see.rule)([{ step: steps[0]!, answers: [answerOf(body, is)] }], see.words ?? []) === undefined ? [] : [id],
  );
const isRefused = (body: Buffer, is: Is): boolean => (is === "text" ? readText : readOpenMetrics)(new Page(), body) !== undefined;

const vivid = (is: Is): Buffer =>
  pageOf(familiesOf(1, "exemplary"), { is, version: is === "text" ? "0.0.4" : "1.0.0", escaping: "underscores" });
/** Groups of lines that belong together: each begins with metadata, or is a line alone. */
const blocks = (lines: readonly string[]): string[][] => {
  const found: string[][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    const name = /^# (?:TYPE|HELP|UNIT) (\S+)/.exec(line)?.[1] ?? /^[\w:]+/.exec(line)?.[0] ?? line;
    if (last !== undefined && last.some((one) => one.split(" ").some((word) => word !== "" && name.startsWith(word)))) last.push(line);
    else found.push([line]);
  }
  return found;
};
const TEXT = [
  ...pages.TEXT_SYNTAX.map((line) => [line]),
  ...[pages.TEXT_METADATA, pages.TEXT_GROUPING, pages.TEXT_TYPES, pages.TEXT_NAMING].flatMap(blocks),
];
const OPENMETRICS = [...pages.OM_SYNTAX.map((line) => [line]), ...[pages.OM_METADATA, pages.OM_GROUPING, pages.OM_TYPES].flatMap(blocks)];
const WRONG = [...TEXT.map((lines) => ["text", lines] as const), ...OPENMETRICS.map((lines) => ["openmetrics", lines] as const)];

test.each(["text", "openmetrics"] as const)("the page without a mistake: %s is accused of nothing", (is) => {
  expect(accused(vivid(is), is)).toEqual([]);
  expect(isRefused(vivid(is), is)).toBe(false);
});

/** What binds only writers of pages, and what the text leaves open, by what the page is about. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "text doubled": "a bound that comes twice is a warning",
  "text suffixless": "a sample without suffix is one of another metric for a reader",
  "openmetrics odd_labels": "names with an underscore are reserved",
  "openmetrics _hidden": "names with an underscore are reserved",
  "openmetrics infinite_histogram": "only writers have to write +Inf",
  "openmetrics infinite_gaugehistogram": "only writers have to write +Inf",
};

test("the strict reader and the rules refuse the same pages, but for what binds only writers", () => {
  const disagreements = WRONG.flatMap(([is, lines]) => {
    const body = pages.plus(vivid(is), ...lines);
    const found = accused(body, is);
    return found.length > 0 === isRefused(body, is) ? [] : [`${is} ${/^# TYPE (\S+)/.exec(lines[0] ?? "")?.[1] ?? lines[0]}`];
  });
  expect(disagreements).toEqual(Object.keys(DIFFERENT));
});
