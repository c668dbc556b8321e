import type { OnOpen } from "./accept.ts";

/** Sends every message back. While the client does not read its replies, nothing more is read from it. */
export const echo: OnOpen = (socket) => {
  socket.onMessage = (data, kind) => {
    if (!socket.send(data, kind) && socket.state === "open" && !socket.isPaused) {
      socket.pause();
      void socket.drained().then(() => socket.resume());
    }
  };
};
