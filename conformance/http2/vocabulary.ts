import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";

/** The words in which an HTTP/2 case is written. All of it is data; `conformance/http2/driver/` performs it. */

export type FrameName =
  | "DATA"
  | "HEADERS"
  | "PRIORITY"
  | "RST_STREAM"
  | "SETTINGS"
  | "PUSH_PROMISE"
  | "PING"
  | "GOAWAY"
  | "WINDOW_UPDATE"
  | "CONTINUATION"
  | "ALTSVC"
  | "ORIGIN"
  | "PRIORITY_UPDATE";
export type FlagName = "END_STREAM" | "END_HEADERS" | "PADDED" | "PRIORITY" | "ACK";
export type ErrorName =
  | "NO_ERROR"
  | "PROTOCOL_ERROR"
  | "INTERNAL_ERROR"
  | "FLOW_CONTROL_ERROR"
  | "SETTINGS_TIMEOUT"
  | "STREAM_CLOSED"
  | "FRAME_SIZE_ERROR"
  | "REFUSED_STREAM"
  | "CANCEL"
  | "COMPRESSION_ERROR"
  | "CONNECT_ERROR"
  | "ENHANCE_YOUR_CALM"
  | "INADEQUATE_SECURITY"
  | "HTTP_1_1_REQUIRED";
export type SettingName =
  | "HEADER_TABLE_SIZE"
  | "ENABLE_PUSH"
  | "MAX_CONCURRENT_STREAMS"
  | "INITIAL_WINDOW_SIZE"
  | "MAX_FRAME_SIZE"
  | "MAX_HEADER_LIST_SIZE"
  | "ENABLE_CONNECT_PROTOCOL"
  | "NO_RFC7540_PRIORITIES";

/** A number, or a stream known only when the case runs: the n-th request that the subject (a client) has sent. */
export type StreamRef = number | "request" | "request 2" | "request 3";

/**
 * A field as sent. In values (and `bytes` text) the driver replaces `{authority}`, `{scheme}` and `{path}` by the subject's own.
 * Characters up to U+00FF stand for octets, so that any octet can be written.
 */
export type FieldSpec = readonly [name: string, value: string, form?: FieldForm];
/** How a literal field is represented; by default without indexing, so that no table changes (rfc7541#6.2). */
export type FieldForm = "indexing" | "never indexed";
/** A table size as signalled: in octets, or the subject's announced limit, or one octet beyond it (rfc7541#6.3). */
export type TableSize = number | "limit" | "beyond limit";

/** One frame, legal or not. What is not given gets the correct value. */
export type FrameSpec = {
  readonly type: FrameName | number;
  readonly stream?: StreamRef;
  /** Names, or the octet as it stands. */
  readonly flags?: readonly FlagName[] | number;
  /** The Length field as sent, where it lies. */
  readonly length?: number;
  /** Sets the reserved bit of the stream identifier. */
  readonly reservedBit?: true;

  // The payload, one of these (or several, in this order: pad, priority, promised, block …). None: empty.
  /** Raw octets in place of everything below. */
  readonly hex?: string;
  /** Pad Length and that many zero octets; sets PADDED. `padLength` alone may lie about it. */
  readonly pad?: number;
  readonly padLength?: number;
  /** Stream dependency and weight (1 to 256); sets the PRIORITY flag on HEADERS. */
  readonly priority?: { readonly on: StreamRef; readonly weight: number; readonly exclusive?: true };
  readonly promised?: StreamRef;
  /** Dynamic table size updates at the beginning of the block. */
  readonly tableSize?: readonly TableSize[];
  /** A field section, encoded as literals without Huffman; without indexing too, so that no state is touched, unless the field says otherwise. */
  readonly fields?: readonly FieldSpec[];
  /** Octets of the block before `fields`, and after. */
  readonly blockHead?: string;
  readonly blockTail?: string;
  /** A field block in octets, in place of `fields`. */
  readonly block?: string;
  /** DATA: UTF-8 text, or a number of zero octets. */
  readonly data?: string | number;
  /** Zero octets behind the rest, up to the payload that the subject allows (MAX_FRAME_SIZE), or beyond it: by an octet, of SETTINGS by a setting. */
  readonly fill?: "limit" | "beyond limit";
  readonly settings?: readonly (readonly [SettingName | number, number])[];
  readonly increment?: number;
  readonly code?: ErrorName | number;
  readonly last?: number;
  /** GOAWAY debug data or PRIORITY_UPDATE field value. */
  readonly text?: string;
};

/** What the harness does to the subject, in order. */
export type Step =
  /** Preface and SETTINGS (ours, empty by default), the subject's SETTINGS awaited and acknowledged, its acknowledgement awaited. */
  | { readonly do: "handshake"; readonly settings?: readonly (readonly [SettingName | number, number])[] }
  /** The same up to our SETTINGS, waiting for nothing and acknowledging nothing by itself: for cases about the preface and SETTINGS. */
  | {
      readonly do: "preface";
      readonly magic?: string;
      readonly settings?: readonly (readonly [SettingName | number, number])[] | "none";
      /** In writes of so many octets. */
      readonly cut?: number;
    }
  /** Frames in one write, or in writes of `cut` octets each. */
  | { readonly do: "send"; readonly frames: readonly FrameSpec[]; readonly cut?: number }
  | { readonly do: "bytes"; readonly hex: string; readonly note: string }
  /**
   * The frames `times` over; a numeric stream (of PRIORITY_UPDATE: the stream it names) grows by `stride` each round (0 by default).
   * Bounded by the lint to 10,000.
   */
  | { readonly do: "repeat"; readonly times: number; readonly stride?: number; readonly frames: readonly FrameSpec[] }
  /** Goes on when this was seen; a subject that never shows it has failed the case here. */
  | { readonly do: "await"; readonly see: Sight }
  /** DATA that uses the subject's receive window up to its last octet, and `beyond` octets more. Scope: the stream's window, or the connection's. */
  | {
      readonly do: "fill window";
      readonly of: "stream" | "connection";
      readonly stream: StreamRef;
      readonly beyond: number;
      readonly end?: true;
      /** In frames of one octet of content and 255 of padding. */
      readonly padded?: true;
    }
  /**
   * A GET on each of as many streams as the subject allows at once (MAX_CONCURRENT_STREAMS), and on `beyond` more; the last of them is
   * stream `last`. They stay open where the windows for their responses are shut.
   */
  | { readonly do: "fill streams"; readonly last: number; readonly beyond: number }
  /** From here on the harness replenishes no window (`hold`), or does again (`release`). Default: it replenishes what the subject sends. */
  | { readonly do: "hold windows" | "release windows" }
  /** Sends something that a subject which had accepted all before must answer, and waits for the answer or a refusal. */
  | { readonly do: "fence"; readonly by: "ping" | "request" }
  | { readonly do: "half-close" | "close" }
  /** Bounded, and only where time is the subject of the case. Ends early with the connection, or with `until`. */
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight }
  /** A TLS connection beside that of the case, with this offer: a handshake and, where h2 was chosen, a request (rfc9113#9.2). */
  | { readonly do: "tls"; readonly offer: TlsOffer };

/** What a TLS client hello offers; what is not given is the default of the library. */
export type TlsOffer = {
  readonly version?: "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
  /** OpenSSL names of TLS 1.2 suites, joined by colons. */
  readonly ciphers?: string;
  readonly curve?: string;
  /** Names of protocols; h2 and http/1.1 by default. */
  readonly alpn?: readonly string[];
  /** Ask for a renegotiation once the request was answered. */
  readonly renegotiate?: true;
};
/**
 * `refused`: no handshake. `other protocol`: not h2. `h2c`: that was chosen, which is none for TLS. `answered`: the request was. `ended`: the connection was, after the handshake,
 * without an error named. `renegotiated`: a renegotiation was done, and the connection went on as if nothing had been. `silent`: none of it.
 */
export type TlsOutcome = "refused" | "other protocol" | "h2c" | "answered" | "ended" | "renegotiated" | "silent" | ErrorName;

/** One code, or any of several; "any error" is every one but NO_ERROR, those that nobody has defined included (rfc9113#7). */
export type CodeSight = ErrorName | readonly ErrorName[] | "any error";

/** What may be observed of the subject. */
export type Sight =
  | { readonly see: "GOAWAY"; readonly code: CodeSight }
  | { readonly see: "RST_STREAM"; readonly stream: StreamRef; readonly code: CodeSight }
  /** The connection ended without a GOAWAY that names an error. */
  | { readonly see: "closed" }
  /** It answered in HTTP/1.1: a port for both, which tells them apart by the preface (rfc9113#3.3). */
  | { readonly see: "http1" }
  /**
   * A final response on the stream; `status` as codes or classes ("2xx"); `complete`: it must also end; `sameStatusAs`: its status must equal
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
   * A frame of this type; `where` compares decoded members (`{ ack: true, hex: "01…" }`, `{ "last at least": 1 }`), `count` asks for at
   * least so many.
   */
  | {
      readonly see: "frame";
      readonly type: FrameName;
      readonly stream?: StreamRef;
      readonly where?: Readonly<Record<string, string | number | boolean>>;
      readonly count?: number;
    }
  /** The fence was answered, and nothing the subject sent refused anything: no RST_STREAM, no GOAWAY with an error, no close. */
  | { readonly see: "accepted" }
  /** As `accepted`, and these were not seen before the fence was answered. */
  | { readonly see: "accepted without"; readonly not: readonly Sight[] }
  /** Client role: a request of the subject, the n-th (1 by default). */
  | { readonly see: "request"; readonly nth?: number; readonly where?: Readonly<Record<string, string>> }
  /** Client role: the command ended, with status 0 or another. */
  | { readonly see: "exit"; readonly ok: boolean }
  /** A named property held of everything the subject sent (`driver/monitors.ts`), and the fence was answered. */
  | { readonly see: "holds"; readonly monitor: string }
  /** How the last `tls` step came out. */
  | { readonly see: "tls"; readonly outcome: TlsOutcome | readonly TlsOutcome[] }
  /** All of these. */
  | { readonly see: "all"; readonly of: readonly Sight[] };

export type Outcome = AnyOutcome<Sight>;
/**
 * An HTTP/2 case. After the last step the driver fences by itself: `fence` says how ("request" by default: a good request on a new
 * stream, so that a stream error proves the connection still usable; "ping"; "stream": the conclusion of that stream; "exit": the
 * client's end; "none": the outcome alone decides, until the time limit). An answered fence without an allowed outcome is a fail at once.
 */
export type Case = AnyCase<Step, Sight> & { readonly fence?: "request" | "ping" | "exit" | "none" | { readonly stream: StreamRef } };
