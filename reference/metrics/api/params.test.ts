import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Request } from "../../http/index.ts";
import { Params } from "./params.ts";

const get = (search: string): Promise<Params> => Params.of({ method: "GET", path: `/?${search}` } as Request);

describe("Params", () => {
  test("decodes names and values of a form", async () => {
    const word = fc.string({ unit: "grapheme", maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(word, word), { maxLength: 6 }), async (pairs) => {
        const form = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
        const params = await get(form.toString());
        for (const [name] of pairs) {
          expect(params.texts(name)).toEqual(form.getAll(name));
          expect(params.text(name)).toBe(form.get(name));
        }
      }),
    );
  });

  test.each([
    ["a=1&a=2", "a", ["1", "2"]],
    ["a=b=c", "a", ["b=c"]],
    ["a&b=1", "a", [""]],
    ["&&a=1&", "a", ["1"]],
    ["a=1+2%2B", "a", ["1 2+"]],
    ["%61+b=1", "a b", ["1"]],
    ["a=1", "b", []],
    ["__proto__=1", "__proto__", ["1"]],
  ])("%s: %s", async (search, name, values) => {
    const params = await get(search);
    expect(params.texts(name)).toEqual(values);
    expect(params.text(name)).toBe(values[0] ?? "");
  });

  test.each(["a=%", "%zz=1", "a=%ff"])("%s is refused", async (search) => {
    await expect(get(search)).rejects.toMatchObject({
      type: "bad_data",
      message: expect.stringContaining("not percent-encoded UTF-8") as string,
    });
  });

  test("refuses too many parameters", async () => {
    await expect(get("a&".repeat(10_000))).resolves.toBeInstanceOf(Params);
    await expect(get("a&".repeat(10_001))).rejects.toMatchObject({
      type: "bad_data",
      message: expect.stringContaining("more than 10000") as string,
    });
  });

  test("counts a repeated selector once, and refuses too many different ones", async () => {
    const selectors = (count: number, different: number): string =>
      Array.from({ length: count }, (_, at) => `match[]=m${at % different}`).join("&");
    expect((await get(selectors(5_000, 1_000))).selectors()).toHaveLength(1_000);
    const many = await get(selectors(1_001, 1_001));
    expect(() => many.selectors()).toThrow("there are more than 1000 match[] parameters");
  });
});
