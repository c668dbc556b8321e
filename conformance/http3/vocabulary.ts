import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";
import type { CodeName, FrameName, FrameSpec, SettingName, StreamKind } from "../wire/http3/frame-spec.ts";

/**
 * What an HTTP/3 case can send and observe, for servers and clients. Cases are plain data; `driver/` performs them.
 * To read a case: `steps` is what the harness does, `control` the same without the mistake, `allowed` the sights that pass.
 */

export type { CodeName, FieldSpec, FrameName, FrameSpec, SettingName, StreamKind } from "../wire/http3/frame-spec.ts";

/**
 * A stream by its name. In the server role `request` is the first that we open for a request, stream 0, and `request 2` the next, stream 4; in the
 * client role they are those of the subject. The others are ours: those of the connection, any number of other unidirectional ones, and a
 * bidirectional one of a server. In sights about frames `control`, `encoder` and `decoder` are those of the subject.
 */
export type StreamRef = "control" | "encoder" | "decoder" | "request" | `request ${number}` | "extra" | `extra ${number}` | "bidirectional";

type Settings = readonly (readonly [SettingName | number, number])[];

/** What the harness does to the subject, in order. The QUIC connection is established before the first step. */
export type Step =
  /** Opens the control stream with SETTINGS (empty by default), the encoder and the decoder stream, then waits for the subject's SETTINGS. */
  | { readonly do: "handshake"; readonly settings?: Settings; readonly without?: readonly ("encoder" | "decoder")[] }
  /** Opens a unidirectional stream with this type, or without any. */
  | { readonly do: "open"; readonly on: StreamRef; readonly kind?: StreamKind | number }
  /** Frames in one write, or in datagrams of `cut` octets each. Opens the stream if it is a new request. `end`: then ends our part of it. */
  | { readonly do: "send"; readonly on: StreamRef; readonly frames: readonly FrameSpec[]; readonly end?: true; readonly cut?: number }
  /** Octets that are not frames. */
  | { readonly do: "octets"; readonly on: StreamRef; readonly hex: string; readonly note: string; readonly end?: true }
  /**
   * The frames on a new request stream each, or on a new unidirectional stream of type `kind` each, `times` times; then each stream ends, is reset,
   * or stays open. The names of the streams count up.
   */
  | {
      readonly do: "repeat";
      readonly times: number;
      readonly frames: readonly FrameSpec[];
      readonly after?: "end" | "reset" | "leave";
      readonly kind?: number;
    }
  /** The same octets or frames `times` times on one stream, which stays open. */
  | {
      readonly do: "repeat on";
      readonly on: StreamRef;
      readonly times: number;
      readonly frames?: readonly FrameSpec[];
      readonly hex?: string;
    }
  /** A frame with a field section of one octet more than the subject's SETTINGS_MAX_FIELD_SECTION_SIZE, or exactly so much. */
  | { readonly do: "large section"; readonly on: StreamRef; readonly fields: FrameSpec["fields"] & object; readonly beyond: number }
  /** The frames on as many new request streams as the subject's SETTINGS_QPACK_BLOCKED_STREAMS permits to wait, and on `beyond` more. */
  | { readonly do: "block streams"; readonly frames: readonly FrameSpec[]; readonly beyond: number }
  /** Sets a capacity on our encoder stream: the subject's SETTINGS_QPACK_MAX_TABLE_CAPACITY, or `beyond` octets more. */
  | { readonly do: "capacity"; readonly beyond: number }
  | { readonly do: "end"; readonly on: StreamRef }
  | { readonly do: "reset" | "stop"; readonly on: StreamRef; readonly code: CodeName | number }
  | { readonly do: "close"; readonly code: CodeName | number }
  /** Waits for this sight; a subject that never shows it fails the case here. */
  | { readonly do: "await"; readonly see: Sight }
  /** Sends a request that a subject must answer if it accepted everything before, and waits for the answer or a rejection. */
  | { readonly do: "fence" }
  /** A bounded wait, only for cases about time. Ends early when the connection closes or `until` is seen. */
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight };

/** One code, or any of several. "any error": every known code but H3_NO_ERROR; unknown ones mean no error (rfc9114#8). */
export type CodeSight = CodeName | readonly CodeName[] | "any error";

type StatusSight = number | "1xx" | "2xx" | "3xx" | "4xx" | "5xx";

/** What may be observed of the subject. */
export type Sight =
  /** The connection was closed with a code of the application. */
  | { readonly see: "close"; readonly code: CodeSight }
  /** The connection ended without such an error. */
  | { readonly see: "closed" }
  /** The subject reset or stopped the stream with the code. */
  | { readonly see: "stream error"; readonly on: StreamRef; readonly code: CodeSight }
  /** It asked for the end of the stream (STOP_SENDING), or reset its own part of it, with any code or these. */
  | { readonly see: "stop" | "reset"; readonly on: StreamRef; readonly code?: CodeName | readonly CodeName[] }
  /**
   * A final response on the stream. `status`: codes or classes ("2xx"). `complete`: it must also end. `sameStatusAs`: its status must equal that
   * of the response on another stream. `fields`: fields that it must have.
   */
  | {
      readonly see: "response";
      readonly on: StreamRef;
      readonly sameStatusAs?: StreamRef;
      readonly status?: readonly StatusSight[];
      readonly complete?: true;
    }
  /** A frame of this type. `where` compares decoded members (`{ id: 0 }`, `{ MAX_FIELD_SECTION_SIZE: 1 }`, a field of its section). */
  | {
      readonly see: "frame";
      readonly on: StreamRef;
      readonly type: FrameName;
      readonly where?: Readonly<Record<string, string | number>>;
    }
  /** Content of at least this many octets on the stream. */
  | { readonly see: "content"; readonly on: StreamRef; readonly octets: number }
  /** The content on the stream contains this text. */
  | { readonly see: "text"; readonly on: StreamRef; readonly text: string }
  /** An instruction on its decoder stream, for the stream with this identifier if it has one. */
  | { readonly see: "decoded"; readonly instruction: "acknowledgment" | "cancellation" | "increment"; readonly value?: number }
  /** The subject ended its part of the stream. */
  | { readonly see: "ended"; readonly on: StreamRef }
  /** The fence was answered, and the subject rejected nothing: no error on a request or a critical stream, no end of the connection. */
  | { readonly see: "accepted" }
  /** As `accepted`, and none of these was seen. */
  | { readonly see: "accepted without"; readonly not: readonly Sight[] }
  /** Client role: the subject's n-th request (1 by default). */
  | { readonly see: "request"; readonly nth?: number; readonly where?: Readonly<Record<string, string>> }
  /** Client role: the command exited with status 0, or with another. */
  | { readonly see: "exit"; readonly ok: boolean }
  /** Everything the subject sent has this property (`driver/monitors.ts`), and the fence was answered. */
  | { readonly see: "holds"; readonly monitor: string }
  /** All of these. */
  | { readonly see: "all"; readonly of: readonly Sight[] };

/** Sights of a subject that refuses. */
export const REFUSALS = ["close", "closed", "stream error", "reset", "stop"] as const satisfies readonly Sight["see"][];

export type Outcome = AnyOutcome<Sight>;
/**
 * An HTTP/3 case. After the last step the driver sends a fence: "request" (the default) is a good request on a new stream, which also proves that a
 * stream error left the connection usable; "exit" waits for the client to exit; "none" waits for an allowed outcome until the time limit.
 */
export type Case = AnyCase<Step, Sight> & {
  readonly fence?: "request" | "exit" | "none";
  /** Server role: our transport gives no credit for content on requests, in the case but not in its control. */
  readonly windows?: "closed";
};

/**
 * What one case of a table states by itself: its id, its title, and whatever differs from the rest of the table. The helper that builds the case
 * adds the rest; what the row states wins.
 */
export type Row<Required extends keyof Case = never> = Partial<Case> & Pick<Case, "id" | "title" | Required>;
