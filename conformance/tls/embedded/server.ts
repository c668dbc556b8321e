import { serve } from "../../../reference/serve/index.ts";
import { webSocket, type OnOpen } from "../../../reference/serve/websocket/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import type { Wallet } from "../certificates.ts";

/** Our server, which requires client certificates of the authority. */
export async function startServer(clients: Wallet): Promise<StartedSubject<ServerSubject>> {
  const certificate = await clients.other().get("good");
  const echo: OnOpen = (socket) => {
    socket.onMessage = (data, kind) => void socket.send(data, kind);
  };
  const server = await serve(
    (request, exchange) =>
      request.fields.get("upgrade") === "websocket" ? webSocket(request, exchange, echo) : { status: 200, body: "touchstone\n" },
    { graceMs: 100, onError: () => {}, tls: { ...certificate, ca: (await clients.authority).cert } },
  );
  return { subject: { url: server.url }, stop: () => server.close() };
}
