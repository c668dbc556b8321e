import { Misuse } from "../core/index.ts";
import { HTTP1 } from "./http1/version.ts";
import { HTTP2 } from "./http2/version.ts";

/**
 * The versions of HTTP over byte streams in order of preference, each with its ALPN name (rfc7301#6). Server, client, pool, proxy and command
 * line read this table: adding such a version is one row.
 */
export const VERSIONS = [HTTP2, HTTP1] as const;

export type AnyVersion = (typeof VERSIONS)[number];
/** HTTP/3, which is not carried by a byte stream: it is spoken where its name is given (rfc9114#3.1). */
export const HTTP3 = { name: "http3", alpn: "h3", http: "HTTP/3", multiplexes: true } as const;
export type Alpn = AnyVersion["alpn"] | typeof HTTP3.alpn;
export const ALPN: readonly Alpn[] = VERSIONS.map(({ alpn }) => alpn);

/** The version of a connection without a choice: over TLS without ALPN (rfc9113#3.2), and in clear text without prior knowledge. */
export const UNNEGOTIATED: AnyVersion = HTTP1;

const NAMES = [HTTP3.alpn, ...ALPN].join(", ");

/** Whether HTTP/3 is among the requested versions. */
export const speaksHttp3 = (requested: readonly Alpn[] | undefined): boolean => requested?.includes(HTTP3.alpn) === true;
/** Whether HTTP/3 alone is spoken: nothing listens for TCP, and nothing connects. */
export const speaksHttp3Alone = (requested: readonly Alpn[] | undefined): boolean =>
  requested !== undefined && requested.length > 0 && requested.every((name) => name === HTTP3.alpn);

/** The requested versions over byte streams, each once, in order of preference; all of them by default, and where HTTP/3 is requested alone. */
export function versionsOf(requested: readonly Alpn[] = ALPN): readonly [AnyVersion, ...AnyVersion[]] {
  const others = speaksHttp3Alone(requested) ? ALPN : requested.filter((name) => name !== HTTP3.alpn);
  const rows = [...new Set(others)].map((name) => {
    const row = VERSIONS.find(({ alpn }) => alpn === name);
    if (row === undefined) throw new Misuse(`"${name}" is not an ALPN name of a supported version: use ${NAMES}`);
    return row;
  });
  const [first, ...rest] = rows;
  if (first === undefined) throw new Misuse(`\`alpn\` is empty: give at least one of ${NAMES}`);
  return [first, ...rest];
}
