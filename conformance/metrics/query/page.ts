import { openMetricsPage } from "../../wire/metrics/build.ts";
import { written } from "../driver/server-data.ts";
import { dataSet } from "./data.ts";

/** The data set as a page of OpenMetrics, for servers that are to be given it by hand. Series of one name stand together. */
export function dataPage(): string {
  const byName = new Map<string, ReturnType<typeof written>[]>();
  for (const series of dataSet()) byName.set(series.name, [...(byName.get(series.name) ?? []), written(series)]);
  return openMetricsPage([...byName.values()].flat());
}
