/** Reading and writing metrics pages: text format 0.0.4, OpenMetrics 1.0, protobuf; negotiation and escaping of names. */
export { type FamilyMetadata, metadataByFamily } from "./families.ts";
export { type Fault, FAULTS, type FaultName } from "./faults.ts";
export { type Leniency, SCRAPE, STRICT } from "./leniency.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { numberOf } from "./number.ts";
export { readOpenMetrics } from "./openmetrics-read.ts";
export { KnownSeries } from "./page-known.ts";
export { MARK, type Metadata, Page } from "./page.ts";
export { type NativeSample, type ProtobufFamily, type ProtobufFault, readProtobuf } from "./protobuf-read.ts";
export type { ReadOptions } from "./scan.ts";
export { readText } from "./text-read.ts";
export { ESCAPING_SCHEMES, escapeName, type EscapingScheme, isEscapingScheme, isPlainName, unescapeName } from "./escaping.ts";
export { type FamilyToWrite, formatBound, formatValue, type SampleToWrite, type WriteOptions } from "./families-write.ts";
export {
  acceptOf,
  contentTypeOf,
  type Format,
  negotiate,
  type Offer,
  OPENMETRICS,
  OPENMETRICS_OLD,
  parseContentType,
  PROTOBUF,
  TEXT,
  TEXT_UTF8,
} from "./negotiate.ts";
export { writeOpenMetrics } from "./openmetrics-write.ts";
export { writeText } from "./text-write.ts";
