import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";
import type { ErrorName, FrameName, FrameSpec, SettingName, StreamRef } from "../wire/http2-frame-spec.ts";

/** The words in which an HTTP/2 case is written. All of it is data; `conformance/http2/driver/` performs it. */

export type {
  ErrorName,
  FieldForm,
  FieldSpec,
  FlagName,
  FrameName,
  FrameSpec,
  SettingName,
  StreamRef,
  TableSize,
} from "../wire/http2-frame-spec.ts";

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

/**
 * What one case of a table states by itself: its id, its title, and whatever differs from the rest of the table. The helper that builds the
 * case adds the rest; what the row states wins.
 */
export type Row<Required extends keyof Case = never> = Partial<Case> & Pick<Case, "id" | "title" | Required>;
