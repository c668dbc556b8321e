import type { Peer, Receiver } from "../../websocket/channel/index.ts";
import { now } from "../../io/index.ts";
import type { OpenWebSocket } from "../websocket/index.ts";

/** The longest close reason (rfc6455#5.5); the reasons of the channel are ASCII. */
const MOST_REASON = 123;

/** Adapts a WebSocket to the channel. */
export const peerOf = (socket: OpenWebSocket): Peer => ({
  send: (message) => void socket.send(message),
  close: (code, reason) => socket.close(code, reason.slice(0, MOST_REASON)),
});

/** `ended` gets the close code; `after` runs after each message and after the end. */
type Listener = { readonly ended: (code: number) => void; readonly after?: () => void };

/** Passes the messages and the end of a WebSocket to a member of a session. */
export function listen(socket: OpenWebSocket, member: Receiver, { ended, after = () => {} }: Listener): void {
  socket.onMessage = (data) => {
    if (typeof data === "string") member.text(data, now());
    else member.binary(data, now());
    after();
  };
  socket.onClose = ({ code }) => {
    member.closed(now());
    ended(code);
    after();
  };
}
