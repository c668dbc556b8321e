import { field, type Field } from "../core/index.ts";
import { Fields } from "../http/index.ts";
import { type CallStatus, writeCallStatus } from "./call-status.ts";
import type { MetadataInit } from "./call.ts";
import { type Compressors, IDENTITY, parseEncodings, writeEncodings } from "./compression.ts";
import { type Dialect, messageFormat } from "./dialect.ts";
import { entriesOf, MetadataView } from "./metadata-view.ts";
import { readMetadata, writeMetadata } from "./metadata.ts";
import { Status } from "./status.ts";
import { parseTimeout } from "./timeout.ts";

/** What a server knows before any call. */
export type ServerSetup = {
  readonly dialect: Dialect;
  readonly compressors: Compressors;
  /** The formats of messages that it reads, as content types name them; `proto` alone by default. */
  readonly formats?: readonly string[];
};
/** The head of a request. */
export type RequestHead = { readonly method: string; readonly path: string; readonly fields: Fields };

/** What the head of a request asks for. */
export type Opening =
  /** Not a call: answer with this HTTP status. */
  | { readonly is: "http"; readonly status: number; readonly fields: readonly Field[] }
  /** Answer with trailers only. */
  | { readonly is: "failed"; readonly status: CallStatus }
  | CallHead;
export type CallHead = {
  readonly is: "call";
  /** The format of the messages: `proto`, or another one of the setup. */
  readonly format: string;
  readonly metadata: MetadataView;
  /** Milliseconds until the deadline. */
  readonly timeoutMs: number | undefined;
  /** The encoding of the request's messages. */
  readonly encoding: string | undefined;
  /** The encodings that the client accepts, identity aside. */
  readonly accepted: readonly string[];
};

/** Reads the head of a request. `isKnown` says whether the server has the method at a path. Nothing else of the server sees a wrong path. */
export function openCall({ method, path, fields }: RequestHead, setup: ServerSetup, isKnown: (path: string) => boolean): Opening {
  const { dialect } = setup;
  let type: string | undefined;
  let timeout: string | undefined;
  let encoding: string | undefined;
  let accepted: string | undefined;
  for (const { name, value } of fields.list) {
    if (name === "content-type") type = value;
    else if (name === dialect.timeout) timeout = value;
    else if (name === dialect.encoding) encoding = value;
    else if (name === dialect.acceptEncoding) accepted = accepted === undefined ? value : `${accepted},${value}`;
  }
  // A client of another protocol must not take the status 200 for success (rpc-http2#requests).
  const format = type === undefined ? undefined : messageFormat(type, dialect);
  if (format === undefined || !(setup.formats ?? PROTO).includes(format))
    return { is: "http", status: 415, fields: [field("accept-post", dialect.contentType)] };
  if (method !== "POST") return { is: "http", status: 405, fields: [field("allow", "POST")] };
  if (!isKnown(path)) return { is: "failed", status: unknownMethod(path) };
  const metadata = readMetadata(fields.list, dialect);
  if (!Array.isArray(metadata)) return { is: "failed", status: { code: metadata.status, message: metadata.message } };
  const timeoutNs = timeout === undefined ? undefined : parseTimeout(timeout);
  if (timeout !== undefined && timeoutNs === undefined)
    return failed(Status.INTERNAL, `The server received an invalid ${dialect.timeout}: ${JSON.stringify(timeout)}.`);
  if (timeoutNs === 0) return failed(Status.DEADLINE_EXCEEDED, "The deadline had passed when the server received the call.");
  return {
    is: "call",
    format,
    metadata: metadata.length === 0 ? MetadataView.empty : new MetadataView(metadata),
    timeoutMs: timeoutNs === undefined ? undefined : timeoutNs / 1e6,
    encoding,
    accepted: accepted === undefined ? NO_ENCODINGS : parseEncodings(accepted).filter((name) => name !== IDENTITY),
  };
}

const NO_ENCODINGS: readonly string[] = [];
const PROTO: readonly string[] = ["proto"];

const failed = (code: CallStatus["code"], message: string): Opening => ({ is: "failed", status: { code, message } });

function unknownMethod(path: string): CallStatus {
  const code = Status.UNIMPLEMENTED;
  if (!path.startsWith("/")) return { code, message: `The path ${JSON.stringify(path)} does not begin with a slash.` };
  return { code, message: `The server has no method ${path}.` };
}

/** Writes the header sections of responses. What does not vary is written once. */
export class ResponseHeads {
  readonly #dialect: Dialect;
  readonly #headers: Fields;
  readonly #ok: Fields;

  constructor({ dialect, compressors }: ServerSetup) {
    this.#dialect = dialect;
    this.#headers = new Fields([field("content-type", dialect.contentType), field(dialect.acceptEncoding, writeEncodings(compressors))]);
    this.#ok = new Fields(writeCallStatus({ code: Status.OK, message: "" }, dialect));
  }

  /** Headers before messages (rpc-http2#responses). */
  headers(encoding: string | undefined, metadata: MetadataInit | undefined): Fields {
    if (encoding === undefined && metadata === undefined) return this.#headers;
    return new Fields([
      ...this.#headers.list,
      ...(encoding === undefined ? [] : [field(this.#dialect.encoding, encoding)]),
      ...(metadata === undefined ? [] : writeMetadata(entriesOf(metadata), this.#dialect)),
    ]);
  }
  trailers(status: CallStatus, metadata: MetadataInit | undefined): Fields {
    if (status.code === Status.OK && metadata === undefined) return this.#ok;
    return new Fields([
      ...writeCallStatus(status, this.#dialect),
      ...(metadata === undefined ? [] : writeMetadata(entriesOf(metadata), this.#dialect)),
    ]);
  }
  /** One section for a call that fails before any message. */
  trailersOnly(status: CallStatus, headers: MetadataInit | undefined, trailers: MetadataInit | undefined): Fields {
    return new Fields([...this.headers(undefined, headers).list, ...this.trailers(status, trailers).list]);
  }
}
