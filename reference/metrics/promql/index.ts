/**
 * The query language (Prometheus docs, querying/basics.md, Prometheus docs, querying/operators.md, Prometheus docs, querying/functions.md): expressions read, checked, printed and evaluated. `parse`
 * gives an expression; `evaluateInstant` and `evaluateRange` are work that pauses often: `finish` runs it in one go with a checkpoint for timeouts
 * (`QueryTimedOut`, `QueryCanceled` are thrown by it), and whoever has other work calls `next()` by himself.
 */
export { type Annotation, describeAnnotation, type Level } from "./annotations.ts";
export {
  type Element,
  evaluateInstant,
  evaluateRange,
  exceedsPoints,
  finish,
  MOST_POINTS,
  type QueryResult,
  type QueryValue,
} from "./engine.ts";
export { ExecutionFailure, type FailureKind, QueryCanceled, QueryFailure, QueryTimedOut, TooManySamples } from "./failure.ts";
export { ENGINE_DEFAULTS, type EngineOptions, type Steps, type Work } from "./query.ts";
export { LABELS_WORK } from "./rows.ts";
export { formatDuration, MAX_DURATION_MS, readDuration } from "./duration.ts";
export { formatNumber, readNumber } from "./number.ts";
export { parse, type ParseOptions, parseSelector } from "./parse.ts";
export { ALL_FEATURES, NO_FEATURES, PARSE_LIMITS, type ParseFeatures, type ParseLimits } from "./parse-cursor.ts";
export type { ParseFault } from "./parse-fault.ts";
export { describeFault, octetsBefore, type Position, positionOf, renderFault } from "./position.ts";
export { pretty } from "./pretty.ts";
export { print } from "./print.ts";
export { isShort, selected } from "./selected.ts";
export { sorted } from "./sorted.ts";
export { Strides } from "./strides.ts";
export { type Json, printTree } from "./print-tree.ts";
export type { Expr, Span, VectorSelector } from "./ast.ts";
export { typeOf } from "./ast.ts";
export { childrenOf } from "./walk.ts";
