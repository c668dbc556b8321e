import type { Member, Peer } from "../../websocket/channel/index.ts";
import { now } from "../../io/index.ts";
import type { OpenWebSocket } from "../websocket/index.ts";

/** Longer reasons are cut (rfc6455#5.5); ours are ASCII. */
const MOST_REASON = 123;

/** A connection as the channel sees it. */
export const peerOf = (socket: OpenWebSocket): Peer => ({
  send: (message) => void socket.send(message),
  close: (code, reason) => socket.close(code, reason.slice(0, MOST_REASON)),
});

/** Passes on what comes, and the end. */
export function listen(socket: OpenWebSocket, member: Member, ended: (code: number) => void, after: () => void = () => {}): void {
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
