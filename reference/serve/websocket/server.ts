import { checkFaults } from "../faults/index.ts";
import { checkOptions, optionsIn } from "../options/check.ts";
import { SERVE_OPTIONS } from "../options/known.ts";
import type { Server } from "../server/options.ts";
import { serve } from "../server/serve.ts";
import { ForwardingServer } from "../server/forwarding-server.ts";
import { acceptWebSocket, type OnOpen } from "./accept.ts";
import { WEB_SOCKET_SERVE_OPTIONS, type WebSocketServeOptions } from "./options.ts";

/**
 * Serves WebSockets alone: over HTTP/1.1 and, at the same port, over HTTP/2 (rfc8441); with `h3` in `alpn` over HTTP/3 too (rfc9220). `url`
 * begins with `ws:` or `wss:`.
 */
export async function serveWebSocket(open: OnOpen, options: WebSocketServeOptions = {}): Promise<Server> {
  checkOptions("serveWebSocket", options, WEB_SOCKET_SERVE_OPTIONS);
  const { paths, http2, http3, faults: _, ...ofHttp } = options;
  checkFaults(options.faults ?? [], ["websocket"]);
  const server = await serve(
    (request, exchange) => {
      const [path = ""] = request.path.split("?", 1);
      if (paths !== undefined && !paths.includes(path)) {
        return { status: 404, fields: [["content-type", "text/plain"]], body: `WebSockets are opened at ${paths.join(", ")}\n` };
      }
      return acceptWebSocket(request, exchange, open, options);
    },
    {
      ...optionsIn(ofHttp, SERVE_OPTIONS),
      http2: { ...http2, settings: { enableConnectProtocol: true, ...http2?.settings } },
      http3: { ...http3, settings: { enableConnectProtocol: true, ...http3?.settings } },
    },
  );
  return new WebSocketServer(server);
}

/** The server, with a WebSocket scheme in its URL (rfc6455#3). */
class WebSocketServer extends ForwardingServer {
  override get url(): string {
    return super.url.replace(/^http/, "ws");
  }
}
