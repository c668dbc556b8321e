import type { OnOpen } from "./accept.ts";

/** Gives every message back as it came. Nothing more is read while the client does not take what it has asked for. */
export const echo: OnOpen = (socket) => {
  socket.onMessage = (data, kind) => {
    if (!socket.send(data, kind) && socket.isOpen && !socket.isPaused) {
      socket.pause();
      void socket.room().then(() => socket.resume());
    }
  };
};
