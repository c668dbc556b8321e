export type { AppendRefusal, Appendable, Appender, Querier, Queryable, SelectHints, Series } from "./contract.ts";
export { ExemplarStore } from "./exemplars.ts";
export { MemoryStorage } from "./memory.ts";
