import type { OpenWebSocket } from "../../../reference/serve/websocket/index.ts";

/** Sends back every message; reads no further while a slow peer has not received what waits for it. */
export function echoEvery(socket: OpenWebSocket): void {
  socket.onMessage = (data, kind) => {
    if (socket.send(data, kind)) return;
    socket.pause();
    void socket.drained().then(() => socket.resume());
  };
}
