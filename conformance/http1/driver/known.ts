import type { Values } from "../../wire/http1.ts";

/** What the probe has learned of a server, as far as cases build on it. */
export type Known = {
  /** The status of the answer to GET on the subject's path. */
  readonly status: number;
  /** A path that is answered with another status. */
  readonly missing?: { readonly path: string; readonly status: number };
  /** A path that answers POST with the content of the request. */
  readonly echo?: string;
  /** Paths that answer GET with a 103 before, in chunks, with trailers. */
  readonly early?: string;
  readonly chunked?: string;
  readonly trailers?: string;
  /** The entity tag of the path, and when it was last modified, for conditional requests. */
  readonly etag?: string;
  readonly modified?: string;
  /** A second request on a connection is answered. */
  readonly persists: boolean;
  /** It ends the connection after the answer to `Connection: close`. */
  readonly closes: boolean;
};

/** A server of which nothing is known. */
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
