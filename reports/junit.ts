import type { CaseResult, Result, TranscriptLine, Verdict } from "../conformance/harness/result.ts";
import { cleaned, cut, oneLine } from "./clean.ts";
import {
  baselineWords,
  beforeWords,
  bySection,
  differenceOf,
  failWords,
  isExcused,
  partialWords,
  sectionName,
  subjectName,
  suiteName,
} from "./order.ts";
import { xmlDocument, type XmlElement } from "./xml.ts";

/** The status of a case in JUnit. A failure that the baseline expects is reported as skipped, so that only a change is red. */
type Kind = "passed" | "skipped" | "failure" | "error";

/** JUnit knows no verdict between passed and failed: an unproved case counts as skipped, with its reason. */
const KINDS: Readonly<Record<Verdict, Kind>> = {
  pass: "passed",
  warn: "passed",
  fail: "failure",
  unproved: "skipped",
  skip: "skipped",
  error: "error",
};

function kindOf(c: CaseResult): Kind {
  if (isExcused(c)) return "skipped";
  if (c.baseline !== undefined && c.baseline !== "unexpected") return "failure";
  return KINDS[c.verdict];
}

/** The number of transcript lines in a failure: the last ones. */
const EVIDENCE_LINES = 60;
const EVIDENCE_WIDTH = 400;

/** A time without zone and fraction has so many characters. */
const SECONDS = "2026-01-01T00:00:00".length;

/**
 * JUnit XML, valid by the schemas of Ant (which wants package, id, hostname and both outputs, and no attribute of the root) and of Jenkins: one suite per result, one testcase per case, and each stale baseline entry as a failure.
 */
export function toJunit(dirty: readonly Result[]): string {
  const results = cleaned(dirty);
  const root = xmlDocument("testsuites", {});
  for (const [id, result] of results.entries()) writeSuite(root, result, id);
  return root.end();
}

function writeSuite(root: XmlElement, result: Result, id: number): void {
  const suite = root.ele("testsuite", {
    name: oneLine(`${suiteName(result)}: ${subjectName(result)}`),
    package: result.suite,
    id: String(id),
    hostname: "localhost",
    ...attributes(tally(result)),
    time: seconds(result.ms),
    timestamp: result.startedAt.slice(0, SECONDS),
  });
  const properties = suite.ele("properties");
  for (const [name = "", value = ""] of [
    ["subject", subjectName(result)],
    ["target", result.subject.target],
    ["role", result.subject.role],
    ["touchstone", result.tool.version],
    ["failures", failWords(result.cases)],
  ])
    properties.ele("property", { name, value: oneLine(value) });
  for (const c of bySection(result.cases)) writeCase(suite, result, c);
  const partial = partialWords(result);
  if (partial !== undefined) {
    const cut = suite.ele("testcase", { name: "the whole run", classname: `${result.suite}.run`, time: "0.000" });
    cut.ele("error", { message: `Partial: ${partial}.`, type: "partial-run" });
  }
  for (const entry of result.stale ?? []) {
    const stale = suite.ele("testcase", { name: `baseline: ${oneLine(entry)}`, classname: `${result.suite}.baseline`, time: "0.000" });
    stale.ele("failure", { message: "No case has this id: remove the entry.", type: "stale-baseline" });
  }
  const warned = bySection(result.cases.filter((c) => c.verdict === "warn" && kindOf(c) === "passed"));
  suite.ele("system-out").txt(warned.map((c) => `Warning: ${c.id}\n${evidence(c)}\n`).join("\n"));
  suite.ele("system-err");
}

function writeCase(suite: XmlElement, result: Result, c: CaseResult): void {
  // Readers split the class name at dots to build a tree, so section numbers must not contain dots.
  const section = sectionName(c.spec).replaceAll(".", "·");
  const element = suite.ele("testcase", {
    name: c.id,
    classname: `${result.suite}.${result.subject.role}.${section}`,
    time: seconds(c.ms),
  });
  const kind = kindOf(c);
  if (kind === "skipped") element.ele("skipped", { message: headline(c) });
  if (kind === "failure") element.ele("failure", { message: headline(c), type: c.baseline ?? `${c.level} broken` }).txt(evidence(c));
  if (kind === "error") element.ele("error", { message: headline(c), type: "harness" }).txt(evidence(c));
}

const headline = (c: CaseResult): string =>
  cut(oneLine([baselineWords(c), ...(c.verdict === "unproved" ? ["unproved"] : []), c.reason].filter(Boolean).join(": ")), 500);

const evidence = (c: CaseResult): string =>
  [
    `${sectionName(c.spec)} (${c.level}): ${c.title}`,
    `Expected: ${c.expected.join("\n      or: ")}`,
    `Observed: ${c.observed}`,
    ...(c.before === undefined ? [] : [`Before: ${beforeWords(c)}`]),
    `Why: ${differenceOf(c)}`,
    ...(c.transcript.length === 0 ? [] : ["", ...lines(c.transcript)]),
  ].join("\n");

function lines(transcript: readonly TranscriptLine[]): string[] {
  const left = transcript.length - EVIDENCE_LINES;
  const kept = transcript
    .slice(-EVIDENCE_LINES)
    .map((l) => `${l.at.toFixed(1).padStart(9)} ms ${l.way} ${cut(oneLine(l.means), EVIDENCE_WIDTH)}`);
  return left > 0 ? [`(${left} earlier lines left out)`, ...kept] : kept;
}

type Tally = { readonly tests: number; readonly failures: number; readonly errors: number; readonly skipped: number };

function tally(result: Result): Tally {
  const kinds = result.cases.map(kindOf);
  const number = (kind: Kind): number => kinds.filter((k) => k === kind).length;
  const stale = result.stale?.length ?? 0;
  const cut = result.partial === undefined ? 0 : 1;
  return {
    tests: kinds.length + stale + cut,
    failures: number("failure") + stale,
    errors: number("error") + cut,
    skipped: number("skipped"),
  };
}

const attributes = (t: Tally): Record<string, string> => ({
  tests: String(t.tests),
  failures: String(t.failures),
  errors: String(t.errors),
  skipped: String(t.skipped),
});
const seconds = (ms: number): string => (ms / 1000).toFixed(3);
