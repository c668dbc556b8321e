/** The query interface of a metrics server, as part of a handler (querying/api.md). */
export type { Administration, ApiParts, BlockStatus, Metadata, QueryTask, RunQuery, Timings } from "./contract.ts";
export { formatTime, formatValue } from "./number.ts";
export { api } from "./routes.ts";
export { readTime } from "./time.ts";
