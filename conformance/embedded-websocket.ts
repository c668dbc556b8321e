import { serve } from "../reference/serve/index.ts";
import { webSocket, type WebSocketOptions } from "../reference/serve/websocket/index.ts";
import type { CheckOptions } from "./check.ts";
import type { Result } from "./harness/result.ts";

type Part = Pick<CheckOptions, "suite" | "subject" | "name" | "only">;
type Perform = (title: string, part: Part) => Promise<Result>;

/** What a case can ask for: compression within a window of its own, and sub-protocols to choose from. */
const OPTIONS: WebSocketOptions = { deflate: { clientBits: 12 }, protocols: ["chat", "echo", "superchat"], onError: () => {} };

/** Our WebSocket server, which gives every message back, judged like anybody's. */
export async function ofWebSocketServer(only: readonly string[], perform: Perform): Promise<Result> {
  await using server = await serve(
    (request, exchange) =>
      webSocket(
        request,
        exchange,
        (socket) => {
          socket.onMessage = (data, kind) => void socket.send(data, kind);
        },
        OPTIONS,
      ),
    { onError: () => {}, graceMs: 100 },
  );
  return await perform("websocket server", {
    suite: "websocket",
    subject: server.url.replace(/^http/, "ws"),
    name: "touchstone's own WebSocket server",
    only,
  });
}
