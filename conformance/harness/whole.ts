import { WrongUse } from "./driver.ts";
import { coverage, requirementFiles } from "./coverage.ts";
import type { CaseResult, Result } from "./result.ts";
import { summaryOf } from "./run.ts";

/**
 * Joins the shards of each run, a run being a suite and a role on one subject; results of whole runs stay as they are. If shards are missing, the
 * joined result is partial. Throws `WrongUse` for shards of different divisions, and for one that is given twice.
 */
export function wholeOf(results: readonly Result[]): Result[] {
  const runs = new Map<string, Result[]>();
  for (const result of results) {
    const key = keyOf(result);
    const run = runs.get(key);
    if (run === undefined) runs.set(key, [result]);
    else run.push(result);
  }
  return [...runs.values()].flatMap(ofRun);
}

/** With `check --start` the port of each shard's subject is another one: only the name tells subjects apart. */
const keyOf = ({ suite, subject, shard }: Result): string =>
  shard === undefined ? `${suite} ${subject.role} ${subject.name} whole` : `${suite} ${subject.role} ${subject.name.replace(/:\d+/, "")}`;

function ofRun(shards: readonly Result[]): Result[] {
  const [first] = shards;
  const division = first?.shard;
  if (first === undefined || division === undefined) return [...shards];
  const { of, selected } = division;
  const about = `${first.suite} ${first.subject.role} ${first.subject.name}`;
  const seen = new Set<number>();
  for (const { shard } of shards) {
    if (shard?.of !== of || shard.selected !== selected)
      throw new WrongUse(
        `${about}: these shards divide different runs: ${of} of ${selected} cases, and ${shard?.of} of ${shard?.selected}.`,
      );
    if (seen.has(shard.index)) throw new WrongUse(`${about}: shard ${shard.index} of ${of} is given twice; --name tells subjects apart.`);
    seen.add(shard.index);
  }
  const cases = shards.flatMap((one) => one.cases).toSorted(inOrder);
  // An entry of a baseline is stale if no case of the suite has its name: all shards say the same.
  const stale = [...new Set(shards.flatMap((one) => one.stale ?? []))];
  const { shard: _, partial: __, ...kept } = first;
  const cut = shards.find(({ partial }) => partial !== undefined)?.partial;
  const why = cut?.why ?? "missing-shards";
  return [
    {
      ...kept,
      startedAt: shards.map(({ startedAt }) => startedAt).toSorted()[0]!,
      ms: Math.max(...shards.map(({ ms }) => ms)),
      summary: summaryOf(cases),
      coverage: coverage(requirementFiles(), cases),
      titles: Object.assign({}, ...shards.map(({ titles }) => titles)) as Record<string, string>,
      ...(stale.length === 0 ? {} : { stale }),
      ...(cases.length < selected ? { partial: { ran: cases.length, of: selected, why } } : {}),
      cases,
    },
  ];
}

const inOrder = (a: CaseResult, b: CaseResult): number =>
  a.spec.localeCompare(b.spec, "en", { numeric: true }) || a.id.localeCompare(b.id, "en");
