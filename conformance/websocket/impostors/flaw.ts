import type { ReadRequest } from "../../wire/http1/read.ts";
import type { FrameSpec } from "../../wire/websocket/build.ts";
import type { Http2ClientFlaw } from "./http2-client.ts";
import type { FrameFlaw } from "./peer.ts";
import type { StreamFlaw } from "./tunnels.ts";

/** The request of a handshake before it is written. */
export type RequestDraft = { method: string; target: string; version: string; readonly fields: [string, string][]; content: string };

/** The mistakes of a WebSocket client. Without one it accepts everything as what it looks like, any response included. */
export type WebSocketClientFlaw = FrameFlaw & {
  /** `mute` sends nothing, `slams` ends the connection on any response, `leaves` ends it at once. */
  readonly mute?: true;
  readonly slams?: true;
  readonly leaves?: true;
  /** Changes the handshake; `nth` counts those of this process. */
  readonly asks?: (draft: RequestDraft, url: URL, nth: number) => void;
  /** Sends this right after its handshake. */
  readonly early?: FrameSpec;
  /** True for a response on which it gives up. `rest`: the octets after it. */
  readonly refuses?: (head: string, rest: string) => boolean;
  /** Sends a Close frame after a response that it rejects, and keeps the connection. */
  readonly saysClose?: true;
  readonly clings?: true;
  /** Discards the octets in the same read as the response. */
  readonly forgets?: true;
  /** The key of the n-th frame. */
  readonly key?: (nth: number) => Uint8Array;
  /** What it does if the server does not end the connection at once. */
  readonly whenLeft?: FrameSpec | "stay";
  /** Flaws of the HTTP/2 stream that carries it. */
  readonly http2?: Http2ClientFlaw;
};

/** The extension that it offers, if any. */
export const OFFER = "permessage-deflate; client_max_window_bits";

/** The response to a handshake before it is written. */
export type HandshakeDraft = { status: number; fields: [string, string][]; content: string };

/** The mistakes of a WebSocket server. Without one it accepts and echoes everything. */
export type WebSocketFlaw = FrameFlaw & {
  /** `mute` answers nothing, `slams` ends every connection at once, `parrots` sends back what follows the handshake: every octet, or every frame without its mask. */
  readonly mute?: true;
  readonly slams?: true;
  readonly parrots?: "octets" | "frames";
  /** How it refuses a handshake; undefined if it accepts it. */
  readonly refuses?: (request: ReadRequest) => number | "close" | "silence" | undefined;
  /** Changes the response to the handshake. */
  readonly answers?: (draft: HandshakeDraft, request: ReadRequest) => void;
  /** After a connection ends without a Close frame, it serves no new ones for a while. */
  readonly dies?: true;
  /** Flaws of the streams that carry it over HTTP/2 and HTTP/3. */
  readonly streams?: StreamFlaw;
};
