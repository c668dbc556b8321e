import { Labels, Matcher, METADATA_NAMES, METRIC_NAME } from "../../model/index.ts";
import { type Call, unwrap, type VectorSelector } from "../syntax/ast.ts";
import { selectInstant } from "../evaluate/select.ts";
import { ExecutionFailure, sameLabels } from "../evaluate/failure.ts";
import type { Frame, Work } from "../evaluate/query.ts";
import { LABELS_WORK } from "../evaluate/rows.ts";
import { ABSENT, Matrix } from "../evaluate/value.ts";
import { vectorArgument } from "./given.ts";

/** The labels that identify an info series, besides its name; all other labels are data (Prometheus docs, querying/functions.md, "info()", "Limitations"). */
const IDENTIFYING: ReadonlySet<string> = new Set(["instance", "job"]);
const NOT_DATA: ReadonlySet<string> = new Set([...IDENTIFYING, ...METADATA_NAMES]);
const DEFAULT_NAME = new Matcher(METRIC_NAME, "=", "target_info");
const ANY_INFO = new Matcher(METRIC_NAME, "=~", ".+_info");

type Wanted = { readonly names: readonly Matcher[]; readonly data: readonly Matcher[] };

/** Prometheus docs, querying/functions.md, "info()" */
export function* info(call: Call, frame: Frame): Work<Matrix> {
  const { budget } = frame.query;
  const wanted = wantedOf(call);
  const base = yield* vectorArgument(call, 0, frame);
  const seen = yield* selectInstant(selectorOf(call, wanted), frame, "timestamp of a float");
  const byIdentity = Map.groupBy(seen.sources.keys(), (row) => identity(seen.labelsOf(row)));
  const out = new Matrix(frame.steps, base.rows);
  const rows = new Map<string, number>();
  for (let row = 0; row < base.rows; row++) {
    if (frame.query.isDue(LABELS_WORK * frame.steps)) yield;
    const own = base.labelsOf(row);
    const isInfo = wanted.names.every((name) => name.matches(own.metric));
    const key = identity(own);
    // Without any of the labels it belongs to no target.
    const candidates = key === NOBODY ? [] : (byIdentity.get(key) ?? []);
    for (let step = 0; step < frame.steps; step++) {
      const source = row * frame.steps + step;
      if (base.kinds[source] === ABSENT) continue;
      const labels = isInfo ? own : enriched(own, newest(seen, candidates, step), wanted.data);
      if (labels === undefined) continue;
      const target = rows.get(labels.key) ?? out.rows;
      if (target === out.rows) {
        rows.set(labels.key, target);
        out.addRow(labels);
      }
      if (out.kinds[target * frame.steps + step] !== ABSENT) throw sameLabels();
      out.copyCell(target * frame.steps + step, base, source);
    }
  }
  budget.drop(base);
  budget.drop(seen);
  return budget.keep(out);
}

const identity = (labels: Labels): string => labels.only(IDENTIFYING).key;
const NOBODY = identity(Labels.of({}));

function wantedOf(call: Call): Wanted {
  const [, given] = call.args;
  const selector = given === undefined ? undefined : unwrap(given);
  const matchers = selector?.is === "vectorSelector" ? selector.matchers : [];
  const names = matchers.filter(({ name }) => name === METRIC_NAME);
  const data = matchers.filter(({ name }) => name !== METRIC_NAME);
  if (names.length === 0) return { names: [DEFAULT_NAME], data };
  return { names: names.every(({ isNegative }) => isNegative) ? [ANY_INFO, ...names] : names, data };
}

const selectorOf = ({ span }: Call, { names, data }: Wanted): VectorSelector => ({
  is: "vectorSelector",
  span,
  name: "",
  matchers: [...names, ...data],
  offset: undefined,
  at: undefined,
  extension: undefined,
});

/** The series with the newest sample of each info metric: an older one with other data has ended without a stale marker. */
function newest(seen: Matrix, candidates: readonly number[], step: number): Labels[] {
  const best = new Map<string, number>();
  for (const row of candidates) {
    const cell = row * seen.steps + step;
    if (seen.kinds[cell] === ABSENT) continue;
    const name = seen.sources[row]?.metric ?? "";
    const kept = best.get(name);
    const isNewer = kept === undefined || (seen.values[cell] ?? 0) > (seen.values[kept * seen.steps + step] ?? 0);
    if (isNewer) best.set(name, row);
  }
  return [...best.values()].map((row) => seen.labelsOf(row));
}

/** The labels plus the data of info series, which never replace a label. Undefined if data is required and there is none. */
function enriched(own: Labels, infos: readonly Labels[], data: readonly Matcher[]): Labels | undefined {
  if (infos.length === 0) return data.every(({ matchesEmpty }) => matchesEmpty) ? own : undefined;
  const names = new Set(data.map(({ name }) => name));
  const added = new Map<string, string>();
  for (const labels of infos) {
    for (const [name, value] of labels.without(NOT_DATA)) {
      if ((names.size > 0 && !names.has(name)) || own.has(name)) continue;
      const before = added.get(name);
      if (before !== undefined && before !== value) throw new ExecutionFailure(`conflicting label: ${name}`);
      added.set(name, value);
    }
  }
  return added.size === 0 ? own : Labels.of([...own, ...added]);
}
