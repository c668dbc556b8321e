import { field, type Field } from "../core/index.ts";
import type { Fields } from "../http/index.ts";
import { type CallStatus, readCallStatus } from "./call-status.ts";
import type { Metadata, MetadataInit } from "./call.ts";
import { type Compressors, writeEncodings } from "./compression.ts";
import { type Dialect, messageFormat } from "./dialect.ts";
import { entriesOf, MetadataView } from "./metadata-view.ts";
import { readMetadata, writeMetadata } from "./metadata.ts";
import { Status } from "./status.ts";
import { writeTimeout } from "./timeout.ts";

/** What a client knows before any call. */
export type ClientSetup = {
  readonly dialect: Dialect;
  readonly compressors: Compressors;
  readonly userAgent: string;
};
/** What varies between the requests of a client. */
export type Asked = {
  readonly timeoutMs: number | undefined;
  /** The encoding of the messages; undefined if they are not compressed. */
  readonly encoding: string | undefined;
  readonly metadata: MetadataInit | undefined;
  /** Attempts of this call before this one (rpc-retries#exposed-retry-metadata). */
  readonly attempts: number;
};

/** Writes the fields of requests, apart from the pseudo-fields. What does not vary is written once. */
export class RequestHeads {
  readonly #dialect: Dialect;
  readonly #fixed: readonly Field[];

  constructor({ dialect, compressors, userAgent }: ClientSetup) {
    this.#dialect = dialect;
    this.#fixed = [
      field("te", "trailers"),
      field("content-type", dialect.contentType),
      field("user-agent", userAgent),
      field(dialect.acceptEncoding, writeEncodings(compressors)),
    ];
  }

  /** The timeout first, and the fields of the call before metadata (rpc-http2#requests). */
  fields({ timeoutMs, encoding, metadata, attempts }: Asked): readonly Field[] {
    if (timeoutMs === undefined && encoding === undefined && metadata === undefined && attempts === 0) return this.#fixed;
    const dialect = this.#dialect;
    const list: Field[] = timeoutMs === undefined ? [] : [field(dialect.timeout, writeTimeout(timeoutMs * 1e6))];
    list.push(...this.#fixed);
    if (encoding !== undefined) list.push(field(dialect.encoding, encoding));
    if (attempts > 0) list.push(field(dialect.previousAttempts, String(attempts)));
    if (metadata !== undefined) list.push(...writeMetadata(entriesOf(metadata), dialect));
    return list;
  }
}

/** The head of a response. */
export type ResponseHead =
  /** Messages follow, in this encoding. */
  { readonly is: "headers"; readonly encoding: string | undefined; readonly metadata: Metadata } | Ended;
/** The call has ended with this status, and with the metadata of its trailers. */
export type Ended = {
  readonly is: "ended";
  readonly status: CallStatus;
  readonly metadata: Metadata;
  /** The server's push-back, as it stands in the trailers. */
  readonly pushBack: string | undefined;
};

/** Reads the head of a response. A head with a status has no messages after it; any response that is not of this protocol ends the call. */
export function readHead(status: number, fields: Fields, dialect: Dialect): ResponseHead {
  if (fields.has(dialect.status) || status !== 200) return readTrailers(fields, status, dialect);
  const type = fields.get("content-type");
  if (type === undefined || messageFormat(type, dialect) !== "proto") {
    // rpc-http2#responses
    const message = `The response has HTTP status 200, but the content type ${type === undefined ? "is missing" : JSON.stringify(type)}.`;
    return { is: "ended", status: { code: Status.UNKNOWN, message }, metadata: MetadataView.empty, pushBack: undefined };
  }
  const metadata = viewOf(fields, dialect);
  if ("code" in metadata) return { is: "ended", status: metadata, metadata: MetadataView.empty, pushBack: undefined };
  return { is: "headers", encoding: fields.get(dialect.encoding), metadata };
}

/** Reads the trailers of a response, or its head if they stand alone. */
export function readTrailers(fields: Fields, http: number, dialect: Dialect): Ended {
  const metadata = viewOf(fields, dialect);
  const pushBack = fields.get(dialect.pushBack);
  if ("code" in metadata) return { is: "ended", status: metadata, metadata: MetadataView.empty, pushBack };
  return { is: "ended", status: readCallStatus(fields, http, dialect), metadata, pushBack };
}

function viewOf({ list }: Fields, dialect: Dialect): MetadataView | CallStatus {
  const entries = readMetadata(list, dialect);
  if (!Array.isArray(entries)) return { code: entries.status, message: entries.message };
  return entries.length === 0 ? MetadataView.empty : new MetadataView(entries);
}
