import type { CaseResult } from "../harness/result.ts";
import type { CaseMap, Crosscheck, TheirCase } from "./crosscheck.ts";

export type Comparison = {
  readonly theirs: TheirCase;
  readonly ours: readonly CaseResult[];
  /** `warned`: we warn, since no MUST was broken. `unmapped`: none of our cases checks the same. `unjudged`: one side skipped it. */
  readonly is: "agree" | "differ" | "warned" | "unmapped" | "unjudged";
  readonly why?: string;
};

const mappedIds = (map: CaseMap, { section, title }: TheirCase): readonly string[] => map[section]?.[title] ?? [];

/** Pairs the verdicts. A warning of ours is neither a pass nor a fail: other suites do not warn, so it differs from nothing. */
export function compare(
  theirs: readonly TheirCase[],
  ours: readonly CaseResult[],
  { tool, map }: Pick<Crosscheck, "tool" | "map">,
): Comparison[] {
  const byId = new Map(ours.map((one) => [one.id, one]));
  return theirs.map((one): Comparison => {
    const mapped = mappedIds(map, one).flatMap((id) => byId.get(id) ?? []);
    if (mapped.length === 0) return { theirs: one, ours: [], is: "unmapped" };
    const judged = mapped.filter(({ verdict }) => verdict !== "skip" && verdict !== "error" && verdict !== "unproved");
    if (one.verdict === "skip" || judged.length === 0) return { theirs: one, ours: mapped, is: "unjudged" };
    const failing = judged.filter(({ verdict }) => verdict === "fail");
    if (one.verdict === "pass" && failing.length > 0)
      return { theirs: one, ours: failing, is: "differ", why: `${tool} passes what we fail` };
    const warning = judged.filter(({ verdict }) => verdict === "warn");
    if (failing.length === 0 && warning.length > 0)
      return { theirs: one, ours: warning, is: "warned", why: `${tool} ${one.verdict === "pass" ? "passes" : "fails"} what we warn of` };
    if (one.verdict === "fail" && failing.length === 0)
      return { theirs: one, ours: judged, is: "differ", why: `${tool} fails what we pass` };
    return { theirs: one, ours: mapped, is: "agree" };
  });
}

/** For people: the differences with our evidence, the cases without a counterpart, and the counts. `again` begins the command that runs a case of ours. */
export function comparisonText(
  comparisons: readonly Comparison[],
  { tool, version, again }: { readonly tool: string; readonly version: string; readonly again: string },
): string {
  const of = (is: Comparison["is"]): Comparison[] => comparisons.filter((one) => one.is === is);
  const lines = [...of("differ"), ...of("warned")].flatMap(({ theirs, ours, is, why }) => [
    `${is === "differ" ? "DIFFER" : "WARN  "}  ${theirs.section}  ${theirs.title}`,
    `        ${why}`,
    ...(theirs.detail === "" ? [] : [`        ${tool}: ${theirs.detail}`]),
    ...ours.flatMap((one) => [
      `        ours: ${one.verdict} ${one.id}: ${one.reason}`,
      `              observed ${one.observed}`,
      `              look closer: ${again} --only ${one.id} --trace`,
    ]),
    "",
  ]);
  lines.push(...of("unmapped").map(({ theirs }) => `no case of ours: ${theirs.section}  ${theirs.title}`));
  const skipped = of("unjudged").length;
  lines.push(
    `${comparisons.length} cases of ${tool} ${version} (${comparisons.filter(({ theirs }) => theirs.verdict === "pass").length} passed there): ` +
      `${of("agree").length} agree, ${of("differ").length} differ, ${of("warned").length} with a warning of ours, ${of("unmapped").length} have no case of ours${skipped === 0 ? "" : `, ${skipped} skipped by one side`}.`,
  );
  return `${lines.join("\n")}\n`;
}
