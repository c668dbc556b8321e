import { Misuse } from "../core/index.ts";
import { HTTP1 } from "./http1/version.ts";
import { HTTP2 } from "./http2/version.ts";

/**
 * The versions of HTTP in order of preference, each with its ALPN name (rfc7301#6). Server, client, pool, proxy and command line read this
 * table: adding a version is one row.
 */
export const VERSIONS = [HTTP2, HTTP1] as const;

export type AnyVersion = (typeof VERSIONS)[number];
export type Alpn = AnyVersion["alpn"];
export const ALPN: readonly Alpn[] = VERSIONS.map(({ alpn }) => alpn);

/** The version of a connection without a choice: over TLS without ALPN (rfc9113#3.2), and in clear text without prior knowledge. */
export const UNNEGOTIATED: AnyVersion = HTTP1;

/** The requested versions, each once, in order of preference; all of them by default. */
export function versionsOf(requested: readonly Alpn[] = ALPN): readonly [AnyVersion, ...AnyVersion[]] {
  const rows = [...new Set(requested)].map((name) => {
    const row = VERSIONS.find(({ alpn }) => alpn === name);
    if (row === undefined) throw new Misuse(`"${name}" is not an ALPN name of a supported version: use ${ALPN.join(", ")}`);
    return row;
  });
  const [first, ...others] = rows;
  if (first === undefined) throw new Misuse(`\`alpn\` is empty: give at least one of ${ALPN.join(", ")}`);
  return [first, ...others];
}
