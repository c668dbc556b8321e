import { field, type Field } from "../core/index.ts";
import type { Fields } from "../http/index.ts";
import type { Dialect } from "./dialect.ts";
import { readBinary } from "./metadata.ts";
import { percentDecode, percentEncode } from "./percent.ts";
import { parseStatusCode, Status, type StatusCode, statusOfHttp } from "./status.ts";

/** How a call ended, as trailers state it (rpc-http2#responses). */
export type CallStatus = {
  readonly code: StatusCode;
  readonly message: string;
  /** An encoded message with further details, whose format the application knows. */
  readonly details?: Uint8Array;
};

/** The status fields of trailers. An empty message is left out. */
export function writeCallStatus({ code, message, details }: CallStatus, dialect: Dialect): Field[] {
  const fields = [field(dialect.status, String(code))];
  if (message !== "") fields.push(field(dialect.message, percentEncode(message)));
  if (details !== undefined) fields.push(field(dialect.details, details.toBase64({ omitPadding: true })));
  return fields;
}

/**
 * The status of a call from its trailers, or from its headers if they end the stream; `http` is the HTTP status. A status field counts
 * whatever the HTTP status is (rpc-http-status#table). Without one the HTTP status decides; one that is invalid or repeated is UNKNOWN
 * (rpc-status#codes). Invalid details are left out.
 */
export function readCallStatus(trailers: Fields, http: number, dialect: Dialect): CallStatus {
  const [value, ...others] = trailers.all(dialect.status);
  if (value === undefined) return { code: statusOfHttp(http), message: `The response has HTTP status ${http}, but no ${dialect.status}.` };
  const code = others.length === 0 ? parseStatusCode(value) : undefined;
  if (code === undefined) {
    const values = [value, ...others].map((one) => JSON.stringify(one)).join(", ");
    return { code: Status.UNKNOWN, message: `The response has an invalid ${dialect.status}: ${values}.` };
  }
  const message = percentDecode(trailers.all(dialect.message)[0] ?? "");
  const [encoded] = trailers.all(dialect.details);
  const details = encoded === undefined ? undefined : readBinary(encoded);
  return { code, message, ...(details === undefined ? {} : { details }) };
}
