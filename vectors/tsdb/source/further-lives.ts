import { block, Life } from "./life-craft.ts";
import type { LifeMatcher, LifeVector } from "./life-kinds.ts";

/** Lives that small mistakes in a storage would change, and nothing else; new ones are appended. */

type Draft = Omit<LifeVector, "id">;
type Histograms = ConstructorParameters<typeof Life>[2];

const SPEC = "prometheus-storage#on-disk-layout";
const LATE = { window: 2_000 };
const named = (name: string): LifeMatcher[] => [["__name__", "=", name]];
/** Whatever the storage has, it shows after a restart, in blocks, and after a kill. */
const toTheEnd = (life: Life): Life => life.query().restart().query().kill().query().flush(90_000).query().restart().query().compact(90_000).query();
const times = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

export function furtherLives(series: Life["series"], histograms: Histograms): Draft[] {
  const life = (options: ConstructorParameters<typeof Life>[1] = {}): Life => new Life(series, options, histograms);
  const plain = (): Life => new Life(series);
  return [
    toTheEnd(
      times(260).reduce<Life>((so, n) => so.append([["a", n, n === 120 || n === 121 || n === 240 ? "stale" : "i1"], ["b", n, n % 120 === 0 && n > 0 ? "stale" : "f1"]]), life()),
    ).written("260 histograms, with staleness markers where a chunk is full", SPEC, "Histogram"),
    toTheEnd(
      life(LATE)
        .append(times(40).map((n) => ["a", 10_000 + n * 10, n < 20 ? "i1" : "i2"] as const))
        .append(times(40).map((n) => ["b", 10_000 + n * 10, n] as const))
        .append([["a", 10_005, 1], ["a", 10_006, 2], ["a", 10_205, 3], ["a", 10_014, "stale"], ["a", 10_017, 4]])
        .append([["b", 10_005, 1], ["b", 10_006, "stale"]]),
    ).written("late floats between histograms", SPEC, "Late"),
    toTheEnd(
      life()
        .append(["i1", "i2", 5, 6, "f1", "f2", 7, "i1", "stale", "i2", 8, "stale", "c1", "c2", "stale", 9, "f1", "stale", "stale", "i1"].map((value, n) => ["a", 10_000 + n, value] as const))
        .append([["b", 10_000, 1], ["b", 10_001, "i1"], ["b", 10_002, 2]])
        .flush(1)
        .delete(named("a"), { from: 10_001, to: 10_001 })
        .query()
        .clean(2)
        .query()
        .delete(named("a"), { from: 10_005, to: 10_007 })
        .delete(named("a"), { from: 10_019, to: 10_019 })
        .clean(3)
        .query(),
    ).written("histograms and floats of one series in a block that is written again", SPEC, "Histogram"),
    plain()
      .each(["a"], 10_000, 11_600, { every: 1 })
      .compact(1)
      .delete(named("a"), { from: 10_100, to: 10_200 })
      .blocks(block(10_000, 11_000, [1, 1_000, 8, 1, 1]))
      .delete(named("a"), { from: 10_201, to: 10_300 })
      .delete(named("a"), { from: 10_050, to: 10_099 })
      .blocks(block(10_000, 11_000, [1, 1_000, 8, 1, 1]))
      .delete(named("a"), { from: 10_302, to: 10_310 })
      .delete(named("a"), { from: 10_040, to: 10_048 })
      .blocks(block(10_000, 11_000, [1, 1_000, 8, 1, 3]))
      .query()
      .delete(named("a"), { from: 10_301, to: 10_301 })
      .blocks(block(10_000, 11_000, [1, 1_000, 8, 1, 2]))
      .delete(named("a"), { from: 10_049, to: 10_049 })
      .delete(named("a"), { from: 10_900, to: 10_950 })
      .delete(named("a"), { from: 10_020, to: 10_960 })
      .blocks(block(10_000, 11_000, [1, 1_000, 8, 1, 1]))
      .query()
      .restart()
      .query()
      .clean(2)
      .query()
      .written("deleted ranges that touch are one; one millisecond between them keeps them apart", SPEC, "Deletion"),
    plain()
      .each(["a"], 10_000, 11_600, { every: 100 })
      .compact(1_700_000_000_123)
      .blocks({ ...block(10_000, 11_000, [1, 10]), created: 1_700_000_000_123 })
      .each(["a"], 11_700, 12_800, { every: 100 })
      .compact(1_700_000_000_124)
      .flush(2 ** 45 + 31)
      .blocks(
        { ...block(10_000, 11_000, [1, 10]), created: 1_700_000_000_123 },
        { ...block(11_000, 12_000, [1, 10]), created: 1_700_000_000_124 },
        { ...block(12_000, 13_000, [1, 9]), created: 2 ** 45 + 31 },
      )
      .restart()
      .query()
      .written("the name of a block begins with the time when it was written", SPEC, "Block"),
    plain()
      .each(["a", "b"], 10_000, 11_600, { every: 50 })
      .compact(1)
      .each(["a", "b"], 11_650, 12_600, { every: 50 })
      .compact(2)
      .forget({ from: 10_000, to: 10_999 }, "a")
      .damage("*/chunks/000001", { at: 14, xor: 255 })
      .restart()
      .step({ do: "delete", match: named("b"), from: 10_100, to: 10_300 })
      .forget({ from: 10_100, to: 10_300 }, "b")
      .compact(3, 1)
      .blocks({ ...block(10_000, 11_000, [2, 40, 2, 1, 1]), created: 1 }, block(11_000, 12_000, [2, 40]))
      .query()
      .compact(4, 1)
      .restart()
      .compact(5)
      .query()
      .written("a block that cannot be compacted stays as it is, and is not tried again", SPEC, "Damage"),
    fewAmongMany(),
  ];
}

/** Matchers that select three series of 120, and matchers that select most of them. */
function fewAmongMany(): Draft {
  const series = Object.fromEntries(times(120).map((n) => [`s${n}`, { __name__: "m", id: String(n), job: "x", ...(n % 2 === 0 ? {} : { odd: "1" }) }]));
  const life = new Life(series).append(Object.keys(series).map((key, n) => [key, 100, n] as const));
  const ask = (): void => {
    for (const few of ["0|57|119", "1|2|3", "116|118|119", "60"])
      life
        .query([["job", "=", "x"], ["id", "=~", few]])
        .query([["odd", "=", "1"], ["id", "=~", few]])
        .query([["id", "=~", few], ["odd", "!=", "1"]])
        .query([["id", "=~", few], ["job", "!=", "x"]]);
  };
  ask();
  life.flush(50);
  ask();
  return life.written("a few series among many that match", SPEC, "Life");
}
