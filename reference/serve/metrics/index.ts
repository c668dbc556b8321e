/** A metrics server to use and to test against (Prometheus docs, command-line/prometheus.md). */
export { serveMetrics, type MetricsServeOptions, type MetricsServer } from "./server.ts";
export { loadPage, type Loaded } from "./load.ts";
export { type RouterServeOptions, type RouterServer, serveRouter } from "./router/server.ts";
