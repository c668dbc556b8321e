import { openMetricsPage } from "../../wire/metrics/build.ts";
import { written } from "../driver/server-data.ts";
import { dataSet } from "./data-set.ts";

/** The data set as an OpenMetrics page, for servers that are filled by hand. Series of one name are adjacent. */
export function dataPage(): string {
  const byName = new Map<string, ReturnType<typeof written>[]>();
  for (const series of dataSet()) byName.set(series.name, [...(byName.get(series.name) ?? []), written(series)]);
  return openMetricsPage([...byName.values()].flat());
}
