import type { Content, Response } from "../../http/index.ts";
import { QueryFailure } from "../promql/index.ts";
import { JsonWriter, type WriteJson } from "./json.ts";

/** The published error types, each with its status (Prometheus docs, querying/api.md, "Format overview"). */
export const ERROR_STATUS = {
  bad_data: 400,
  execution: 422,
  canceled: 499,
  timeout: 503,
  internal: 500,
  unavailable: 503,
  not_found: 404,
  not_acceptable: 406,
} as const;
/** `errorType` in the envelope of an error. */
export type ErrorType = keyof typeof ERROR_STATUS;

/** Ends a request with an error response: thrown while reading parameters or answering, caught by the routes. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly type: ErrorType;
  /** The status of the response: that of the type by default. */
  readonly status: number;

  constructor(type: ErrorType, message: string, status: number = ERROR_STATUS[type]) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

/** Rethrows an error, as an `ApiError` if it is a `QueryFailure`. */
export function refused(error: unknown): never {
  throw error instanceof QueryFailure ? new ApiError(error.kind, error.message) : error;
}

/** A successful result: its data, already JSON if it is large, and its annotations. */
export type Answer = {
  readonly data: Json | unknown;
  readonly warnings?: readonly string[];
  readonly infos?: readonly string[];
};

/** Data that is serialized while it is sent: a large result is never completely in memory as JSON. */
export class Json {
  readonly write: WriteJson;

  constructor(write: WriteJson) {
    this.write = write;
  }
}

const TYPE = ["content-type", "application/json"] as const;

/** The envelope of a successful response. */
export function success({ data, warnings = [], infos = [] }: Answer): Response {
  const out = new JsonWriter();
  return { status: 200, fields: [TYPE], body: content(out, enveloped(out, { data, warnings, infos })) };
}

/** The envelope of an error response. */
export function failure({ type, message, status }: ApiError): Response {
  return {
    status,
    fields: [TYPE],
    body: JSON.stringify({ status: "error", errorType: type, error: message }),
  };
}

function* enveloped(out: JsonWriter, { data, warnings = [], infos = [] }: Answer): Generator<void, undefined> {
  out.ascii('{"status":"success"');
  if (data !== undefined) out.ascii(',"data":');
  if (data instanceof Json) yield* data.write(out);
  else if (data !== undefined) yield void out.value(data);
  if (warnings.length > 0) out.ascii(',"warnings":').value(warnings);
  if (infos.length > 0) out.ascii(',"infos":').value(infos);
  out.ascii("}");
  return undefined;
}

/** The number of octets that are sent at once. */
const PIECE = 1 << 16;

/** A short result is sent in one piece. */
function content(out: JsonWriter, rows: Generator<void, undefined>): Content {
  return isWhole(out, rows) ? out.take() : pieces(out, rows);
}

// oxlint-disable-next-line typescript/require-await -- streamed content is asynchronous
async function* pieces(out: JsonWriter, rows: Generator<void, undefined>): AsyncGenerator<Uint8Array> {
  do yield out.take();
  while (!isWhole(out, rows));
  yield out.take();
}

/** Writes until a piece is full or everything is written. */
function isWhole(out: JsonWriter, rows: Generator<void, undefined>): boolean {
  while (out.length < PIECE) if (rows.next().done === true) return true;
  return false;
}
