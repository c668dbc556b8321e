import type { ReadField } from "../../wire/http2/read.ts";

export type Fields = readonly ReadField[];
/** Which header section of a response it is. */
export type Part = "interim" | "headers" | "trailers" | "trailers only";

/** What a proxy does wrong. The base passes everything on as it comes; it keeps no limit, and buffers what it cannot pass on. */
export type ProxyFlaw = {
  /** In words. */
  readonly about: string;
  /** Accepts connections and says nothing, or drops them. */
  readonly mute?: "silent" | "slams";
  /** The fields that reach the origin; a number refuses the call with that HTTP status. */
  readonly request?: (fields: Fields) => Fields | number;
  /** The fields that reach the client; undefined for none. */
  readonly response?: (fields: Fields, part: Part) => Fields | undefined;
  /** The octets that reach the origin, or the client; of each DATA frame. */
  readonly up?: (octets: Uint8Array, total: number) => Uint8Array;
  readonly down?: (octets: Uint8Array, total: number) => Uint8Array;
  /** An empty DATA frame ends its direction. */
  readonly emptyEnds?: true;
  /** Collects the request, or the response, and passes it on at its end. */
  readonly collects?: "request" | "response";
  /** Passes the response on when the request has ended. */
  readonly waitsForRequest?: true;
  /** Does not end requests. */
  readonly neverEnds?: true;
  /** A section that ends the stream becomes two frames. */
  readonly splitsEnd?: true;
  /** Adds trailers with OK to a response that ends without. */
  readonly addsTrailers?: true;
  /** On a reset of the origin, a lost connection, or none: nothing; OK; the same request again; the end of the client's connection. */
  readonly onFailure?: "hang" | "ok" | "again" | "drop";
  /** The same for a status of UNAVAILABLE. */
  readonly repeatsUnavailable?: true;
  /** On a reset of the client: nothing at the origin; the end of the request; the end of the client's connection. */
  readonly onCancel?: "nothing" | "end" | "drop";
  /** On GOAWAY of the origin: resets its calls; uses the connection further. */
  readonly onGoaway?: "resets" | "stays";
  /** After the origin has ended a connection: makes no other. */
  readonly neverRedials?: true;
  /** Answers a call with OK that is not answered at once, or resets it. */
  readonly impatient?: "ok" | "reset";
  /** Writes DATA whatever the windows, or the size of frames. */
  readonly ignoresWindows?: true;
  readonly ignoresFrameSize?: true;
  /** Writes nothing more of a stream whose window was used up. */
  readonly stuck?: true;
  /** Responses wait for those of earlier calls. */
  readonly inOrder?: true;
  /** More calls at once are reset. */
  readonly mostCalls?: number;
};
