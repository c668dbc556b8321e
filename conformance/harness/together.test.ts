import { expect, test } from "vitest";
import { probeSettings, Together } from "./together.ts";

test("what is asked for in one turn is one run, and equal steps are performed once", async () => {
  const runs: (readonly string[])[] = [];
  const together = new Together<string, string>({
    isShared: true,
    run: async (all) => {
      runs.push(all);
      return { records: all.map((one) => one.toUpperCase()), isRefused: false };
    },
  });
  expect(await Promise.all([together.want("a", 1), together.want("b", 1), together.want("a", 1)])).toEqual(["A", "B", "A"]);
  expect(await together.want("c", 1)).toBe("C");
  await together.close();
  expect(runs).toEqual([["a", "b"], ["c"]]);
});

test("a configuration that is refused is tried in halves, down to the steps that it is refused for", async () => {
  const together = new Together<string, string>({
    isShared: false,
    run: async (all) => ({ records: all.map((one) => (all.includes("bad") ? "refused" : one)), isRefused: all.includes("bad") }),
  });
  const all = ["a", "b", "bad", "c", "d"].map((one) => together.want(one, 1));
  expect(await Promise.all(all)).toEqual(["a", "b", "refused", "c", "d"]);
});

test("a run that fails is the failure of each of its steps", async () => {
  const together = new Together<string, string>({ isShared: false, run: () => Promise.reject(new Error("no port")) });
  await expect(together.want("a", 1)).rejects.toThrow("no port");
});

test("settings are probed all at once, and one by one only if they are refused", async () => {
  const asked: (readonly string[])[] = [];
  const probe = (known: readonly string[]) =>
    probeSettings(
      { one: { setting: "one", steps: "1" }, two: { setting: "two", steps: "2" } },
      {
        plain: "",
        abreast: 1,
        isUp: async (all) => {
          asked.push(all);
          return all.every((one) => known.includes(one));
        },
        onDown: () => {
          throw new Error("it is not there");
        },
      },
    );
  expect([...(await probe(["", "1", "2"]))].map(([name, { has }]) => [name, has])).toEqual([
    ["one", true],
    ["two", true],
  ]);
  expect(asked.splice(0)).toEqual([["", "1", "2"]]);
  expect([...(await probe(["", "2"]))].map(([name, { has }]) => [name, has])).toEqual([
    ["one", false],
    ["two", true],
  ]);
  await expect(probe([])).rejects.toThrow("it is not there");
});
