import type { Group } from "../question.ts";
import { aggregations } from "./aggregations.ts";
import { calendar } from "./calendar.ts";
import { functions } from "./functions.ts";
import { histograms } from "./histograms.ts";
import { literals } from "./literals.ts";
import { operators } from "./operators.ts";
import { overTime } from "./over-time.ts";
import { rates } from "./rates.ts";
import { selectors } from "./selectors.ts";

/** Every query, by the file of its answers. */
export const QUESTIONS: Readonly<Record<string, readonly Group[]>> = {
  selectors,
  literals,
  operators,
  aggregations,
  rates,
  "over-time": overTime,
  functions,
  calendar,
  histograms,
};
