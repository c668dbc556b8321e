import type { Matcher } from "../../model/index.ts";
import type { Querier, SelectHints, Series } from "../../storage/index.ts";
import type { Strides } from "./strides.ts";

/** Conditions that a storage is asked at once, without a pause: more than anybody writes by hand. */
const MOST_AT_ONCE = 16;

/** Characters of a pattern that a storage may ask about every value of a label at once: the time that a value takes grows with them. */
const MOST_OF_PATTERN = 256;

/** Whether a storage answers these conditions soon enough to be asked all of them. */
export const isShort = (matchers: readonly Matcher[]): boolean => matchers.length <= MOST_AT_ONCE && !matchers.some(isLong);

/** Lists of words are no patterns, however long they are. */
const isLong = ({ operator, value, values }: Matcher): boolean =>
  operator.endsWith("~") && value.length > MOST_OF_PATTERN && values === undefined;

/**
 * The series that match all conditions; undefined where it is time to pause. A storage has all of its series ready before it gives the first: of a
 * hundred thousand conditions it is asked a few, and the rest is asked here, series by series.
 */
export function* selected(
  querier: Querier,
  matchers: readonly Matcher[],
  start: number,
  end: number,
  strides: Strides,
  hints?: SelectHints,
): Generator<Series | undefined> {
  if (isShort(matchers)) return yield* querier.select(matchers, start, end, hints);
  const distinct = [...new Map(matchers.map((matcher) => [matcher.toString(), matcher])).values()];
  // Those that a series without the label does not meet leave the fewest.
  const brief = distinct.filter((one) => !isLong(one));
  const ranked = [...brief.filter((one) => !one.matchesEmpty), ...brief.filter((one) => one.matchesEmpty)];
  const others = [...ranked.slice(MOST_AT_ONCE), ...distinct.filter(isLong)];
  const work = others.reduce((sum, one) => sum + (isLong(one) ? one.value.length : 1), 0);
  // Whatever is left of the series, there may be more of them than are wanted.
  for (const series of querier.select(ranked.slice(0, MOST_AT_ONCE), start, end, { sorted: hints?.sorted === true })) {
    if (strides.isDue(work)) yield undefined;
    const { labels } = series;
    if (others.every((matcher) => matcher.matches(labels.get(matcher.name)))) yield series;
  }
}
