/** The query API of a metrics server, as part of a handler (Prometheus docs, querying/api.md). */
export { ApiError } from "./answer.ts";
export type {
  Administration,
  ApiParts,
  Metadata,
  QueryTask,
  NotificationStatus,
  RuleSource,
  RunQuery,
  Scraping,
  SeriesTask,
} from "./contract.ts";
export { federate } from "./federate.ts";
export { formatValue } from "./number.ts";
export { api } from "./routes.ts";
export { readTime } from "./time.ts";
