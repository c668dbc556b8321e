import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";
import type { FieldSight, StatusSight, Text } from "../http1/vocabulary.ts";
import type { FrameSpec } from "../wire/websocket.ts";

/** The words in which a WebSocket case is written. All of it is data; `conformance/websocket/driver/` performs it. */

export type { FieldSight, StatusSight, Text };
export type { FrameSpec };

/**
 * A handshake (rfc6455#4.1), as it differs from a good one. Text is as in the cases of HTTP/1.1, and `{key}` is a key that no other
 * handshake has had, `{accept}` (in sights) what belongs to it. Client role: the answer (rfc6455#4.2.2), where `{key}` is the client's.
 */
export type Handshake = {
  /** `GET {path} HTTP/1.1` by default, or the line of 101. */
  readonly start?: Text;
  /** Other values for the fields of a good handshake (over HTTP/2: pseudo-fields too) by their names; `none` leaves one out. */
  readonly instead?: Readonly<Record<string, Text | "none">>;
  /** Field lines behind those. */
  readonly more?: readonly Text[];
  /** What stands behind the head. */
  readonly content?: Text;
};

/** A connection of the case, by its number; opened by the first step that speaks of it. */
export type ConnectionRef = number;

/** What the harness does to the subject, in order. Connection 1 unless `on` says otherwise. */
export type Step =
  /**
   * Sends a handshake; goes on when it is answered with 101. Where `await` is "nothing", goes on at once; "answer": with any answer.
   * Client role: answers the handshake of the client, once that has come.
   */
  | ({ readonly do: "open"; readonly await?: "nothing" | "answer"; readonly cut?: number; readonly on?: ConnectionRef } & Handshake)
  /** Sends octets as text (of a handshake that is none). */
  | { readonly do: "text"; readonly text: Text; readonly cut?: number; readonly on?: ConnectionRef }
  /** Frames in one write; `cut`: in writes of so many octets each; "frames": in a write for each frame. */
  | { readonly do: "send"; readonly frames: readonly FrameSpec[]; readonly cut?: number | "frames"; readonly on?: ConnectionRef }
  /** Octets as they are. */
  | { readonly do: "bytes"; readonly hex: string; readonly cut?: number; readonly note: string; readonly on?: ConnectionRef }
  /** The frames `times` over. */
  | { readonly do: "repeat"; readonly frames: readonly FrameSpec[]; readonly times: number; readonly on?: ConnectionRef }
  /** Goes on when this was seen; a subject that never shows it has failed the case here. */
  | { readonly do: "await"; readonly see: Sight }
  | { readonly do: "half-close" | "close" | "reset"; readonly on?: ConnectionRef }
  /** Bounded, and only where time is the subject of the case. Ends early with the connection, or with `until`. */
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight }
  /** From here on the driver leaves the subject's Close frames (or PINGs) unanswered; "end": behind Close frames a client may end the connection itself. */
  | { readonly do: "leave"; readonly what: "close" | "ping" | "end" };

/** What a payload must be. */
export type PayloadSight = {
  readonly text?: string;
  readonly hex?: string;
  readonly fill?: { readonly text: string; readonly count: number };
};

/** What may be observed of the subject, on connection 1 unless `on` says otherwise. */
export type Sight =
  /** The answer to the handshake: by default 101, over HTTP/2 200. */
  | { readonly see: "handshake"; readonly status?: StatusSight; readonly fields?: readonly FieldSight[]; readonly on?: ConnectionRef }
  /** An answer other than 101 (4xx or 5xx by default), and no WebSocket connection. */
  | { readonly see: "refused"; readonly status?: StatusSight; readonly fields?: readonly FieldSight[]; readonly on?: ConnectionRef }
  /** The n-th message that came back (1 by default), and what it is; `compressed`: by permessage-deflate, or not. */
  | ({
      readonly see: "message";
      readonly nth?: number;
      readonly type?: "text" | "binary";
      readonly compressed?: boolean;
      readonly on?: ConnectionRef;
    } & PayloadSight)
  /** At least so many messages came back. */
  | { readonly see: "messages"; readonly count: number }
  /** A PONG with this payload came; the n-th of all, where that is said. */
  | ({ readonly see: "pong"; readonly nth?: number } & PayloadSight)
  /** Exactly so many PONGs came, that to the fence not counted. */
  | { readonly see: "pongs"; readonly count: number }
  /** Everything that was sent whole came back in order, as what it was, and nothing else; and so did the fence. */
  | { readonly see: "echoed" }
  /** The fence was answered: the connection goes on. */
  | { readonly see: "alive" }
  /** A Close frame came, with one of these codes where they are given ("none": without any), `echoes` messages at most before it. */
  | { readonly see: "close frame"; readonly codes?: readonly (number | "none")[]; readonly echoes?: number }
  /** The same, and then the end of the connection. */
  | { readonly see: "closed"; readonly codes?: readonly (number | "none")[]; readonly echoes?: number; readonly reason?: string }
  /** Our Close frame was answered with one, with one of these codes where they are given, and then the connection ended. */
  | { readonly see: "parted"; readonly codes?: readonly (number | "none")[]; readonly echoes?: number }
  /** The end of the connection without a Close frame, `echoes` messages at most before it. */
  | { readonly see: "dropped"; readonly echoes?: number; readonly on?: ConnectionRef }
  /** The end of the connection without an answer to the handshake. */
  | { readonly see: "unanswered"; readonly on?: ConnectionRef }
  /** Client role: it gave our answer up: nothing sent behind its handshake, and the end of the connection; behind 101 of its own accord. */
  | { readonly see: "given up"; readonly on?: ConnectionRef }
  /** The same where behind 101 it ended the connection only when we had. */
  | { readonly see: "let go"; readonly on?: ConnectionRef }
  /** A named property held of everything the subject sent (`driver/monitors.ts`). */
  | { readonly see: "holds"; readonly monitor: string }
  | { readonly see: "not"; readonly of: Sight }
  /** All of these; any of these. */
  | { readonly see: "all"; readonly of: readonly Sight[] }
  | { readonly see: "any"; readonly of: readonly Sight[] };

/** A sight that a case allows; all but the first cite what permits them. */
export type Outcome = AnyOutcome<Sight>;

/**
 * A WebSocket case. After the last step the driver fences by itself: a PING with a payload of its own and, where no message is open, a
 * message, both of which a subject that goes on must answer ("ping", the default); "new": a whole exchange on a new connection; "none":
 * the outcome alone decides, until the time limit. Where we have sent a Close frame, or no handshake has succeeded, there is nothing to
 * ask: the end is waited for, or the answer. An answered fence without an allowed outcome is a fail at once.
 */
export type Case = AnyCase<Step, Sight> & {
  readonly fence?: "ping" | "new" | "none";
  /** Client role: what stands behind the authority in its address, and the sub-protocols that it is to offer (feature `subprotocol`). */
  readonly ask?: Ask;
  /** What carries its WebSockets: connections of HTTP/1.1 by default; streams of one connection of HTTP/2 (rfc8441). */
  readonly over?: "http2";
};

/** What a client is told by its address. */
export type Ask = { readonly path?: Text; readonly protocols?: readonly string[] };
