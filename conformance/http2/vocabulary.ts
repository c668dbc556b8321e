import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";
import type { ErrorName, FrameName, FrameSpec, SettingName, StreamRef } from "../wire/http2/frame-spec.ts";

/**
 * What an HTTP/2 case can send and observe, for servers and clients. Cases are plain data; `driver/` performs them.
 * To read a case: `steps` is what the harness does, `control` the same without the mistake, `allowed` the sights that pass.
 */

export type { ErrorName, FieldSpec, FrameName, FrameSpec, SettingName, StreamRef, TableSize } from "../wire/http2/frame-spec.ts";

/** What the harness does to the subject, in order. */
export type Step =
  /** The preface with SETTINGS (empty by default), then both acknowledgements of SETTINGS. */
  | { readonly do: "handshake"; readonly settings?: readonly (readonly [SettingName | number, number])[] }
  /** Only the preface and SETTINGS, without waiting or acknowledging: for cases about the preface and SETTINGS. */
  | {
      readonly do: "preface";
      readonly magic?: string;
      readonly settings?: readonly (readonly [SettingName | number, number])[] | "none";
      /** In writes of this many octets each. */
      readonly cut?: number;
    }
  /** Frames in one write, or in writes of `cut` octets each. */
  | { readonly do: "send"; readonly frames: readonly FrameSpec[]; readonly cut?: number }
  | { readonly do: "bytes"; readonly hex: string; readonly note: string }
  /**
   * The frames, `times` times. A numeric stream, promised or prioritized stream grows by `stride` each round (0 by default).
   * The lint allows at most 10,000 rounds.
   */
  | { readonly do: "repeat"; readonly times: number; readonly stride?: number; readonly frames: readonly FrameSpec[] }
  /** Waits for this sight; a subject that never shows it fails the case here. */
  | { readonly do: "await"; readonly see: Sight }
  /** DATA that uses up the subject's window for the stream or the connection, and `beyond` octets more. */
  | {
      readonly do: "fill window";
      readonly of: "stream" | "connection";
      readonly stream: StreamRef;
      readonly beyond: number;
      readonly end?: true;
      /** In frames of one octet of content and 255 octets of padding. */
      readonly padded?: true;
      /** The last 64 octets of the window, and those beyond, in frames of one octet. */
      readonly octetByOctet?: true;
    }
  /** DATA of this many octets as far as the subject's windows allow. Waits for more credit; a subject that gives none fails the case here. */
  | { readonly do: "upload"; readonly stream: StreamRef; readonly octets: number; readonly end?: true }
  /**
   * DATA that uses up the subject's connection window, on as many streams as their windows require: each begins with `frames`, whose
   * streams (and promised streams) grow by 2, and carries its DATA on the stream of the last of them. Skips a window that is too large.
   */
  | { readonly do: "spend connection window"; readonly frames: readonly FrameSpec[] }
  /**
   * A GET on as many streams as the subject's MAX_CONCURRENT_STREAMS allows, and on `beyond` more, up to stream `last`. They stay open
   * while their responses have no window.
   */
  | { readonly do: "fill streams"; readonly last: number; readonly beyond: number }
  /**
   * Promises on the stream of the request, and begins the promised responses of, as many streams as the subject's MAX_CONCURRENT_STREAMS
   * allows and `beyond` more, up to stream `last`; then ends them.
   */
  | { readonly do: "fill pushes"; readonly last: number; readonly beyond: number }
  /** Stops (`hold`) or resumes (`release`) replenishing the subject's windows. By default the harness replenishes them. */
  | { readonly do: "hold windows" | "release windows" }
  /** Sends a PING or a request that a subject must answer if it accepted everything before, and waits for the answer or a rejection. */
  | { readonly do: "fence"; readonly by: "ping" | "request" }
  | { readonly do: "half-close" | "close" }
  /** A bounded wait, only for cases about time. Ends early when the connection closes or `until` is seen. */
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight }
  /** A second connection over TLS with this offer: a handshake and, if h2 is selected, a request (rfc9113#9.2). */
  | { readonly do: "tls"; readonly offer: TlsOffer };

/** The offer of a TLS ClientHello. Members left out have the library's default. */
export type TlsOffer = {
  readonly version?: "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
  /** OpenSSL names of TLS 1.2 cipher suites, joined by colons. */
  readonly ciphers?: string;
  readonly curve?: string;
  /** ALPN names; h2 and http/1.1 by default. */
  readonly alpn?: readonly string[];
  /** Requests a renegotiation after the response. */
  readonly renegotiate?: true;
};
/**
 * `refused`: the handshake failed. `other protocol`: ALPN did not select h2. `h2c`: ALPN selected h2c, which is invalid over TLS.
 * `answered`: the request was answered. `ended`: the connection ended after the handshake without an error code. `renegotiated`: the
 * renegotiation succeeded and the connection continued. `silent`: none of these.
 */
export type TlsOutcome = "refused" | "other protocol" | "h2c" | "answered" | "ended" | "renegotiated" | "silent" | ErrorName;

/** One code, or any of several. "any error": every code but NO_ERROR, unknown ones included (rfc9113#7). */
export type CodeSight = ErrorName | readonly ErrorName[] | "any error";

/** What may be observed of the subject. */
export type Sight =
  | { readonly see: "GOAWAY"; readonly code: CodeSight }
  | { readonly see: "RST_STREAM"; readonly stream: StreamRef; readonly code: CodeSight }
  /** The connection ended without a GOAWAY with an error. */
  | { readonly see: "closed" }
  /** An HTTP/1.1 response: the port serves both versions and tells them apart by the preface (rfc9113#3.3). */
  | { readonly see: "http1" }
  /**
   * A final response on the stream. `status`: codes or classes ("2xx"). `complete`: it must also end. `sameStatusAs`: its status must equal
   * that of the response on another stream.
   */
  | {
      readonly see: "response";
      readonly stream: StreamRef;
      readonly sameStatusAs?: StreamRef;
      readonly status?: readonly (number | "1xx" | "2xx" | "3xx" | "4xx" | "5xx")[];
      readonly complete?: true;
    }
  /**
   * A frame of this type. `where` compares decoded members (`{ ack: true, hex: "01…" }`, `{ "last at least": 1 }`); `count` is the minimum
   * number of such frames.
   */
  | {
      readonly see: "frame";
      readonly type: FrameName;
      readonly stream?: StreamRef;
      readonly where?: Readonly<Record<string, string | number | boolean>>;
      readonly count?: number;
    }
  /** DATA of at least this many octets, padding included, on one stream or on all. */
  | { readonly see: "content"; readonly stream?: StreamRef; readonly octets: number }
  /** The content on the stream contains this text. */
  | { readonly see: "text"; readonly stream: StreamRef; readonly text: string }
  /** The fence was answered, and the subject rejected nothing: no RST_STREAM, no GOAWAY with an error, no close. */
  | { readonly see: "accepted" }
  /** As `accepted`, and none of these was seen before the answer to the fence. */
  | { readonly see: "accepted without"; readonly not: readonly Sight[] }
  /** Client role: the subject's n-th request (1 by default). */
  | { readonly see: "request"; readonly nth?: number; readonly where?: Readonly<Record<string, string>> }
  /** Client role: the command exited with status 0, or with another. */
  | { readonly see: "exit"; readonly ok: boolean }
  /** Everything the subject sent has this property (`driver/monitors.ts`), and the fence was answered. */
  | { readonly see: "holds"; readonly monitor: string }
  /** The outcome of the last `tls` step. */
  | { readonly see: "tls"; readonly outcome: TlsOutcome | readonly TlsOutcome[] }
  /** All of these. */
  | { readonly see: "all"; readonly of: readonly Sight[] };

/** Sights of a subject that refuses. */
export const REFUSALS = ["GOAWAY", "RST_STREAM", "closed"] as const satisfies readonly Sight["see"][];

export type Outcome = AnyOutcome<Sight>;
/**
 * An HTTP/2 case. After the last step the driver sends a fence: "request" (the default) is a good request on a new stream, which also
 * proves that a stream error left the connection usable; "ping" is a PING; `stream` waits for that stream to end; "exit" waits for the
 * client to exit; "none" waits for an allowed outcome until the time limit. An answered fence without an allowed outcome is an immediate fail.
 */
export type Case = AnyCase<Step, Sight> & { readonly fence?: "request" | "ping" | "exit" | "none" | { readonly stream: StreamRef } };

/**
 * What one case of a table states by itself: its id, its title, and whatever differs from the rest of the table. The helper that builds the
 * case adds the rest; what the row states wins.
 */
export type Row<Required extends keyof Case = never> = Partial<Case> & Pick<Case, "id" | "title" | Required>;
