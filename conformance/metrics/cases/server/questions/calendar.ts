import type { Group } from "../question.ts";

const NAMES = ["day_of_month", "day_of_week", "day_of_year", "days_in_month", "hour", "minute", "month", "year"] as const;

/** Calendar functions. */
export const calendar: readonly Group[] = NAMES.map((name): Group => {
  const words = name.replaceAll("_", "-");
  return {
    rule: `functions.${words}/value`,
    both: true,
    ask: {
      [`${words}-of-moments`]: `${name}(moment)`,
      [`${words}-of-now`]: `${name}()`,
      [`${words}-of-a-vector`]: `${name}(vector(1709210096))`,
      [`${words}-of-samples`]: `${name}(timestamp(up{job="web"}))`,
    },
  };
});
