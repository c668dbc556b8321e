/** The query API of a metrics server, as part of a handler (Prometheus docs, querying/api.md). */
export { ApiError } from "./answer.ts";
export type { Administration, ApiParts, BlockStatus, Metadata, QueryTask, RunQuery, RunWork, Timings } from "./contract.ts";
export { formatTime, formatValue } from "./number.ts";
export { api } from "./routes.ts";
export { readTime } from "./time.ts";
