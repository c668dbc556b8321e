import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { serveWebSocket } from "../../reference/serve/websocket/index.ts";
import { tellMemory } from "../lib/tell-memory.ts";

/** Starts an echo endpoint by name, to measure its memory. Returns the port. */
async function listen(name: string): Promise<number> {
  if (name === "touchstone") {
    const server = await serveWebSocket(
      (socket) => {
        socket.onMessage = (data, kind) => void socket.send(data, kind);
      },
      { maxConnections: 20_000 },
    );
    return server.port;
  }
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    // The client resets all connections after the measurement.
    socket.on("error", () => {});
    socket.on("message", (content, binary) => socket.send(content, { binary }));
  });
  await new Promise<void>((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

tellMemory(await listen(process.argv[2] ?? ""));
