import { describe, expect, test } from "vitest";
import { Labels, Matcher } from "../../model/index.ts";
import type { Querier, SelectHints } from "../../storage/index.ts";
import { selected } from "./selected.ts";
import { Strides } from "./strides.ts";

type Asked = { readonly matchers: readonly Matcher[]; readonly hints: SelectHints | undefined };

/** A hundred series `{n}`, and what was asked of them. */
function storage(asked: Asked[]): Querier {
  return {
    *select(matchers, _start, _end, hints) {
      asked.push({ matchers, hints });
      for (let n = 0; n < 100; n++) {
        const labels = Labels.of({ n: String(n), job: "a" });
        if (matchers.every((one) => one.matches(labels.get(one.name)))) yield { labels, read() {} };
      }
    },
    labelNames: () => [],
    labelValues: () => [],
    close() {},
  };
}
const except = (count: number, from = 0): Matcher[] => Array.from({ length: count }, (_, n) => new Matcher("n", "!=", String(n + from)));

function found(
  matchers: readonly Matcher[],
  hints?: SelectHints,
): { readonly names: string[]; readonly pauses: number; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const all = [...selected(storage(asked), { matchers, start: 0, end: 1, ...(hints === undefined ? {} : { hints }) }, new Strides())];
  const series = all.filter((one) => one !== undefined);
  return { names: series.map(({ labels }) => labels.get("n")), pauses: all.length - series.length, asked };
}

describe("selected()", () => {
  test("passes a few matchers to the storage", () => {
    const { names, asked } = found(except(5), { limit: 3 });
    expect(names).toHaveLength(95);
    expect(asked).toEqual([{ matchers: except(5), hints: { limit: 3 } }]);
  });

  test("passes a few of very many matchers to the storage, applies the others itself, and yields", () => {
    const { names, pauses, asked } = found([...except(60), ...except(20_000, 1_000)], { sorted: true, limit: 3 });
    expect(names).toEqual(Array.from({ length: 40 }, (_, n) => String(n + 60)));
    expect(pauses).toBeGreaterThan(10);
    expect(asked[0]?.matchers.length).toBeLessThan(20);
    // A limit would cut what is found before the other conditions were asked.
    expect(asked[0]?.hints).toEqual({ sorted: true });
  });

  test("applies a long pattern itself, and passes a long list of words to the storage", () => {
    const pattern = new Matcher("n", "=~", `(${Array.from({ length: 1_000 }, (_, n) => `.*[${n % 10}]${n % 7}`).join("|")})`);
    const words = new Matcher("job", "=~", Array.from({ length: 1_000 }, (_, n) => `a${n}`).join("|") + "|a");
    const { names, pauses, asked } = found([pattern, words]);
    expect(names).toEqual(Array.from({ length: 100 }, (_, n) => String(n)).filter((n) => /.[0-6]$/.test(n)));
    expect(pauses).toBeGreaterThan(5);
    expect(asked[0]?.matchers).toEqual([words]);
  });

  test("passes the most selective matchers first, and each only once", () => {
    const job = new Matcher("job", "=", "a");
    const { names, asked } = found([...except(50), ...except(50), job]);
    expect(names).toHaveLength(50);
    expect(asked[0]?.matchers[0]).toBe(job);
    expect(found([...except(1), ...except(1), ...Array.from({ length: 100 }, () => job)]).asked[0]?.matchers).toHaveLength(2);
  });
});
