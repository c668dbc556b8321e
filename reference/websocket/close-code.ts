/** The close codes (rfc6455#7.4), with those registered later (1012 to 1014). */
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
type CloseCodeName = keyof typeof CloseCode;

/** Codes that describe an ending and never appear in a Close (rfc6455#7.4.1). */
const NEVER_SENT: ReadonlySet<number> = new Set([CloseCode.noStatus, CloseCode.abnormal, CloseCode.tlsFailed]);
const NAMED: ReadonlyMap<number, CloseCodeName> = new Map(
  Object.entries(CloseCode).map(([name, code]) => [code, name as CloseCodeName] as const),
);
const FIRST_FREE = 3_000;
const LAST = 4_999;

/**
 * Whether a Close may carry this code, in either direction: a defined one, 3000 to 3999 for libraries, or 4000 to 4999 for applications
 * (rfc6455#7.4.2). 1004 and the undefined codes below 3000 are reserved.
 */
export function isCloseCode(code: number): boolean {
  if (code >= FIRST_FREE) return code <= LAST && Number.isInteger(code);
  return NAMED.has(code) && !NEVER_SENT.has(code);
}

/** The readable name of a code, or of its range. */
export function closeCodeName(code: number): string {
  const name = NAMED.get(code);
  if (name !== undefined) return name;
  if (code >= 4_000 && code <= LAST) return "private";
  if (code >= FIRST_FREE && code < 4_000) return "registered";
  return "reserved";
}
