import { expect, test } from "vitest";
import type { CaseResult } from "../result.ts";
import { notPassing } from "./again.ts";

const result = (id: string, verdict: CaseResult["verdict"]): CaseResult => ({ id, verdict, reason: "seen" }) as CaseResult;

test("a case that passes later is not listed; only those that have not passed are performed again", async () => {
  const asked: (readonly string[] | undefined)[] = [];
  const others = await notPassing(async (only) => {
    asked.push(only);
    return only === undefined ? [result("a", "pass"), result("b", "fail")] : [result("b", asked.length > 2 ? "pass" : "unproved")];
  });
  expect(others).toEqual([]);
  expect(asked).toEqual([undefined, ["b"], ["b"]]);
});

test("a case that never passes is listed with its last verdict", async () => {
  expect(await notPassing(async (only) => [result("a", only === undefined ? "unproved" : "fail")])).toEqual(["fail a: seen"]);
});

test("a case that is not performed again stays listed", async () => {
  expect(await notPassing(async (only) => (only === undefined ? [result("a", "fail")] : []))).toEqual(["fail a: seen"]);
});
