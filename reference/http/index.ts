/** The semantics that all versions of HTTP share (rfc9110). */
export { Account, type Budget } from "./budget.ts";
export { formatAlternative, parseAlternatives, type Alternative } from "./alternatives.ts";
export { Fields, type FieldsInit } from "./fields.ts";
export type { ClientCertificate, ConnectionInfo, Exchange, Handler, PushedRequest, ResetCode, TlsInfo } from "./exchange.ts";
export type { Body, Content, HttpVersion, Request, RequestHead, Response, ResponseHead } from "./message.ts";
export { isCacheable, isIdempotent, isSafe } from "./method.ts";
export { DEFAULT_PRIORITY, formatPriority, parsePriority, URGENCIES, type Priority } from "./priority.ts";
export { formatDate, parseDate } from "./date.ts";
export { forbidsContent, isInterim, isSuccess, parseStatus, reasonPhrase } from "./status.ts";
export { isFieldValue, isLowerToken, isParameters, isTarget, isToken, parseDecimal, parseTokens, trimSpace } from "./field-syntax.ts";
export { isAuthority, isHostAndPort, originOf, readTarget, sameAuthority, type Target } from "./target.ts";
export { FieldCheck, joinCrumbs, type Malformed } from "./validate.ts";
