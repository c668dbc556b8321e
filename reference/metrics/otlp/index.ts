/** Metrics of the OpenTelemetry protocol without I/O: requests in protobuf and JSON, and the series that they become. */
export { readJson } from "./read-json.ts";
export { readMessage } from "./read-message.ts";
export { type OtlpSettings, seriesOf, targetInfoOf } from "./translate.ts";
export { STRATEGIES } from "./names.ts";
export type { ResourceMetrics } from "./message.ts";
