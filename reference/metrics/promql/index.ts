/** The query language: expressions read, checked and printed (querying/basics.md, querying/operators.md, querying/functions.md). */
export { formatDuration, MAX_DURATION_MS, readDuration } from "./duration.ts";
export { formatNumber, readNumber } from "./number.ts";
export { parse, type ParseOptions, parseSelector } from "./parse.ts";
export { ALL_FEATURES, NO_FEATURES, PARSE_LIMITS, type ParseFeatures, type ParseLimits } from "./parse-cursor.ts";
export type { ParseFault } from "./parse-fault.ts";
export { describeFault, octetsBefore, type Position, positionOf, renderFault } from "./position.ts";
export { pretty } from "./pretty.ts";
export { print } from "./print.ts";
export { type Json, printTree } from "./print-tree.ts";
export type { Expr, Span, VectorSelector } from "./ast.ts";
export { typeOf } from "./ast.ts";
