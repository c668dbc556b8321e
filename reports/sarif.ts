import type { CaseResult, Result } from "../conformance/harness/result.ts";
import { cleaned, cut, oneLine } from "./clean.ts";
import {
  baselineWords,
  bySection,
  differenceOf,
  isExcused,
  partialWords,
  sectionLink,
  sectionName,
  subjectName,
  suiteName,
} from "./order.ts";

/** Code scanning shows the text of a result up to about this length. */
const MOST_TEXT = 1_000;
const HOMEPAGE = "https://github.com/touchstone-suite/touchstone";

/**
 * SARIF 2.1.0 (docs.oasis-open.org/sarif): one run for each result, one rule for each case with its section, one result for each case that did not pass. A
 * known failure is suppressed; the place of a result is the address of the subject, since there is no file.
 */
export const toSarif = (dirty: readonly Result[]): string =>
  `${JSON.stringify(
    {
      $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      version: "2.1.0",
      runs: cleaned(dirty).map(runOf),
    },
    null,
    2,
  )}\n`;

function runOf(result: Result): object {
  const found = bySection(result.cases).filter(isFound);
  const rules = [...new Map(found.map((c) => [c.id, ruleOf(c)]))];
  const index = new Map(rules.map(([id], at) => [id, at]));
  const partial = partialWords(result);
  const began = Date.parse(result.startedAt);
  const notes = [
    ...(partial === undefined ? [] : [`Partial: ${partial}.`]),
    ...(result.stale ?? []).map((entry) => `The baseline entry "${oneLine(entry)}" matches no case: remove it.`),
  ];
  return {
    tool: {
      driver: {
        name: result.tool.name,
        version: result.tool.version,
        informationUri: HOMEPAGE,
        rules: rules.map(([, rule]) => rule),
      },
    },
    automationDetails: { id: `touchstone/${suiteName(result)}/${subjectName(result)}/` },
    invocations: [
      {
        executionSuccessful: notes.length === 0,
        startTimeUtc: result.startedAt,
        ...(Number.isNaN(began) ? {} : { endTimeUtc: new Date(began + result.ms).toISOString() }),
        ...(notes.length === 0 ? {} : { toolExecutionNotifications: notes.map((text) => ({ level: "error", message: { text } })) }),
      },
    ],
    results: found.map((c) => resultOf(c, index.get(c.id) ?? 0, result)),
  };
}

const isFound = ({ verdict, baseline }: CaseResult): boolean =>
  verdict === "fail" ||
  verdict === "warn" ||
  verdict === "error" ||
  (baseline !== undefined && baseline !== "expected" && baseline !== "flaky");

function ruleOf(c: CaseResult): object {
  const link = sectionLink(c.spec);
  return {
    id: c.id,
    shortDescription: { text: c.title },
    fullDescription: { text: `${sectionName(c.spec)}, ${c.level}: ${c.title}` },
    ...(link === undefined ? {} : { helpUri: link }),
    // Code scanning shows it beside each result, and requires it.
    help: { text: helpOf(c, link) },
    properties: { tags: [sectionName(c.spec), c.level, c.role] },
  };
}

const helpOf = ({ id, spec, title }: CaseResult, link: string | undefined): string =>
  `${title} Read ${sectionName(spec)}${link === undefined ? "" : ` (${link})`}, then look at what was sent and received: touchstone check … --only ${id} --trace`;

function levelOf(c: CaseResult): "error" | "warning" | "note" {
  if (c.verdict === "error") return "note";
  return c.verdict === "warn" && c.baseline === undefined ? "warning" : "error";
}

function resultOf(c: CaseResult, ruleIndex: number, { subject }: Result): object {
  const note = baselineWords(c);
  const text = [...(note === undefined ? [] : [`${note}.`]), differenceOf(c), `Observed: ${c.observed}`].map(oneLine).join(" ");
  return {
    ruleId: c.id,
    ruleIndex,
    level: levelOf(c),
    message: { text: cut(text, MOST_TEXT) },
    locations: [
      {
        // Code scanning needs a file: the requirement is about the subject, not about one.
        physicalLocation: { artifactLocation: { uri: "touchstone.config" }, region: { startLine: 1 } },
        logicalLocations: [{ name: subject.name, fullyQualifiedName: subject.target, kind: "resource" }],
      },
    ],
    partialFingerprints: { "case/v1": `${subject.role}/${c.id}` },
    ...(isExcused(c) ? { suppressions: [{ kind: "external", status: "accepted", justification: note }] } : {}),
  };
}
