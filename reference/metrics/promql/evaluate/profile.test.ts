import { expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { MemoryStorage } from "../../storage/index.ts";
import { evaluateRange, finish, parse, Profile, type Expr } from "../index.ts";
import { childrenOf } from "../syntax/walk.ts";

test("the profile of a query: the series and samples of each node, and more time in a node than in those below it", () => {
  const storage = new MemoryStorage();
  const appender = storage.appender();
  for (let at = 0; at < 10; at++)
    for (const [instance, job] of ["ax", "bx", "cy"])
      appender.append(appender.series(Labels.of({ __name__: "n", instance: instance!, job: job! })), at * 1_000, at);
  appender.commit();
  const expr = parse("sum by (job) (rate(n[3s])) + 1");
  if (expr.is === "fault") throw new Error(expr.message);
  let time = 0;
  const profile = new Profile(() => ++time);
  finish(evaluateRange(storage, expr, { startMs: 5_000, endMs: 8_000, stepMs: 1_000 }, { profile }));
  const rows: string[] = [];
  const visit = (node: Expr, depth: number): void => {
    const cost = profile.costOf(node);
    rows.push(
      `${"  ".repeat(depth)}${node.is}: ${cost === undefined ? "part of its parent" : `${cost.series} series, ${cost.samples} samples`}`,
    );
    for (const child of childrenOf(node)) {
      // The children of a range vector have no time either.
      expect(profile.costOf(child)?.ms ?? 0).toBeLessThan(cost?.ms === 0 ? 1 : (cost?.ms ?? 0));
      visit(child, depth + 1);
    }
  };
  visit(expr, 0);
  expect(rows).toEqual([
    "binary: 2 series, 8 samples",
    "  aggregate: 2 series, 8 samples",
    "    call: 3 series, 12 samples",
    "      matrixSelector: 3 series, 18 samples",
    "        vectorSelector: part of its parent",
    "  number: 1 series, 4 samples",
  ]);
});
