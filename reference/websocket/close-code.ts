/** Why a connection is closed, by number (rfc6455#7.4), with those that were registered later (1012 to 1014). */
export const CloseCode = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  unsupportedData: 1003,
  noStatus: 1005,
  abnormal: 1006,
  invalidPayload: 1007,
  policyViolation: 1008,
  tooBig: 1009,
  extensionMissing: 1010,
  internalError: 1011,
  serviceRestart: 1012,
  tryAgainLater: 1013,
  badGateway: 1014,
  tlsFailed: 1015,
} as const;
/** What the codes are called here; the close itself carries the number alone (rfc6455#7.4). */
export type CloseCodeName = keyof typeof CloseCode;

/** Numbers that say something about an end, and are never in a Close (rfc6455#7.4.1). */
const NEVER_SENT: ReadonlySet<number> = new Set([CloseCode.noStatus, CloseCode.abnormal, CloseCode.tlsFailed]);
const NAMED: ReadonlyMap<number, CloseCodeName> = new Map(
  Object.entries(CloseCode).map(([name, code]) => [code, name as CloseCodeName] as const),
);
const FIRST_FREE = 3_000;
const LAST = 4_999;

/**
 * Whether a Close may carry this code, in either direction: what is defined and not kept for other ends, 3000 to 3999 which libraries
 * register, 4000 to 4999 which applications use (rfc6455#7.4.2). 1004 and what nobody has defined below 3000 are reserved.
 */
export function isCloseCode(code: number): boolean {
  if (code >= FIRST_FREE) return code <= LAST && Number.isInteger(code);
  return NAMED.has(code) && !NEVER_SENT.has(code);
}

/** The name of a code for people; its range where it has none. */
export function closeCodeName(code: number): string {
  const name = NAMED.get(code);
  if (name !== undefined) return name;
  if (code >= 4_000 && code <= LAST) return "private";
  if (code >= FIRST_FREE && code < 4_000) return "registered";
  return "reserved";
}
