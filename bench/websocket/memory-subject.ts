import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { serveWebSocket } from "../../reference/serve/websocket/index.ts";

/** An echo endpoint in a process of its own that says, when asked, how much memory it holds after a collection. Runs with --expose-gc. */
export type MemorySubjectName = "touchstone" | "ws";
export type MemoryAnswer = { readonly port: number; readonly held: number; readonly resident: number };

async function listen(name: MemorySubjectName): Promise<number> {
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
    socket.on("error", () => {});
    socket.on("message", (content, binary) => socket.send(content, { binary }));
  });
  await new Promise<void>((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

const port = await listen(process.argv[2] as MemorySubjectName);
const answer = (): MemoryAnswer => {
  for (let i = 0; i < 4; i++) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { port, held: heapUsed + external, resident: rss };
};
process.on("message", () => process.send?.(answer()));
process.on("disconnect", () => process.exit());
process.send?.(answer());
