import { Labels } from "../model/index.ts";
import type { WrittenSeries } from "../remote/index.ts";
import { attributeLabels } from "./labels.ts";
import type { PointExemplar } from "./message.ts";
import type { Naming } from "./names.ts";

/** Characters that the labels of an exemplar may have together (OpenMetrics, "Exemplars"). */
const MOST_CHARACTERS = 128;

/**
 * An exemplar as it is stored: the trace and the span, and the other attributes if there is room for them (OpenTelemetry specification,
 * "Prometheus and OpenMetrics Compatibility", "Exemplars").
 */
export function exemplarOf(
  { attributes, time, value, traceId, spanId }: PointExemplar,
  naming: Naming,
): WrittenSeries["exemplars"][number] {
  const own = [
    ["trace_id", traceId],
    ["span_id", spanId],
  ] as const;
  const all = Labels.of([...attributeLabels(attributes, naming), ...own]);
  const characters = all.flat.reduce((sum, text) => sum + [...text].length, 0);
  return { labels: characters <= MOST_CHARACTERS ? all : Labels.of(own), value, time };
}
