import type { ReadRequest } from "../../wire/http1/read.ts";
import type { FrameSpec } from "../../wire/websocket/build.ts";
import type { Http2Flaw } from "./http2.ts";
import type { FrameFlaw } from "./peer.ts";

/** The request of a handshake before it is written. */
export type RequestDraft = { method: string; target: string; version: string; readonly fields: [string, string][]; content: string };

/** The mistakes of a WebSocket client. Without one it accepts everything as what it looks like, any response included. */
export type WebSocketClientFlaw = FrameFlaw & {
  /** Says nothing; ends the connection on any answer; ends it before anything has come. */
  readonly mute?: true;
  readonly slams?: true;
  readonly leaves?: true;
  /** Another handshake; `nth` counts those of this process. */
  readonly asks?: (draft: RequestDraft, url: URL, nth: number) => void;
  /** Sends this right after its handshake. */
  readonly early?: FrameSpec;
  /** Of answers: true for one that it gives up. `rest`: what came with it. */
  readonly refuses?: (head: string, rest: string) => boolean;
  /** Sends a Close frame after a response that it rejects, and keeps the connection. */
  readonly saysClose?: true;
  readonly clings?: true;
  /** Throws away what came in the same read as the answer. */
  readonly forgets?: true;
  /** The key of the n-th frame. */
  readonly key?: (nth: number) => Uint8Array;
  /** Has lost patience when the server does not end the connection at once. */
  readonly whenLeft?: FrameSpec | "stay";
};

/** The extension that it offers, where it offers one. */
export const OFFER = "permessage-deflate; client_max_window_bits";

/** The answer to a handshake before it is written. */
export type HandshakeDraft = { status: number; fields: [string, string][]; content: string };

/** The mistakes of a WebSocket server. Without one it accepts and echoes everything. */
export type WebSocketFlaw = FrameFlaw & {
  /** Answers nothing; ends every connection at once. */
  readonly mute?: true;
  readonly slams?: true;
  /** A handshake that it does not answer with 101. */
  readonly refuses?: (request: ReadRequest) => number | "close" | "silence" | undefined;
  /** Another answer to the handshake. */
  readonly answers?: (draft: HandshakeDraft, request: ReadRequest) => void;
  /** When a connection is lost without a Close frame, those that follow are not served for a while. */
  readonly dies?: true;
  /** What is wrong with the streams of HTTP/2 that carry it. */
  readonly http2?: Http2Flaw;
};
