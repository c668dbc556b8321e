import type { Content, FieldsInit, ResponseHead } from "../../http/index.ts";

/** A request; everything has a default. */
export type ClientRequest = {
  /** GET by default. */
  readonly method?: string;
  /** Includes the query; `/` by default. CONNECT without `protocol` has none. */
  readonly path?: string;
  /** That of the URL by default. */
  readonly authority?: string;
  readonly scheme?: string;
  /** HTTP/1.1: the request target if it is not the path, such as the absolute form for a proxy (rfc9112#3.2.2). */
  readonly target?: string;
  /** Extended CONNECT: the protocol of the tunnel (rfc8441#4). */
  readonly protocol?: string;
  readonly fields?: FieldsInit;
  readonly body?: Content;
  /** Sent after the content; a function is called when the content has ended. */
  readonly trailers?: FieldsInit | (() => FieldsInit);
  /** Sends content only after a 100 response, or after this many milliseconds; at once by default (rfc9110#10.1.1). */
  readonly expectMs?: number;
  /**
   * Once the response is complete, the rest of the content is not sent: HTTP/2 resets the stream with NO_ERROR (rfc9113#8.1), HTTP/1.1 closes
   * the connection. By default the content is sent to its end.
   */
  readonly stopsWhenAnswered?: boolean;
  /** Called with each 1xx response when it arrives (rfc9110#15.2). */
  readonly onInterim?: (head: ResponseHead) => void;
  /** A Priority field value such as `u=1, i` (rfc9218#5). */
  readonly priority?: string;
  /**
   * Aborts the request: its promise, or its content, fails with the reason `aborted`, and the server learns that nobody waits for the response.
   * In HTTP/2 its stream is reset with CANCEL. In HTTP/1.1 the connection is reset, and another one is opened for further
   * requests by `createClient`. A request that still waits for its turn is dropped, and the connection stays.
   */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds for the whole request, from the call to the end of the response's content; this includes the wait for a connection. Then it
   * fails with the reason `timeout`, and ends like an aborted one. Unlimited by default.
   */
  readonly timeoutMs?: number;
  /** Milliseconds until the final response begins, from when the request has a connection. Unlimited by default. */
  readonly headersMs?: number;
};
