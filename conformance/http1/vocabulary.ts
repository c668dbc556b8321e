import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";
import type { FrameSpec } from "../http2/vocabulary.ts";

/**
 * What an HTTP/1.1 case can send and observe, for servers, clients and proxies. Cases are plain data; `driver/` performs them.
 * To read a case: `steps` is what the harness does, `control` the same without the mistake, `allowed` the sights that pass.
 */

/**
 * Octets written as text. A character up to U+00FF is one octet; line ends are explicit (`\r\n`). The driver replaces
 * - `{scheme}`, `{authority}`, `{path}`: the subject's own (for a proxy, its address and a path of its origin, new for each performance);
 * - `{missing}`: a path answered with another status than `{path}` (feature `distinct`);
 * - `{echo}`: a path that answers with the content of the request (feature `echo`);
 * - `{early}`, `{chunked}`, `{trailers}`: paths whose response to GET is preceded by 103, is chunked, or has trailers (features of these names);
 * - `{etag}`, `{modified}`: the validators of `{path}` (features `etag`, `modified`); `{modified850}`, `{modifiedasctime}`: the date in the
 *   two obsolete formats; `{earlier}`, `{later}`: the day before it, the hour after it; `{longago}`, `{longago850}`: a day 49 years ago;
 * - `{accept}`: in what an origin sends, the Sec-WebSocket-Accept for the key of the last request;
 * - `{hidden}`: for a proxy, a complete GET of `{path}/hidden`, always 256 octets long, so that a case can state its length.
 */
export type Text = string;

/** Long content in a short case: `text` so many times, with `{n}` in it for the round, from 1, and then `end`. */
export type Repeated = { readonly text: Text; readonly times: number; readonly end?: Text };

/** The number of a connection in the case. The first step that sends opens connection 1; origin connections count as the proxy opens them. */
export type ConnectionRef = number;

/** What the harness does to the subject, in order. */
export type Step =
  /** One write, or writes of `cut` octets each (Nagle off); the next write follows when the kernel accepted the last. */
  | { readonly do: "send"; readonly text: Text; readonly cut?: number; readonly on?: ConnectionRef }
  /** Sends the text `times` times in few writes, or in writes of `cut` octets each; `{n}` in it is the round, from 1. The lint limits the product to 4 MiB. */
  | { readonly do: "repeat"; readonly text: Text; readonly times: number; readonly cut?: number; readonly on?: ConnectionRef }
  /** Waits for this sight; a subject that never shows it fails the case here. */
  | { readonly do: "await"; readonly see: Sight }
  | { readonly do: "close" | "reset"; readonly on?: ConnectionRef }
  /** Server role, `with`: these octets leave in one segment with the end, as far as the kernel does that. A response must have come before. */
  | { readonly do: "half-close"; readonly on?: ConnectionRef; readonly with?: Text }
  /** A bounded wait, only for cases about time. Ends early when the connection closes or `until` is seen. */
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight }
  /** Client role: answers the n-th request (1 by default) with these octets once it is complete; `close` ends the connection after them. */
  | { readonly do: "answer"; readonly nth?: number; readonly text: Text; readonly cut?: number; readonly close?: "end" | "reset" }
  /** Proxy role: from here on the origin answers each request with this (a plain 200 by default); `none`: only when a later step says so. */
  | {
      readonly do: "origin";
      readonly text: Text | "none";
      readonly more?: Repeated;
      readonly close?: "end" | "reset";
      readonly at?: "head" | "end";
    }
  /** Proxy role: the origin writes this on the connection of the n-th request (the last by default), which then counts as answered; without such a request, nothing. */
  | { readonly do: "origin send"; readonly text: Text; readonly nth?: number; readonly close?: "end" | "reset" }
  /**
   * Proxy role: frames on an HTTP/2 connection to the subject, after its handshake. Needs `http2 front`. `cut`: our preface is written in
   * pieces of so many octets; only the first such step of a case opens the connection.
   */
  | { readonly do: "http2"; readonly frames: readonly FrameSpec[]; readonly cut?: number };

/**
 * What a field must be. A pattern is a regular expression over Latin-1 text, with the `i` flag. `absent`: there is no such field.
 * `joined`: compares all lines of the field, joined in order by ", ", instead of any one line.
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
  /** The n-th final response (1 by default). `like`: its status is the one the probe got for GET on `{path}`, or on `{missing}`. */
  | {
      readonly see: "response";
      readonly nth?: number;
      readonly on?: ConnectionRef;
      readonly status?: StatusSight;
      readonly like?: "path" | "missing";
      readonly version?: string;
      readonly fields?: readonly FieldSight[];
      readonly trailers?: readonly FieldSight[];
      /** The content equals this text, as often as `times` says; `{n}` in it is the round, from 1. */
      readonly body?: Text;
      readonly times?: number;
      readonly bodyPattern?: string;
      /** The message is complete (rfc9112#8). */
      readonly complete?: true;
      /** How the end of the content is determined (rfc9112#6.3). */
      readonly framing?: "length" | "chunked" | "close" | "none";
    }
  /** An interim response before the n-th final one. */
  | { readonly see: "interim"; readonly status: number; readonly nth?: number; readonly fields?: readonly FieldSight[] }
  /** An error response (one of `status`, 4xx, 501 or 505 by default), then the end of the connection, with no response in between. */
  | { readonly see: "error and close"; readonly nth?: number; readonly status?: StatusSight }
  /** The same error response on a connection that persists: the subject also answered the next request. */
  | { readonly see: "error and keep-alive"; readonly nth?: number; readonly status?: StatusSight }
  /** The connection closed after exactly this many final responses, and no other octets. */
  | { readonly see: "closed after"; readonly responses: number; readonly on?: ConnectionRef }
  /** The connection closed, whatever was answered before. */
  | { readonly see: "connection closed"; readonly on?: ConnectionRef }
  /** Exactly this many final responses, including the one to the fence, which was answered correctly (like `{path}`). */
  | { readonly see: "all answered"; readonly responses: number }
  /** A named property held for everything the subject sent (`driver/monitors.ts`). */
  | { readonly see: "holds"; readonly monitor: string }
  /** Client role, and at the origin of a proxy: the n-th request (1 by default), or at least `count` requests. */
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
      readonly times?: number;
      readonly framing?: "length" | "chunked" | "none";
      /** On a connection of its own, or on that of the previous request. */
      readonly connection?: "new" | "reused";
    }
  /** Exactly this many requests reached the server (client role) or the origin (proxy role, without those of the fence) by the end. */
  | { readonly see: "requests"; readonly count: number }
  /** At the origin: octets matching the pattern (Latin-1 text, flags `s` and `i`) on any of its connections. */
  | { readonly see: "origin octets"; readonly pattern: string }
  /** At the origin: the proxy ended or reset the connection of the n-th request, the last by default. */
  | { readonly see: "origin closed"; readonly nth?: number }
  /** Client role: the command exited, with status 0 or another. */
  | { readonly see: "exit"; readonly ok: boolean }
  /** Client role: it ended every connection before we did, and was still running when the time was over. */
  | { readonly see: "gave up" }
  /** Client role: the content it printed. Needs `output`. */
  | { readonly see: "output"; readonly text: Text; readonly times?: number }
  /** Octets that came through the tunnel that the subject opened on connection `on`, as a pattern (Latin-1 text, flags `s` and `i`). */
  | { readonly see: "tunnel octets"; readonly pattern: string; readonly on?: ConnectionRef }
  /** Proxy role over HTTP/2: the subject reset the stream, or sent GOAWAY. */
  | { readonly see: "stream reset"; readonly stream: number }
  | { readonly see: "goaway" }
  /** Server role, after 101 to h2c: a frame on any stream or on this one; `first`: the very first frame. */
  | { readonly see: "http2 frame"; readonly type: string; readonly stream?: number; readonly first?: true }
  | { readonly see: "not"; readonly of: Sight }
  | { readonly see: "all"; readonly of: readonly Sight[] }
  | { readonly see: "any"; readonly of: readonly Sight[] };

/** Sights of a subject that refuses. */
export const REFUSALS = ["closed after", "error and close", "error and keep-alive"] as const satisfies readonly Sight["see"][];

export type Outcome = AnyOutcome<Sight>;
/** The outcomes a case allows, the strict one first. */
export type Allowed = readonly [Outcome, ...Outcome[]];

/** What a client is asked to fetch: one GET of `{path}` by default. */
export type Ask = {
  /** Needs `head` or `post`; POST has some content. */
  readonly method?: "HEAD" | "POST";
  /** Follows the authority in the address, query and fragment included; "" for nothing at all. */
  readonly path?: Text;
  readonly userinfo?: string;
  /** Once the first request is finished, another one on `/second`. Needs `second`. */
  readonly twice?: true;
  /** Both requests at once. Needs `together`. */
  readonly together?: true;
};

/**
 * An HTTP/1.1 case. After the last step the driver fences, as `fence` says:
 * - "request" (default for servers and proxies): a good GET on the same connection with `Connection: close`. Whatever was read as a request
 *   is answered before it, and the connection ends soon.
 * - "half-close": no more octets, which completes a message that ends with the connection.
 * - "new": a good request on a new connection.
 * - "exit" (default for clients): the end of the command.
 * - "none": the outcome alone decides, until the time limit.
 * An answered fence without an allowed outcome fails at once.
 */
export type Case = AnyCase<Step, Sight> & {
  readonly fence?: "request" | "half-close" | "new" | "exit" | "none";
  /** Client role. */
  readonly ask?: Ask;
  /** What the control fetches, if it differs. */
  readonly controlAsk?: Ask;
};
