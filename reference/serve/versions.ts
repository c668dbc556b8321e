import { Misuse } from "../core/index.ts";
import { HTTP1 } from "./http1/version.ts";
import { HTTP2 } from "./http2/version.ts";

/**
 * The versions of HTTP, by their ALPN names (rfc7301#6), in order of preference. Server, client, pool, proxy and command line read this
 * table: adding a version is one row.
 */
export const VERSIONS = { h2: HTTP2, "http/1.1": HTTP1 } as const;

export type Alpn = keyof typeof VERSIONS;
export const ALPN = Object.keys(VERSIONS) as readonly Alpn[];

/** The requested ALPN names, each once, in order of preference; all of them by default. */
export function alpnOf(requested: readonly Alpn[] = ALPN): readonly Alpn[] {
  const unknown = requested.find((name) => !ALPN.includes(name));
  if (unknown !== undefined) throw new Misuse(`"${unknown}" is not an ALPN name of a supported version: use ${ALPN.join(", ")}`);
  if (requested.length === 0) throw new Misuse(`\`alpn\` is empty: give at least one of ${ALPN.join(", ")}`);
  return [...new Set(requested)];
}
