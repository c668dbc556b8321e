import type { CaseResult, Result, Summary, Verdict } from "../conformance/harness/result.ts";

/** Worst first: the order in which reports list them. */
export const VERDICTS = ["fail", "error", "unproved", "warn", "pass", "skip"] as const satisfies readonly Verdict[];

/** No case of any verdict. */
export const NONE: Summary = { pass: 0, warn: 0, fail: 0, unproved: 0, skip: 0, error: 0 };

/** Each verdict as a word for a number of cases. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  fail: "failed",
  error: "not judged",
  unproved: "unproved",
  warn: "warned",
  pass: "passed",
  skip: "skipped",
};

/** What each verdict means, for a legend. */
export const VERDICT_MEANS: Readonly<Record<Verdict, string>> = {
  fail: "the subject broke a MUST",
  error: "Touchstone could not do its work; this does not count against the subject",
  unproved:
    "nothing is proved either way: the subject did not accept the same exchange without the mistake, or it accepts mistakes of the same kind",
  warn: "the subject did not follow a SHOULD, or met a MUST in a discouraged way",
  pass: "the specification allows what was observed",
  skip: "the subject does not offer the optional feature",
};

/** The parts of an address in a specification: `rfc9113#6.9/increment-zero`. */
export type Address = { readonly doc: string; readonly section: string; readonly entry?: string };

export function address(ref: string): Address {
  const hash = ref.indexOf("#");
  if (hash < 0) return { doc: ref, section: "" };
  const rest = ref.slice(hash + 1);
  const slash = rest.indexOf("/");
  const doc = ref.slice(0, hash);
  return slash < 0 ? { doc, section: rest } : { doc, section: rest.slice(0, slash), entry: rest.slice(slash + 1) };
}

/** Document and section without the entry: the key by which reports group. */
export function sectionOf(ref: string): string {
  const { doc, section } = address(ref);
  return `${doc}#${section}`;
}

/** `RFC 9113`. */
export const docName = (doc: string): string => doc.replace(/^rfc(\d+)$/i, "RFC $1");

/** `RFC 9113 §6.9`. */
export function sectionName(ref: string): string {
  const { doc, section } = address(ref);
  return section === "" ? docName(doc) : `${docName(doc)} §${section}`;
}

/** Writes the addresses in a sentence for people: `rfc9113#5.4.1` becomes `RFC 9113 §5.4.1`. */
export const prose = (text: string): string => text.replaceAll(/\brfc\d+#(?:[A-Z\d]+(?:\.\d+)*)(?:\/[\w-]+)?/g, sectionName);

/** The URL of a section; undefined for documents that are not RFCs. */
export function sectionLink(ref: string): string | undefined {
  const { doc, section } = address(ref);
  const number = /^rfc(\d+)$/i.exec(doc)?.[1];
  if (number === undefined) return undefined;
  if (/^\d+(?:\.\d+)*$/.test(section)) return `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`;
  if (/^[A-Z](?:\.\d+)*$/.test(section)) return `https://www.rfc-editor.org/rfc/rfc${number}.html#appendix-${section}`;
  return `https://www.rfc-editor.org/rfc/rfc${number}.html`;
}

const numbers = new Intl.Collator("en", { numeric: true });

/** Compares by place in the document: numbered sections before appendices, 6.9 before 6.10. */
export function compareRefs(a: string, b: string): number {
  const [left, right] = [address(a), address(b)];
  return (
    numbers.compare(left.doc, right.doc) ||
    Number(/^[A-Za-z]/.test(left.section)) - Number(/^[A-Za-z]/.test(right.section)) ||
    compareSections(left.section, right.section) ||
    numbers.compare(left.entry ?? "", right.entry ?? "")
  );
}

function compareSections(a: string, b: string): number {
  const [left, right] = [a.split("."), b.split(".")];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = numbers.compare(left[i] ?? "", right[i] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

/** Sorts cases by section, then by id. */
export const bySection = <T extends { readonly spec: string; readonly id: string }>(cases: readonly T[]): T[] =>
  [...cases].sort((a, b) => compareRefs(a.spec, b.spec) || a.id.localeCompare(b.id));

/** Groups items by key, in order of first occurrence. */
export function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** The level without its negation: MUST, SHOULD or MAY. */
export const levelClass = (level: string): string => level.replace(" NOT", "");

/** `nghttpd 1.52`. If the name is only the address of the target, the name that the subject gives itself says more. */
export function subjectName({ subject: { name, version = "", target } }: Result): string {
  if (version === "" || name.includes(version)) return name;
  const itself = name === target || version.toLowerCase().startsWith(name.toLowerCase());
  return itself ? version : `${name} ${version}`;
}

/** `http2 server`: distinguishes the suites on one page. */
export const suiteName = (result: Result): string => `${result.suite} ${result.subject.role}`;

/** A label that distinguishes each result on a page: its suite, its subject, or both; "" for a single result. */
export function labels(results: readonly Result[]): string[] {
  const vary = (name: (result: Result) => string): boolean => new Set(results.map(name)).size > 1;
  const subjects = vary(subjectName);
  const suites = vary(suiteName) || (results.length > 1 && !subjects);
  return results.map((result) => [...(suites ? [suiteName(result)] : []), ...(subjects ? [subjectName(result)] : [])].join(": "));
}

export const total = (summary: Summary): number => VERDICTS.reduce((sum, verdict) => sum + summary[verdict], 0);

export function sumOf(results: readonly Result[]): Summary {
  const sum = { ...NONE };
  for (const { summary } of results) for (const verdict of VERDICTS) sum[verdict] += summary[verdict];
  return sum;
}

/** The verdicts with a column in a table of counts: a rare one only if it occurs. */
export const columnsFor = (summaries: readonly Summary[]): Verdict[] =>
  VERDICTS.filter((verdict) => verdict !== "unproved" || summaries.some((summary) => summary[verdict] > 0));

/** `2 failed, 1 warned, 264 passed`, without zero counts. */
export const summaryWords = (summary: Summary): string =>
  VERDICTS.filter((verdict) => summary[verdict] > 0)
    .map((verdict) => `${summary[verdict]} ${VERDICT_WORDS[verdict]}`)
    .join(", ") || "no case ran";

/**
 * Failures that no baseline excuses: failed cases, then cases that were not judged, then cases that pass although the baseline expects a
 * failure, and cases that moved.
 */
export function troubles(cases: readonly CaseResult[]): CaseResult[] {
  const rank = (c: CaseResult): number => (c.verdict === "fail" ? 0 : c.verdict === "error" ? 1 : 2);
  const wrong = cases.filter((c) => (c.baseline === undefined ? c.verdict === "fail" || c.verdict === "error" : !isExcused(c)));
  return bySection(wrong).sort((a, b) => rank(a) - rank(b));
}

/** A failure that the baseline, or the list of flaky cases, has. */
export const isExcused = ({ baseline }: Pick<CaseResult, "baseline">): boolean => baseline === "expected" || baseline === "flaky";

/** More cases were left unproved than got a verdict. */
export function isSpeechless(cases: readonly CaseResult[]): boolean {
  const count = (...verdicts: readonly Verdict[]): number => cases.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return count("unproved") > count("pass", "warn", "fail");
}

const WHY_PARTIAL = {
  interrupted: "the run was interrupted",
  "fail-fast": "--fail-fast ended the run",
  "missing-shards": "shards are missing",
} as const;

/** How much of a partial run there is, and why; undefined for a whole one. */
export function partialWords({ partial }: Pick<Result, "partial">): string | undefined {
  if (partial === undefined) return undefined;
  const { ran, of, why } = partial;
  return `${ran} of ${of} cases ran${why === "missing-shards" ? ":" : ", then"} ${WHY_PARTIAL[why]}`;
}

/** The reason without what was allowed and seen, for a report that shows both beside it. */
export const differenceOf = ({ reason }: Pick<CaseResult, "reason">): string => reason.replace(/ Allowed by \S+ \([A-Z ]+\): .*$/s, "");

/** Cases that one mistake of the subject may explain: the first stands for all. */
export type Finding = readonly [CaseResult, ...CaseResult[]];

/** One finding for each cause, in the order of their first cases. */
export const findings = (cases: readonly CaseResult[]): Finding[] =>
  [
    ...grouped(cases, (c) => `${c.verdict} ${c.baseline ?? ""} ${c.cause ?? (c.baseline === "moved" ? movement(c) : c.id)}`).values(),
  ].flatMap(([first, ...more]) => (first === undefined ? [] : [[first, ...more] as const]));

/** Cases that moved alike are one finding. */
const movement = ({ before, observed }: CaseResult): string => `${before?.observed ?? ""} → ${observed}`;

/** `38 failed for 5 causes`; the number of causes only if it is smaller. */
export function failWords(cases: readonly CaseResult[]): string {
  const failed = cases.filter(({ verdict }) => verdict === "fail");
  const causes = new Set(failed.map((c) => c.cause ?? c.id)).size;
  return `${failed.length} failed${causes < failed.length ? ` for ${causes} ${causes === 1 ? "cause" : "causes"}` : ""}`;
}

/** What the baseline, or an earlier result, says about a case; undefined if nothing. */
export const baselineWords = (c: CaseResult): string | undefined =>
  c.baseline === undefined
    ? undefined
    : {
        expected: "known failure",
        "unexpected-pass": "passes, although the baseline expects it to fail",
        unexpected: "new: not in the baseline",
        moved: "moved: not as in the earlier result",
        unsteady: `unsteady: ${(c.runs ?? []).join(", ")}`,
        flaky: c.runs === undefined ? "known to be flaky" : `known to be flaky: ${c.runs.join(", ")}`,
      }[c.baseline];

/** What the earlier result shows of a case that moved; undefined for any other. */
export const beforeWords = ({ before }: CaseResult): string | undefined =>
  before === undefined ? undefined : `${before.observed} (${before.verdict})`;

/** `1.2 s`, `340 ms`. */
export const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`);

/** The cost of an attack to the subject, with its budget, in one sentence. */
export function costWords({ memoryBefore, memoryPeak, memoryAfter, cpuMs, budget }: NonNullable<CaseResult["cost"]>): string {
  const mebi = (octets: number): string => (octets / 1_048_576).toFixed(1);
  const allowed = budget === undefined ? "" : ` Allowed: ${budget.memoryMiB} MiB more than before, and ${budget.cpuMs} ms.`;
  return `It cost the subject ${cpuMs} ms of processor time; its memory was ${mebi(memoryBefore)} MiB before, ${mebi(memoryPeak)} at most, ${mebi(memoryAfter)} after.${allowed}`;
}
