import type { Case as AnyCase, Outcome as AnyOutcome } from "../harness/case.ts";
import type { FieldSight, StatusSight, Text } from "../http1/vocabulary.ts";
import type { FrameSpec } from "../wire/websocket/build.ts";
import type { Told } from "./telling.ts";

/**
 * What a WebSocket case can send and observe. Cases are plain data; `driver/` performs them. The subject echoes every message, as a server
 * or as a client.
 */

export type { FieldSight, StatusSight, Text };
export type { FrameSpec };

/**
 * A handshake (rfc6455#4.1), as differences from a valid one. Text is as in HTTP/1.1 cases; `{key}` is a fresh key, and `{accept}` (in sights)
 * its accept value. Client role: the handshake response (rfc6455#4.2.2), where `{key}` is the client's.
 */
export type Handshake = {
  /** `GET {path} HTTP/1.1` by default, or the status line of 101. */
  readonly start?: Text;
  /** Other values for the fields of a good handshake (over HTTP/2 and HTTP/3: pseudo-fields too), by name; `none` omits one. */
  readonly instead?: Readonly<Record<string, Text | "none">>;
  /** Field lines after those. */
  readonly more?: readonly Text[];
  /** What follows the head. */
  readonly content?: Text;
};

/** The number of a connection in the case; the first step that uses it opens it. */
export type ConnectionRef = number;

/** How frames are cut into writes. */
export type Cut = number | "frames" | "heads";

/** What the harness does to the subject, in order; on connection 1 unless `on` says otherwise. */
export type Step =
  /**
   * Sends a handshake and waits for 101. Where `await` is "nothing", does not wait; "answer": waits for any response.
   * Client role: awaits the client's handshake and responds to it.
   */
  | ({ readonly do: "open"; readonly await?: "nothing" | "answer"; readonly cut?: number; readonly on?: ConnectionRef } & Handshake)
  /** Sends octets as text (of an invalid handshake). */
  | { readonly do: "text"; readonly text: Text; readonly cut?: number; readonly on?: ConnectionRef }
  /** Frames in one write; `cut`: in writes of this many octets each; "frames": one write per frame; "heads": one write per octet of a head, and one per payload. */
  | { readonly do: "send"; readonly frames: readonly FrameSpec[]; readonly cut?: Cut; readonly on?: ConnectionRef }
  /** Raw octets. */
  | { readonly do: "bytes"; readonly hex: string; readonly cut?: number; readonly note: string; readonly on?: ConnectionRef }
  /** The frames, `times` times. */
  | { readonly do: "repeat"; readonly frames: readonly FrameSpec[]; readonly times: number; readonly on?: ConnectionRef }
  /** Waits for this sight; a subject that never shows it fails the case here. */
  | { readonly do: "await"; readonly see: Sight }
  | { readonly do: "half-close" | "close" | "reset"; readonly on?: ConnectionRef }
  /** A bounded wait, only for cases about time. Ends early when the connection closes or `until` is seen. */
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight }
  /** From here on the driver does not answer the subject's Close frames (or Pings); "end": a client may close the connection itself after Close frames. */
  | { readonly do: "ignore"; readonly what: "close" | "ping" | "end" }
  /** Waits until the subject's program reports what it was told about the end of the connection (`telling.ts`). */
  | { readonly do: "hear"; readonly on?: ConnectionRef };

/** What a payload must be. */
export type PayloadSight = {
  readonly text?: string;
  readonly hex?: string;
  readonly fill?: { readonly text: string; readonly count: number };
};

/** What may be observed of the subject, on connection 1 unless `on` says otherwise. */
export type Sight =
  /** The handshake response: by default 101, over HTTP/2 and HTTP/3 200. */
  | { readonly see: "handshake"; readonly status?: StatusSight; readonly fields?: readonly FieldSight[]; readonly on?: ConnectionRef }
  /** A response other than 101 (4xx or 5xx by default), and no WebSocket connection. */
  | {
      readonly see: "handshake rejected";
      readonly status?: StatusSight;
      readonly fields?: readonly FieldSight[];
      readonly on?: ConnectionRef;
    }
  /** The n-th echoed message (1 by default), and its content; `compressed`: with permessage-deflate, or without. */
  | ({
      readonly see: "message";
      readonly nth?: number;
      readonly type?: "text" | "binary";
      readonly compressed?: boolean;
      readonly on?: ConnectionRef;
    } & PayloadSight)
  /** At least this many messages were echoed. */
  | { readonly see: "messages"; readonly count: number }
  /** A Pong with this payload; `nth`: the n-th of all Pongs. */
  | ({ readonly see: "pong"; readonly nth?: number } & PayloadSight)
  /** Exactly this many Pongs, without the one to the fence. */
  | { readonly see: "pongs"; readonly count: number }
  /** At least this many Pings of the subject. */
  | { readonly see: "pings"; readonly count: number }
  /** All complete messages were echoed in order and with their type, nothing else was, and the fence was answered. */
  | { readonly see: "all echoed" }
  /** The fence was answered: the connection is still open. */
  | { readonly see: "still open" }
  /** A Close frame, with one of these codes if given ("none": without a code), after at most `echoes` messages. */
  | { readonly see: "Close frame"; readonly codes?: readonly (number | "none")[]; readonly echoes?: number }
  /** A Close frame, and then the end of the connection. */
  | { readonly see: "Close and end"; readonly codes?: readonly (number | "none")[]; readonly echoes?: number; readonly reason?: string }
  /** The subject answered our Close frame with one, with one of these codes if given, and then the connection ended (rfc6455#7.1.2). */
  | { readonly see: "closing handshake"; readonly codes?: readonly (number | "none")[]; readonly echoes?: number }
  /** The connection ended without a Close frame (rfc6455#7.1.5), after at most `echoes` messages. */
  | { readonly see: "abnormal closure"; readonly echoes?: number; readonly on?: ConnectionRef }
  /** The connection ended without a response to the handshake. */
  | { readonly see: "no response"; readonly on?: ConnectionRef }
  /** Client role: it failed the connection for our response: it sent nothing after its handshake, and closed; after 101 on its own. */
  | { readonly see: "handshake failed"; readonly on?: ConnectionRef }
  /** The same, except that after 101 it closed only when we had. */
  | { readonly see: "handshake failed late"; readonly on?: ConnectionRef }
  /** The program reported this of the end of the connection, as the step `hear` got it. */
  | ({ readonly see: "told"; readonly on?: ConnectionRef } & Partial<Told>)
  /** A named property held for everything the subject sent (`driver/monitors.ts`). */
  | { readonly see: "holds"; readonly monitor: string }
  | { readonly see: "not"; readonly of: Sight }
  | { readonly see: "all"; readonly of: readonly Sight[] }
  | { readonly see: "any"; readonly of: readonly Sight[] };

/** Sights of a subject that refuses. */
export const REFUSALS = [
  "abnormal closure",
  "Close and end",
  "handshake failed",
  "handshake failed late",
  "handshake rejected",
  "no response",
] as const satisfies readonly Sight["see"][];

/** A sight that a case allows; all but the first cite what permits them. */
export type Outcome = AnyOutcome<Sight>;
/** The outcomes a case allows, the strict one first. */
export type Allowed = readonly [Outcome, ...Outcome[]];

/**
 * A WebSocket case. After the last step the driver fences:
 * - "ping" (default): a PING with a unique payload and, unless a message is unfinished, a message. A subject that continues answers both.
 * - "new": a whole exchange on a new connection.
 * - "none": the outcome alone decides, until the time limit.
 * After a Close frame of ours, or without a successful handshake, the driver awaits the end or the response instead. An answered fence
 * without an allowed outcome fails at once.
 */
export type Case = AnyCase<Step, Sight> & {
  readonly fence?: "ping" | "new" | "none";
  /** Client role: the path of its address, and the subprotocols that it must offer (feature `subprotocol`). */
  readonly ask?: Ask;
  /**
   * What carries the WebSockets: by default connections of HTTP/1.1 and, in a case of its own, streams of one HTTP/2 connection (rfc8441);
   * where the carrier matters, also those of one HTTP/3 connection (rfc9220). "http1": only the first, where the carrier makes no difference
   * and the content is large.
   */
  readonly over?: "http1" | "http2" | "http3";
};

/** What the URL tells the client; `announces`: false for HTTP/2 without SETTINGS_ENABLE_CONNECT_PROTOCOL. */
export type Ask = { readonly path?: Text; readonly protocols?: readonly string[]; readonly announces?: boolean };
