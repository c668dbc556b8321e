/**
 * The query language (Prometheus docs, querying/basics.md, querying/operators.md and querying/functions.md): parsing, checking, printing, evaluation.
 * `parse` returns an expression. `evaluateInstant` and `evaluateRange` return work that yields often: `finish` runs it to its end with a checkpoint
 * that can throw `QueryTimedOut` or `QueryCanceled`; a caller with other work to do calls `next()` itself.
 */
export { type Annotation, describeAnnotation, type Level } from "./evaluate/annotations.ts";
export {
  type Element,
  evaluateInstant,
  evaluateRange,
  exceedsPoints,
  finish,
  MOST_POINTS,
  type QueryOptions,
  type QueryResult,
  type QueryValue,
} from "./evaluate/engine.ts";
export {
  ExecutionFailure,
  type FailureKind,
  QueryCanceled,
  QueryFailure,
  QueryTimedOut,
  ServerBusy,
  TooManySamples,
} from "./evaluate/failure.ts";
export { extentOf } from "./evaluate/extent.ts";
export { type NodeCost, Profile } from "./evaluate/profile.ts";
export { SamplePool } from "./evaluate/pool.ts";
export { ENGINE_DEFAULTS, type EngineOptions, type Steps, type Work } from "./evaluate/query.ts";
export { LABELS_WORK } from "./evaluate/rows.ts";
export { formatDuration, MAX_DURATION_MS, readDuration } from "./syntax/duration.ts";
export { formatNumber, readNumber } from "./syntax/number.ts";
export { parse, type ParseOptions, parseSelector } from "./parse/parse.ts";
export { ALL_FEATURES, NO_FEATURES, PARSE_LIMITS, type ParseFeatures, type ParseLimits } from "./parse/cursor.ts";
export type { ParseFault } from "./parse/fault.ts";
export { FUNCTION_NAMES as FUNCTIONS_OF_LANGUAGE } from "./functions/names.ts";
export { describeFault, octetsBefore, type Position, positionOf, renderFault } from "./parse/position.ts";
export { pretty } from "./print/pretty.ts";
export { print } from "./print/print.ts";
export { readHistogram, readSigned } from "./series/histogram-literal.ts";
export { readSeries } from "./series/labels.ts";
export { readSequence, type Sample } from "./series/sequence.ts";
export { isShort, selected } from "./evaluate/selected.ts";
export { sorted } from "./evaluate/sorted.ts";
export { Strides } from "./evaluate/strides.ts";
export { type Json, printTree } from "./print/tree.ts";
export type { Expr, Span, VectorSelector } from "./syntax/ast.ts";
export { typeOf } from "./syntax/ast.ts";
export { childrenOf } from "./syntax/walk.ts";
