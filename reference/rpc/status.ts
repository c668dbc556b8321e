/** The status codes of calls by name (rpc-status#codes). */
export const Status = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;
export type StatusName = keyof typeof Status;
export type StatusCode = (typeof Status)[StatusName];

const NAMES: readonly StatusName[] = Object.keys(Status) as StatusName[];

/** The name of a code: `NOT_FOUND` for 5. */
export const statusName = (code: StatusCode): StatusName => NAMES[code] ?? "UNKNOWN";

/**
 * Reads the status field of trailers: a decimal number without leading zeros (rpc-http2#responses). A number without a name is UNKNOWN, so
 * that a code of a later version fails the call, too. Undefined for anything else.
 */
export function parseStatusCode(value: string): StatusCode | undefined {
  if (!/^(?:0|[1-9][0-9]*)$/.test(value)) return undefined;
  const code = Number(value);
  return code < NAMES.length ? (code as StatusCode) : Status.UNKNOWN;
}

const OF_HTTP: ReadonlyMap<number, StatusCode> = new Map([
  [400, Status.INTERNAL],
  [401, Status.UNAUTHENTICATED],
  [403, Status.PERMISSION_DENIED],
  [404, Status.UNIMPLEMENTED],
  [429, Status.UNAVAILABLE],
  [431, Status.INTERNAL],
  [502, Status.UNAVAILABLE],
  [503, Status.UNAVAILABLE],
  [504, Status.UNAVAILABLE],
]);

/** The status of a response without a status field, from its HTTP status (rpc-http-status#table). Servers do not use this table. */
export const statusOfHttp = (status: number): StatusCode => OF_HTTP.get(status) ?? Status.UNKNOWN;

/** Error codes of HTTP/2 that do not mean INTERNAL, by number (rpc-http2#errors): REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY. */
const OF_RESET: ReadonlyMap<number, StatusCode> = new Map([
  [0x07, Status.UNAVAILABLE],
  [0x08, Status.CANCELLED],
  [0x0b, Status.RESOURCE_EXHAUSTED],
  [0x0c, Status.PERMISSION_DENIED],
]);

/** The status of a call that RST_STREAM ends, from its error code (rpc-http2#errors). NO_ERROR is INTERNAL, too: OK needs trailers. */
export const statusOfReset = (code: number): StatusCode => OF_RESET.get(code) ?? Status.INTERNAL;
