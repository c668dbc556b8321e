import { MalformedMessage, messageType, type MessageType } from "../message/index.ts";
import { Any } from "../message/well-known/index.ts";
import type { CallStatus } from "../call-status.ts";
import { Status, statusName, type StatusCode, statusOfHttp } from "../status.ts";

/** Errors of the dialect connect in JSON (rpc-connect#error-end-stream), and their codes (rpc-connect#error-codes). */

/** The name of a code: `not_found`. One of them is spelled otherwise than in the other dialects. */
const errorName = (code: StatusCode): string => (code === Status.CANCELLED ? "canceled" : statusName(code).toLowerCase());

const BY_NAME: ReadonlyMap<string, StatusCode> = new Map(
  Object.values(Status).flatMap((code) => (code === Status.OK ? [] : [[errorName(code), code] as const])),
);

const HTTP: Readonly<Record<Exclude<StatusCode, 0>, number>> = {
  [Status.CANCELLED]: 499,
  [Status.UNKNOWN]: 500,
  [Status.INVALID_ARGUMENT]: 400,
  [Status.DEADLINE_EXCEEDED]: 504,
  [Status.NOT_FOUND]: 404,
  [Status.ALREADY_EXISTS]: 409,
  [Status.PERMISSION_DENIED]: 403,
  [Status.RESOURCE_EXHAUSTED]: 429,
  [Status.FAILED_PRECONDITION]: 400,
  [Status.ABORTED]: 409,
  [Status.OUT_OF_RANGE]: 400,
  [Status.UNIMPLEMENTED]: 501,
  [Status.INTERNAL]: 500,
  [Status.UNAVAILABLE]: 503,
  [Status.DATA_LOSS]: 500,
  [Status.UNAUTHENTICATED]: 401,
};
/** The HTTP status of a unary answer that ends with this status. */
export const httpOf = (code: StatusCode): number => (code === Status.OK ? 200 : HTTP[code]);

/**
 * The status of an answer without an error, from its HTTP status (rpc-connect#http-to-error-code): as in the other dialects, whose table also
 * has 431.
 */
export const statusOfAnswer = (http: number): StatusCode => (http === 431 ? Status.UNKNOWN : statusOfHttp(http));

/** The message in which the details of a status stand, as the other dialects send them. */
type Details = { readonly code: number; readonly message: string; readonly details: readonly Any[] };
const DETAILS: MessageType<Details> = messageType({
  name: "google.rpc.Status",
  fields: () => ({
    code: { number: 1, type: "int32" },
    message: { number: 2, type: "string" },
    details: { number: 3, type: Any, list: "expanded" },
  }),
});

/** An error as JSON has it. Details that are not in the usual message are left out: this dialect has no place for them. */
type ErrorJson = { readonly code: string; readonly message?: string; readonly details?: readonly DetailJson[] };
type DetailJson = { readonly type: string; readonly value: string };

export function writeError({ code, message, details }: CallStatus): ErrorJson {
  const written = details === undefined ? [] : detailsIn(details);
  return {
    code: errorName(code),
    ...(message === "" ? {} : { message }),
    ...(written.length === 0 ? {} : { details: written }),
  };
}

function detailsIn(octets: Uint8Array): DetailJson[] {
  try {
    return DETAILS.decode(octets).details.map(({ typeUrl, value }) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
      value: value.toBase64({ omitPadding: true }),
    }));
  } catch (error) {
    if (error instanceof MalformedMessage) return [];
    throw error;
  }
}

/**
 * The status that the JSON of an error states; undefined if it is not such an error (rpc-connect#error-end-stream). `http` is the HTTP status,
 * from which the code of an error without a known one is inferred (rpc-connect#http-to-error-code).
 */
export function readError(json: unknown, http: number): CallStatus | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  const { code, message, details } = json as Readonly<Record<string, unknown>>;
  const known = typeof code === "string" ? BY_NAME.get(code) : undefined;
  if (known === undefined && typeof message !== "string") return undefined;
  const status: CallStatus = { code: known ?? statusOfAnswer(http), message: typeof message === "string" ? message : "" };
  const read = Array.isArray(details) ? details.flatMap(readDetail) : [];
  return read.length === 0 ? status : { ...status, details: DETAILS.encode({ code: status.code, message: status.message, details: read }) };
}

function readDetail(detail: unknown): Any[] {
  const { type, value } = (detail ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof type !== "string" || typeof value !== "string") return [];
  try {
    return [{ typeUrl: `type.googleapis.com/${type}`, value: Uint8Array.fromBase64(value) }];
  } catch {
    return [];
  }
}
