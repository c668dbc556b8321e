import { optionsIn } from "../options/check.ts";
import { SERVE_OPTIONS } from "../options/known.ts";
import { serve } from "../server/serve.ts";
import type { ServeOptions, Server } from "../server/options.ts";
import { StandingBefore } from "../server/standing-before.ts";
import { webSocket, type OnOpen, type WebSocketOptions } from "./accept.ts";

/** How to accept WebSockets, and how to set up the HTTP server that carries them; `limits` are those of WebSocket. */
export type WebSocketServeOptions = WebSocketOptions &
  Omit<ServeOptions, "onError"> & {
    /** The paths that open WebSockets, without their query; all by default. */
    readonly paths?: readonly string[];
  };

/** A server of WebSockets alone: over HTTP/1.1 and, at the same port, over HTTP/2 (rfc8441). `url` begins with `ws:` or `wss:`. */
export async function serveWebSocket(open: OnOpen, options: WebSocketServeOptions = {}): Promise<Server> {
  const { paths, http2 } = options;
  const server = await serve(
    (request, exchange) => {
      const [path = ""] = request.path.split("?", 1);
      if (paths !== undefined && !paths.includes(path)) {
        return { status: 404, fields: [["content-type", "text/plain"]], body: `WebSockets are opened at ${paths.join(", ")}\n` };
      }
      return webSocket(request, exchange, open, options);
    },
    { ...optionsIn(options, SERVE_OPTIONS), http2: { ...http2, settings: { enableConnectProtocol: true, ...http2?.settings } } },
  );
  return new WebSocketServer(server);
}

/** The server with the scheme of WebSocket in its address (rfc6455#3). */
class WebSocketServer extends StandingBefore {
  override get url(): string {
    return super.url.replace(/^http/, "ws");
  }
}
