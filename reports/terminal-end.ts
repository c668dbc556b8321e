import { styleText } from "node:util";
import type { CaseResult, Result, Verdict } from "../conformance/harness/result.ts";
import { oneLine } from "./clean.ts";
import { bySection, isExcused, isSpeechless, partialWords } from "./order.ts";
import { counted } from "./words.ts";

/** Longer lists say how many more there are. */
const LISTED = 40;

const red = (words: string): string => styleText("red", words);

/** What stands last on a terminal, where people look: what the baseline got wrong, what moved, whether the run is whole, and what to do next. */
export function endText(results: readonly Result[], strict: boolean): string {
  const cases = bySection(results.flatMap((result) => result.cases));
  return [
    ...listed(
      "new failure",
      cases.filter(({ baseline }) => baseline === "unexpected"),
      ({ id }) => id,
    ),
    ...listed(
      "passes now",
      cases.filter(({ baseline }) => baseline === "unexpected-pass"),
      ({ id }) => `${id}: remove it from the baseline`,
    ),
    ...listed(
      "unsteady",
      cases.filter(({ baseline }) => baseline === "unsteady"),
      ({ id, runs = [] }) => `${id}: ${runs.join(", ")}`,
    ),
    ...listed(
      "stale",
      results.flatMap(({ stale = [] }) => stale),
      (entry) => `${oneLine(entry)}: no case has this id; remove the entry`,
    ),
    ...results.flatMap((result) => {
      const words = partialWords(result);
      return words === undefined ? [] : [red(`Partial: ${words}.`)];
    }),
    nextStep(results, cases, strict),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function listed<T>(title: string, all: readonly T[], words: (one: T) => string): string[] {
  const more = all.length > LISTED ? [`  … and ${all.length - LISTED} more`] : [];
  return [...all.slice(0, LISTED).map((one) => `${red(title.padEnd(11))}  ${words(one)}`), ...more];
}

type Advice = { readonly when: boolean; readonly words: string };

/** The first advice that applies. Only a run that is whole, and not red, ends with good news. */
function nextStep(results: readonly Result[], cases: readonly CaseResult[], strict: boolean): string {
  const has = (test: (c: CaseResult) => boolean): boolean => cases.some(test);
  const isOf = (verdict: Verdict) => (c: CaseResult) => c.verdict === verdict && !isExcused(c);
  const busy = cases.filter(({ tooBusy }) => tooBusy === true).length;
  const advice: readonly Advice[] = [
    {
      when: has(isOf("fail")),
      words:
        "Next: read one failure with --only ID --trace beside its section. Failures to accept for now go into a file: --write-baseline known.json, then --baseline known.json.",
    },
    {
      when: has(({ baseline }) => baseline === "unexpected-pass") || results.some(({ stale = [] }) => stale.length > 0),
      words: "Next: bring the baseline up to date: remove these entries, or write it again with --write-baseline.",
    },
    {
      when: has(({ baseline }) => baseline === "unsteady"),
      words: "Next: find out why these verdicts move, or list the cases as known with --flaky FILE.",
    },
    {
      when: has(isOf("error")),
      words: "Next: the errors are about reaching the subject, not about its behaviour: see the reasons above.",
    },
    {
      when: busy > 0,
      words: `Next: ${counted(busy, "case")} could not be judged because the machine is too busy: run them again when it is calm.`,
    },
    {
      when: has(({ baseline }) => baseline === "moved"),
      words: "Next: if the new behaviour is intended, write the earlier result again with --save.",
    },
    {
      when: strict && (has(isOf("warn")) || has(isOf("unproved"))),
      words: "Next: --strict makes warnings and unproved cases red; without it they are allowed.",
    },
    {
      when: isSpeechless(cases),
      words: "Next: more cases are unproved than judged, so the run says nothing about the subject: see the reasons above.",
    },
    { when: results.some(({ partial }) => partial !== undefined), words: "Next: run the rest; a partial run shows only what it got to." },
  ];
  const found = advice.find(({ when }) => when);
  if (found !== undefined) return found.words;
  if (cases.length === 0) return "";
  const known = cases.filter((c) => c.verdict === "fail").length;
  return styleText("green", known === 0 ? "Nothing failed." : `Nothing failed but ${known} known ${known === 1 ? "failure" : "failures"}.`);
}
