import { proxy, type ProxyOptions, serve } from "../../../reference/serve/index.ts";
import type { StartProxy } from "../../harness/subject/subject.ts";

const OPTIONS = {
  // The cases break off requests on either side: that is not worth a line.
  onError: () => {},
  graceMs: 100,
  // A client that ends its half still wants its response (rfc9112#9.6, a SHOULD).
  http1: { halfClose: "ignore" },
  // WebSockets of HTTP/2 clients pass to the origin, too (rfc8441#3).
  http2: { settings: { enableConnectProtocol: true } },
} as const;

/** Our own reverse proxy, in clear text: HTTP/1.1 and HTTP/2 at one address, HTTP/1.1 to the origin. */
const passing =
  (options: ProxyOptions = {}): StartProxy =>
  async (origin) => {
    // A case waits longer than this for an origin that stays silent, and no other case is silent for so long.
    const toOrigin = proxy(`http://${origin}/`, { timeoutMs: 1_000, ...options });
    const front = await serve(toOrigin.handler, OPTIONS);
    const stop = async (): Promise<void> => {
      await front.close();
      await toOrigin.close();
    };
    return { url: front.url, stop };
  };

export const startProxy = passing();
/** The same with one WebSocket at a time. */
export const startNarrowProxy = passing({ maxTunnels: 1 });
