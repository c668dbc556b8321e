import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OutlierDetection } from "../../reference/rpc/balance/outlier-detection.ts";
import type { ChildPolicy } from "../../reference/rpc/balance/policy.ts";
import { readLoadBalancing } from "../../reference/rpc/balance/config.ts";
import { instant } from "../../reference/core/index.ts";
import { linter } from "../lint.ts";
import { LIVES, livesOf } from "./make.ts";
import type { OutlierVector } from "./source/outliers.ts";

/** Remembers what balancing tells it about each address. */
class Excluded implements ChildPolicy {
  readonly state = "READY";
  readonly deadline = instant(Number.POSITIVE_INFINITY);
  readonly out = new Set<string>();
  addresses: readonly string[] = [];
  update(addresses: readonly { readonly key: string }[]): void {
    this.addresses = addresses.map(({ key }) => key);
    for (const key of this.out) if (!this.addresses.includes(key)) this.out.delete(key);
  }
  exclude(key: string, isExcluded: boolean): void {
    if (isExcluded) this.out.add(key);
    else this.out.delete(key);
  }
  pick = () => ({ is: "wait" }) as const;
  take = () => [];
  connected = () => {};
  failed = () => {};
  lost = () => {};
  wake = () => {};
  tick = () => {};
}

const configOf = ({ config }: Pick<OutlierVector, "config">) =>
  readLoadBalancing([{ outlier_detection: { ...config, childPolicy: [{ round_robin: {} }] } }]);

/** Which addresses are out after each sweep. */
function outOf(vector: Omit<OutlierVector, "id">): readonly (readonly string[])[] {
  const config = configOf(vector);
  if (config.is !== "outlier_detection") throw new Error("not outlier detection");
  const child = new Excluded();
  let draws: number[] = [];
  // The middle of the part of the interval that stands for an integer.
  const policy = new OutlierDetection(config.config, child, () => ((draws.shift() ?? 0) + 0.5) / 100);
  const listed = (addresses: readonly string[], at: number): void =>
    policy.update(
      addresses.map((key) => ({ key, family: 0 })),
      instant(at),
    );
  listed(vector.addresses, 0);
  return vector.sweeps.map(({ at, addresses, calls, random = [] }, index) => {
    if (addresses !== undefined) listed(addresses, vector.sweeps[index - 1]?.at ?? 0);
    for (const [key, [good, bad]] of Object.entries(calls)) {
      for (let count = 0; count < good; count++) policy.ended(key, true);
      for (let count = 0; count < bad; count++) policy.ended(key, false);
    }
    draws = [...random];
    policy.tick(instant(at));
    return child.addresses.filter((key) => child.out.has(key));
  });
}

test.each(Object.entries(LIVES))("%s: the file is as its source makes it, valid, and names are unique", (name, source) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(livesOf(source));
  expect(linter()(`rpc/${name}`)).toEqual([]);
  expect(new Set(source.vectors.map((vector) => vector.name)).size).toBe(source.vectors.length);
});

describe("our outlier detection", () => {
  const { vectors } = LIVES.outliers;
  test.each(vectors.filter(({ result }) => result === "valid"))("$note", (vector) => {
    expect(outOf(vector)).toEqual(vector.sweeps.map(({ out }) => out));
  });
  test.each(vectors.filter(({ result }) => result === "invalid"))("refuses $note", (vector) => {
    expect(() => configOf(vector)).toThrow("loadBalancingConfig");
  });
});
