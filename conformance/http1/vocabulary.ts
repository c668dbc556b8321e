import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";
import type { FrameSpec } from "../http2/vocabulary.ts";

/** The words in which an HTTP/1.1 case is written, for servers, clients and proxies. All of it is data; `conformance/http1/driver/` performs it. */

/**
 * Octets, written as text: characters up to U+00FF stand for one octet each, line ends are written out (`\r\n`). The driver replaces
 * - `{scheme}`, `{authority}`, `{path}`: the subject's own (for a proxy: its address, and a path of its origin, different for every performance);
 * - `{missing}`: a path that the subject answers differently from `{path}` (`FEATURES.distinct` says whether there is one);
 * - `{echo}`: a path that answers with the content of the request (feature `echo`);
 * - `{early}`, `{chunked}`, `{trailers}`: paths whose answer to GET has a 103 before it, comes in chunks, has trailers (features of these names);
 * - `{etag}`, `{modified}`: the validators of `{path}` (features `etag`, `modified`);
 * - `{hidden}`: for a proxy, a whole GET of `{path}/hidden`, exactly 256 octets long, so that lengths can be written down.
 */
export type Text = string;

/** A connection of the case, by its number; the first is opened by the first step that sends. Origin connections are counted as the proxy opens them. */
export type ConnectionRef = number;

/** What the harness does to the subject, in order. */
export type Step =
  /** In one write, or in writes of `cut` octets each (a socket write each, Nagle off), the next once the kernel took the last. */
  | { readonly do: "send"; readonly text: Text; readonly cut?: number; readonly on?: ConnectionRef }
  /** The text `times` over, in few writes; `{n}` in it is the round, from 1. The lint bounds the product to 4 MiB. */
  | { readonly do: "repeat"; readonly text: Text; readonly times: number; readonly on?: ConnectionRef }
  /** Goes on when this was seen; a subject that never shows it has failed the case here. */
  | { readonly do: "await"; readonly see: Sight }
  | { readonly do: "half-close" | "close" | "reset"; readonly on?: ConnectionRef }
  /** Bounded, and only where time is the subject of the case. Ends early with the connection, or with `until`. */
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight }
  /** Client role: serves the n-th request (1 by default), once it has come whole, with these octets; `close` ends the connection after them. */
  | { readonly do: "answer"; readonly nth?: number; readonly text: Text; readonly cut?: number; readonly close?: "end" | "reset" }
  /** Proxy role: from here on the origin answers each request with this (a plain 200 by default); `none`: not before a later step says so. */
  | { readonly do: "origin"; readonly text: Text | "none"; readonly close?: "end" | "reset"; readonly at?: "head" | "end" }
  /** Proxy role: the origin writes this on the connection of the n-th request (by default of the last), which counts as answered; where none has come, nothing. */
  | { readonly do: "origin send"; readonly text: Text; readonly nth?: number; readonly close?: "end" | "reset" }
  /** Proxy role: the connection to the subject speaks HTTP/2; the handshake is done. Needs `http2 front`. */
  | { readonly do: "http2"; readonly frames: readonly FrameSpec[] };

/**
 * A pattern is a regular expression over the Latin-1 text, `i` flag set. `absent` asks that there is no such field. `joined`: what is
 * compared is not each line of the field, but all of them, in order, with ", " between them.
 */
export type FieldSight = {
  readonly name: string;
  readonly value?: string;
  readonly pattern?: string;
  readonly absent?: true;
  readonly joined?: true;
};
export type StatusSight = readonly (number | "1xx" | "2xx" | "3xx" | "4xx" | "5xx")[];

/** What may be observed of the subject. Messages are those of connection `on`, 1 by default. */
export type Sight =
  /** The n-th final response (1 by default). `like`: the status must be that of the probe's answer to GET on `{path}`, or on `{missing}`. */
  | {
      readonly see: "response";
      readonly nth?: number;
      readonly on?: ConnectionRef;
      readonly status?: StatusSight;
      readonly like?: "path" | "missing";
      readonly version?: string;
      readonly fields?: readonly FieldSight[];
      readonly trailers?: readonly FieldSight[];
      /** The content equals this text. */
      readonly body?: Text;
      readonly bodyPattern?: string;
      /** It must have ended, and how: by length, by chunks, by the end of the connection, or without content. */
      readonly whole?: true;
      readonly framing?: "length" | "chunked" | "close" | "none";
    }
  /** An interim response came before the n-th final one. */
  | { readonly see: "interim"; readonly status: number; readonly nth?: number; readonly fields?: readonly FieldSight[] }
  /** A final response that refuses (one of `status`, 4xx or 501 or 505 by default), and then the end of the connection; nothing else was answered after it. */
  | { readonly see: "refused"; readonly nth?: number; readonly status?: StatusSight }
  /** The same without the end of the connection: what follows was answered all the same. */
  | { readonly see: "refused and open"; readonly nth?: number; readonly status?: StatusSight }
  /** The connection ended without any (further) response than `after` final ones (0 by default). */
  | { readonly see: "closed"; readonly after?: number; readonly on?: ConnectionRef }
  /** The connection ended, whatever was answered before. */
  | { readonly see: "ended"; readonly on?: ConnectionRef }
  /** Exactly so many final responses, that to the fence included, and the fence was answered as it should be (like `{path}`). */
  | { readonly see: "answered"; readonly count: number }
  /** A named property held of everything the subject sent (`driver/monitors.ts`). */
  | { readonly see: "holds"; readonly monitor: string }
  /** Client role, and at the origin of a proxy: a request came; the n-th (1 by default), or at least `count`. */
  | {
      readonly see: "request";
      readonly nth?: number;
      readonly count?: number;
      readonly method?: string;
      /** The request target, as a pattern; `{path}` and `{authority}` are filled in, escaped. */
      readonly target?: string;
      readonly version?: string;
      readonly fields?: readonly FieldSight[];
      readonly trailers?: readonly FieldSight[];
      readonly body?: Text;
      readonly framing?: "length" | "chunked" | "none";
      /** Came on a connection of its own, or on that of the request before it. */
      readonly connection?: "new" | "reused";
    }
  /** Exactly so many requests reached the server (client role) or the origin (proxy role, those of the fence not counted) by the end. */
  | { readonly see: "requests"; readonly count: number }
  /** At the origin: octets matching the pattern (one line of Latin-1 text, `s` and `i` flags), on any of its connections. */
  | { readonly see: "origin octets"; readonly pattern: string }
  /** Client role: the command ended, with status 0 or another. */
  | { readonly see: "exit"; readonly ok: boolean }
  /** Client role: what it printed as content. Needs `output`. */
  | { readonly see: "output"; readonly text: Text }
  /** Proxy role over HTTP/2: the stream was reset, or the connection ended with GOAWAY. */
  | { readonly see: "stream reset"; readonly stream: number }
  | { readonly see: "goaway" }
  /** Server role, after 101 to h2c: a frame came, on any stream or on this one; `first`: it was the first of all. */
  | { readonly see: "http2 frame"; readonly type: string; readonly stream?: number; readonly first?: true }
  | { readonly see: "not"; readonly of: Sight }
  /** All of these; any of these. */
  | { readonly see: "all"; readonly of: readonly Sight[] }
  | { readonly see: "any"; readonly of: readonly Sight[] };

export type Outcome = AnyOutcome<Sight>;

/** What a client is asked for: one GET of `{path}` by default. */
export type Ask = {
  /** Needs `head` or `post`; POST has some content. */
  readonly method?: "HEAD" | "POST";
  /** What stands behind the authority in its address, query and fragment included; nothing at all for "". */
  readonly path?: Text;
  readonly userinfo?: string;
  /** When the first request is over, one more on `/second`. Needs `second`. */
  readonly twice?: true;
};

/**
 * An HTTP/1.1 case. After the last step the driver fences by itself, as `fence` says: "request" (default for servers and proxies): a good
 * GET on the same connection with `Connection: close`, so that whatever was taken for a request is answered before it, and the end comes
 * soon; "half-close": no more octets, so that a message which ends with the connection is complete; "new": a good request on a new
 * connection; "exit" (default for clients): the end of the command; "none": the outcome alone decides, until the time limit.
 * An answered fence without an allowed outcome is a fail at once.
 */
export type Case = AnyCase<Step, Sight> & {
  readonly fence?: "request" | "half-close" | "new" | "exit" | "none";
  /** Client role. */
  readonly ask?: Ask;
  /** What the control asks for, where that is another thing. */
  readonly controlAsk?: Ask;
};
