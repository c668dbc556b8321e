/** The database: head, log and blocks as one storage. */
export { Database } from "./database.ts";
export { type LogEvents, LogFollower, type LoggedSample } from "./follow.ts";
export { type LogReport } from "./open.ts";
export { type DatabaseOptions, DEFAULT_DATABASE_OPTIONS } from "./options.ts";
export { beyondRetention, DEFAULT_RETENTION, type Retained, type Retention } from "./retention.ts";
export { type Counted, type StorageStats } from "./stats.ts";
