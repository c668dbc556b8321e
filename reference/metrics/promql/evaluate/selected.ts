import type { Matcher } from "../../model/index.ts";
import type { Querier, SelectHints, Series } from "../../storage/index.ts";
import type { Strides } from "./strides.ts";

/** Matchers that a storage evaluates in one call, without yielding: more than people write by hand. */
const MOST_AT_ONCE = 16;

/** Characters of a pattern that a storage may match against every value of a label in one call: the time per value grows with them. */
const MOST_OF_PATTERN = 256;

/** Whether a storage can evaluate all of these matchers in one call. */
export const isShort = (matchers: readonly Matcher[]): boolean => matchers.length <= MOST_AT_ONCE && !matchers.some(isLong);

/** A list of words is not a pattern, however long it is. */
const isLong = ({ operator, value, values }: Matcher): boolean =>
  operator.endsWith("~") && value.length > MOST_OF_PATTERN && values === undefined;

/** Which series to select, and the range of their samples in milliseconds since 1970. */
export type Selection = {
  readonly matchers: readonly Matcher[];
  readonly start: number;
  readonly end: number;
  readonly hints?: SelectHints;
};

/**
 * The series that match all matchers; undefined when it is time to yield. A storage finds all of its series before it returns the first, so of a
 * hundred thousand matchers it gets a few, and the rest is evaluated here, series by series.
 */
export function* selected(querier: Querier, { matchers, start, end, hints }: Selection, strides: Strides): Generator<Series | undefined> {
  if (isShort(matchers)) return yield* querier.select(matchers, start, end, hints);
  const distinct = [...new Map(matchers.map((matcher) => [matcher.toString(), matcher])).values()];
  // Matchers that a series without the label does not meet leave the fewest series.
  const brief = distinct.filter((one) => !isLong(one));
  const ranked = [...brief.filter((one) => !one.matchesEmpty), ...brief.filter((one) => one.matchesEmpty)];
  const others = [...ranked.slice(MOST_AT_ONCE), ...distinct.filter(isLong)];
  const work = others.reduce((sum, one) => sum + (isLong(one) ? one.value.length : 1), 0);
  // The limit does not apply to the storage, because the other matchers still drop series.
  for (const series of querier.select(ranked.slice(0, MOST_AT_ONCE), start, end, { sorted: hints?.sorted === true })) {
    if (strides.isDue(work)) yield undefined;
    const { labels } = series;
    if (others.every((matcher) => matcher.matches(labels.get(matcher.name)))) yield series;
  }
}
