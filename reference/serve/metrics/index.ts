/** A metrics server to use, and to be tested against (prometheus.md). */
export { serveMetrics, type MetricsServeOptions, type MetricsServer } from "./server.ts";
export { loadPage, type Loaded } from "./load.ts";
