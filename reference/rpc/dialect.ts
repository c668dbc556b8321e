/**
 * The names of one spelling of the protocol: header fields, and the content type. No other file spells them. Fields of HTTP (`te`,
 * `content-type`) are the same in every dialect.
 */
export type Dialect = {
  readonly name: AnyDialectName;
  /** The content type without the format of the messages (rpc-http2#requests). */
  readonly contentType: string;
  /** Names with this prefix belong to the protocol: metadata does not use them (rpc-http2#requests). */
  readonly prefix: string;
  readonly timeout: string;
  /** The encoding of compressed messages, and the encodings that a side accepts (rpc-http2#requests). */
  readonly encoding: string;
  readonly acceptEncoding: string;
  /** Fields of the trailers (rpc-http2#responses). */
  readonly status: string;
  readonly message: string;
  readonly details: string;
  /** Fields of retries (rpc-retries#exposed-retry-metadata, rpc-retries#pushback). */
  readonly previousAttempts: string;
  readonly pushBack: string;
  /** The attribute of TXT records that has service configs; with `_` before it, the label before the name (rpc-config-dns#encoding-in-dns-txt-records). */
  readonly config: string;
};
/** The dialects of HTTP/2, with its frames and trailers. */
export type DialectName = "rpc" | "grpc";
/** The dialects for browsers and plain HTTP, of any version (`web/`). */
export type WebDialectName = "grpc-web" | "connect";
export type AnyDialectName = DialectName | WebDialectName;

const dialect = <Name extends AnyDialectName>(name: Name): Dialect & { readonly name: Name } => ({
  name,
  contentType: `application/${name}`,
  prefix: `${name}-`,
  timeout: `${name}-timeout`,
  encoding: `${name}-encoding`,
  acceptEncoding: `${name}-accept-encoding`,
  status: `${name}-status`,
  message: `${name}-message`,
  details: `${name}-status-details-bin`,
  previousAttempts: `${name}-previous-rpc-attempts`,
  pushBack: `${name}-retry-pushback-ms`,
  config: `${name}_config`,
});

/** `rpc` is the neutral spelling, `grpc` that of existing clients and servers. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { rpc: dialect("rpc"), grpc: dialect("grpc") };

/**
 * Inside a server, a call of a web dialect has the form of HTTP/2 with these names. `grpc-web` has those of `grpc` (rpc-web#framing); of
 * `connect` only the names of the encodings leave the server (rpc-connect#streaming-request), and everything with its prefix is reserved.
 */
export const WEB_DIALECTS: Readonly<Record<WebDialectName, Dialect>> = {
  "grpc-web": { ...dialect("grpc"), name: "grpc-web", contentType: "application/grpc-web" },
  connect: {
    ...dialect("connect"),
    encoding: "connect-content-encoding",
    acceptEncoding: "connect-accept-encoding",
  },
};

/**
 * The format of the messages that a content type names: `proto` for `application/rpc+proto`, and for `application/rpc` alone. Undefined for
 * any other content type: a server answers it with 415 (rpc-http2#requests). Parameters are ignored.
 */
export function messageFormat(contentType: string, { contentType: bare }: Dialect): string | undefined {
  const end = contentType.indexOf(";");
  const type = (end < 0 ? contentType : contentType.slice(0, end)).trimEnd().toLowerCase();
  if (type === bare) return "proto";
  return type.startsWith(`${bare}+`) && type.length > bare.length + 1 ? type.slice(bare.length + 1) : undefined;
}
