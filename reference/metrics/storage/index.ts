export type { AppendRefusal, Appendable, Appender, Querier, Queryable, SelectHints, Series } from "./contract.ts";
export { type Exemplar, ExemplarStore, type ExemplarVerdict } from "./exemplars.ts";
export { MemoryStorage } from "./memory.ts";
