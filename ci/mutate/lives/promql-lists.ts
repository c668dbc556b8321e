import { type Draw, oneOf } from "../../../conformance/metrics/differential/words.ts";
import { Matcher, METRIC_NAME } from "../../../reference/metrics/model/index.ts";
import { finish, isShort, selected, sorted, Strides } from "../../../reference/metrics/promql/index.ts";
import type { Queryable } from "../../../reference/metrics/storage/index.ts";

/** Lists that are too long for one call: sorted, and selected by many matchers. */
export const listsText = (random: Draw, storage: Queryable): string =>
  random() < 0.5 ? sortedText(random) : selectedText(random, storage);

function sortedText(random: Draw): string {
  const count = Math.floor(random() * oneOf(random, [4, 2_050, 4_200, 7_000]));
  const keys = oneOf(random, [1, 40, 1e9]);
  const isRising = random() < 0.3;
  const items = Array.from({ length: count }, (_, at) => [isRising ? at : Math.floor(random() * keys), at] as const);
  let pauses = 0;
  const order = finish(
    sorted(items, ([a], [b]) => a - b, new Strides()),
    () => void pauses++,
  );
  return [count, keys, `pauses: ${pauses > 0}`, ...order.map(([key, at]) => `${key} ${at}`)].join("\n");
}

function selectedText(random: Draw, storage: Queryable): string {
  const patterns = [".*", ".+", "a|b|api", "[a-z]*", "", "(x|api).*", "[^q]".repeat(Math.floor(random() * 90)), `(${"a?".repeat(70)}.*)`];
  const names = ["job", "instance", "none", "le", METRIC_NAME, "code"];
  const matchers = Array.from({ length: Math.floor(random() * 40) }, () => {
    const operator = oneOf(random, ["=~", "!~", "!=", "=~"] as const);
    return new Matcher(oneOf(random, names), operator, operator === "!=" ? oneOf(random, ["", "q", "a"]) : oneOf(random, patterns));
  });
  const querier = storage.querier(-Infinity, Infinity);
  const strides = new Strides();
  const lines = [matchers.join(), `short: ${isShort(matchers)}`];
  const hints = random() < 0.5 ? { sorted: true } : random() < 0.5 ? { limit: Math.floor(random() * 5) } : {};
  for (const series of selected(querier, { matchers, start: 0, end: random() * 1e7, hints }, strides))
    lines.push(series === undefined ? "pause" : String(series.labels));
  querier.close();
  return lines.join("\n");
}
