import type { Values } from "../../wire/http1/build.ts";

/** What the probe learned about a server and cases rely on. */
export type Known = {
  /** The status of the response to GET on the subject's path. */
  readonly status: number;
  /** A path whose response has another status. */
  readonly missing?: { readonly path: string; readonly status: number };
  /** A path that echoes the content of POST. */
  readonly echo?: string;
  /** Paths whose response to GET is preceded by 103, is chunked, or has trailers. */
  readonly early?: string;
  readonly chunked?: string;
  readonly trailers?: string;
  /** The entity tag of the path, and when it was last modified, for conditional requests. */
  readonly etag?: string;
  readonly modified?: string;
  /** A second request on a connection is answered. */
  readonly persists: boolean;
  /** It ends the connection after answering a request with `Connection: close`. */
  readonly closes: boolean;
};

/** A server before the probe. */
export const UNKNOWN: Known = { status: 200, persists: true, closes: true };

/** What the braces of a case stand for. */
export const valuesOfKnown = ({ missing, echo, early, chunked, trailers, etag, modified }: Known): Values => ({
  ...(missing === undefined ? {} : { missing: missing.path }),
  ...(echo === undefined ? {} : { echo }),
  ...(early === undefined ? {} : { early }),
  ...(chunked === undefined ? {} : { chunked }),
  ...(trailers === undefined ? {} : { trailers }),
  ...(etag === undefined ? {} : { etag }),
  ...(modified === undefined ? {} : { modified }),
});
