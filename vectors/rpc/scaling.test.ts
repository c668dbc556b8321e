import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { instant, NEVER } from "../../reference/core/index.ts";
import { ConnectionGroup } from "../../reference/rpc/balance/connection-group.ts";
import { linter } from "../lint.ts";
import { SCALING, scalingOf } from "./make.ts";
import type { ScalingStep, ScalingVector } from "./source/scaling.ts";

/** The steps with what our connections make of them. */
function livedBy({ most, steps }: Omit<ScalingVector, "id">): readonly ScalingStep[] {
  const group = new ConnectionGroup<string>(most, () => 0.5);
  return steps.map(({ at, is, key, full }) => {
    const now = instant(at);
    if (is === "connected") group.add(key!);
    else if (is === "ended") group.remove(key!);
    else if (is === "failed") group.failed(now);
    const goes = is === "call" ? group.choose((one) => !full!.includes(one)) : undefined;
    const connects = is === "call" && goes === undefined && group.grow(now);
    const { deadline } = group;
    return {
      at,
      is,
      ...(key !== undefined && { key }),
      ...(full !== undefined && { full }),
      ...(goes !== undefined && { goes }),
      ...(connects && { connects }),
      ...(deadline !== NEVER && { next: deadline }),
    };
  });
}

test.each(Object.entries(SCALING))("%s: the file is as its source makes it, valid, and names are unique", (name, source) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(scalingOf(source));
  expect(linter()(`rpc/${name}`)).toEqual([]);
  expect(new Set(source.vectors.map((vector) => vector.name)).size).toBe(source.vectors.length);
});

describe("our connections to one address", () => {
  test.each(SCALING.scaling.vectors)("$note", (vector) => {
    expect(livedBy(vector)).toEqual(vector.steps);
  });
});
