import type { Limits as Http2Limits } from "../../http2/index.ts";
import type { Protocol } from "../versions.ts";
import { serve, type ServeOptions, type Server } from "../server/serve.ts";
import { StandingBefore } from "../server/standing-before.ts";
import { webSocket, type OnOpen, type WebSocketOptions } from "./accept.ts";

/** How WebSockets are taken, and how the server of HTTP that carries them is set up; `protocols` and `limits` are those of WebSocket. */
export type WebSocketServeOptions = WebSocketOptions &
  Omit<ServeOptions, "protocols" | "limits" | "onError" | "faults" | "faultByRequest"> & {
    /** Versions of HTTP, the best first: both by default. Sub-protocols are `protocols`. */
    readonly versions?: readonly Protocol[];
    /** Limits of HTTP/2; those of WebSocket are `limits`. */
    readonly http2?: Partial<Http2Limits>;
    /** Where WebSockets are opened, without their query; everywhere by default. */
    readonly paths?: readonly string[];
  };

/** A server of WebSockets alone: over HTTP/1.1 and, at the same port, over HTTP/2 (rfc8441). `url` begins with `ws:` or `wss:`. */
export async function serveWebSocket(open: OnOpen, options: WebSocketServeOptions = {}): Promise<Server> {
  const { paths, limits: _limits, protocols: _protocols, versions, http2, settings, ...rest } = options;
  const server = await serve(
    (request, exchange) => {
      const [path = ""] = request.path.split("?", 1);
      if (paths !== undefined && !paths.includes(path)) {
        return { status: 404, fields: [["content-type", "text/plain"]], body: `WebSockets are opened at ${paths.join(", ")}\n` };
      }
      return webSocket(request, exchange, open, options);
    },
    {
      ...rest,
      ...(versions !== undefined && { protocols: versions }),
      ...(http2 !== undefined && { limits: http2 }),
      settings: { enableConnectProtocol: true, ...settings },
    },
  );
  return new WebSocketServer(server);
}

/** The server with the scheme of WebSocket in its address (rfc6455#3). */
class WebSocketServer extends StandingBefore {
  override get url(): string {
    return super.url.replace(/^http/, "ws");
  }
}
