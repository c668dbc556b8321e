/** What an impostor of a metrics server does wrong, and the request and response that it may change. */

/** The request: the path after `/api/v1/`, and the parameters of target and form together. */
export type Asked = { path: string; method: string; params: URLSearchParams; form: boolean; coding: string };
/** The response before it is written; `bare` sends the error as text instead of the envelope. */
export type Reply = { status: number; envelope: Envelope; bare?: true };
export type Envelope = { status?: unknown; data?: unknown; errorType?: unknown; error?: unknown; warnings?: unknown; infos?: unknown };

export type MetricsFlaw = {
  readonly about: string;
  /** Drops every connection at once. */
  readonly slams?: true;
  /** Rewrites the expression of a query. */
  readonly expression?: (expr: string) => string;
  /** Changes the request. */
  readonly asks?: (asked: Asked) => void;
  /** Changes the response. */
  readonly answers?: (reply: Reply, asked: Asked) => void;
  /** The media type of every response. */
  readonly type?: string;
  /** Compresses every response, accepted or not. */
  readonly packs?: true;
};
