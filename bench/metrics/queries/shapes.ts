/** A query at the last step of the data, or over the hour before it. */
export type Shape = {
  /** A permanent id. */
  readonly id: string;
  readonly title: string;
  readonly expression: string;
  /** In seconds; without it, an instant query. */
  readonly step?: number;
};

const REQUESTS = "http_server_requests_total";
const BUCKETS = "http_server_request_duration_seconds_bucket";
const GAUGE = "process_resident_memory_bytes";
const JOIN = `${GAUGE} * on (instance) group_left (version) service_build_info`;

/** Of a hundred series, ten are request counters, 48 are buckets, ten are gauges, and one is the info to join with. */
export const SHAPES: readonly Shape[] = [
  { id: "sum-rate", title: "sum by (job) (rate(m[5m])), 10% of the series", expression: `sum by (job) (rate(${REQUESTS}[5m]))` },
  { id: "topk", title: "topk(10, m), 10%", expression: `topk(10, ${GAUGE})` },
  { id: "join", title: "m * on (instance) group_left (version) info, 10%", expression: JOIN },
  {
    id: "histogram",
    title: "histogram_quantile of bucket rates, 48%",
    expression: `histogram_quantile(0.9, sum by (le, job) (rate(${BUCKETS}[5m])))`,
  },
  { id: "pattern", title: '{path=~"/api/.*"}, 30%', expression: '{path=~"/api/.*"}' },
  { id: "count-all", title: 'count({__name__=~".+"}), all', expression: 'count({__name__=~".+"})' },
  { id: "predict", title: "predict_linear(m[1h], 600), 10%", expression: `predict_linear(${GAUGE}[1h], 600)` },
  { id: "quantile-over-time", title: "quantile_over_time(0.9, m[1h]), 10%", expression: `quantile_over_time(0.9, ${GAUGE}[1h])` },
  { id: "range-sum-rate", title: "1 h of sum(rate(m[5m])), 10%, every 15 s", expression: `sum(rate(${REQUESTS}[5m]))`, step: 15 },
  {
    id: "range-histogram",
    title: "1 h of histogram_quantile, 48%, every 60 s",
    expression: `histogram_quantile(0.9, sum by (le) (rate(${BUCKETS}[5m])))`,
    step: 60,
  },
  { id: "range-join", title: "1 h of the join by job, 10%, every 60 s", expression: `sum by (job, version) (${JOIN})`, step: 60 },
  { id: "range-raw", title: "1 h of a metric, 1%, every 15 s", expression: `${GAUGE}{container="worker-container-3"}`, step: 15 },
];
