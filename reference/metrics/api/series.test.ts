import { describe, expect, test } from "vitest";
import type { Request } from "../../http/index.ts";
import { Labels } from "../model/index.ts";
import { finish, type Work } from "../promql/index.ts";
import { MemoryStorage, type Querier } from "../storage/index.ts";
import type { Answer } from "./answer.ts";
import type { ApiParts } from "./contract.ts";
import { JsonWriter } from "./json.ts";
import { Params } from "./params.ts";
import { labelNames, labelValues, series } from "./series.ts";

const memory = new MemoryStorage();
const appender = memory.appender();
for (let n = 0; n < 1_000; n++) {
  const id = appender.series(Labels.of({ __name__: `m${n % 4}`, n: String((n * 7) % 1_000), [`own${n % 2}`]: "x" }));
  appender.append(id, 0, n);
}
appender.commit();

/** What is asked, and how often it paused; at the pause `last` it is given up. `open`: views that were left open. */
function asked(route: (parts: ApiParts, params: Params) => Work<Answer>, search: string, last = Infinity) {
  let open = 0;
  const querier = (): Querier => {
    open += 1;
    const inner = memory.querier();
    return {
      select: (...words) => inner.select(...words),
      labelNames: (...words) => inner.labelNames(...words),
      labelValues: (...words) => inner.labelValues(...words),
      close: () => void (open -= 1),
    };
  };
  return Params.of({ method: "GET", path: `/?${search}` } as Request).then((params) => {
    let pauses = 0;
    const end = (): void => {
      if (++pauses === last) throw new Error("given up");
    };
    try {
      const answer = finish(route({ storage: { querier } } as unknown as ApiParts, params), end);
      return { answer, pauses, open };
    } catch (error) {
      return { error, pauses, open };
    }
  });
}
const match = (...selectors: string[]): string => selectors.map((one) => `match[]=${encodeURIComponent(one)}`).join("&");
const names = Array.from({ length: 200 }, (_, n) => `{n="${n}"}`);
/** A selector that no storage is asked whole. */
const except = (count: number): string => `{__name__="m1",${Array.from({ length: count }, (_, n) => `n!="${n * 2}"`).join(",")}}`;
const values = (parts: ApiParts, params: Params): Work<Answer> => labelValues(parts, params, "n");

function textOf({ data }: Answer): unknown {
  const out = new JsonWriter();
  for (const _ of (data as { write: (out: JsonWriter) => Iterable<void> }).write(out));
  return JSON.parse(new TextDecoder().decode(out.take()));
}

describe("many selectors", () => {
  test.each([
    ["series", series],
    ["labels", labelNames],
    ["values of a label", values],
  ] as const)("%s: there is a pause behind each, at which it can be given up, with nothing left open", async (_what, route) => {
    const { pauses, open } = await asked(route, match(...names));
    expect([pauses >= names.length, open]).toEqual([true, 0]);
    const given = await asked(route, match(...names), 100);
    expect(given).toMatchObject({ pauses: 100, open: 0, error: { message: "given up" } });
  });

  test("returns each series once, sorted by labels, up to the limit", async () => {
    const { answer } = await asked(series, match('{n=~"1.?"}', '{n="1"}', '{n=~".?5"}'));
    const wanted = Array.from({ length: 1_000 }, (_, n) => n)
      .filter((n) => /^(?:1.?|.?5)$/.test(String((n * 7) % 1_000)))
      .map((n) => ({ __name__: `m${n % 4}`, n: String((n * 7) % 1_000), [`own${n % 2}`]: "x" }))
      .sort((a, b) => (`${a.__name__} ${a.n}` < `${b.__name__} ${b.n}` ? -1 : 1));
    expect(textOf(answer as Answer)).toEqual(wanted);
    const cut = (await asked(series, `${match('{n=~"1.?"}', '{n="1"}')}&limit=3`)).answer as Answer;
    expect([(textOf(cut) as unknown[]).length, cut.warnings]).toEqual([3, ["results truncated due to limit"]]);
  });
});

describe("a selector with very many matchers", () => {
  test("finds the same series as a short one, and yields", async () => {
    const few = match(String.raw`{__name__="m1",n!~"\\d*[02468]"}`);
    for (const route of [series, labelNames, values]) {
      const [a, b] = [await asked(route, few), await asked(route, match(except(500)))];
      const [one, other] = [a.answer as Answer, b.answer as Answer].map((answer) => (route === series ? textOf(answer) : answer.data));
      expect(one).toEqual(other);
      expect((one as unknown[]).length).toBeGreaterThan(1);
      expect(b.pauses).toBeGreaterThan(a.pauses);
    }
  });
});
