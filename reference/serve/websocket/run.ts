import { collectOften, stayYoung } from "../cli/collect.ts";
import type { Options } from "./command.ts";
import { echo } from "./echo.ts";
import { announce, onStop, refuse, tlsOf } from "../cli/listening.ts";
import { serveWebSocket } from "./server.ts";

/** Runs the echo endpoint until it is told to stop. */
export async function run(options: Options): Promise<void> {
  try {
    collectOften();
    stayYoung();
    const { port, host, json, deflate, deflateThreshold: threshold, protocol, allowOrigin, maxMessage, maxConnections } = options;
    const server = await serveWebSocket(echo, {
      port,
      host,
      paths: ["/", "/echo"],
      text: "octets",
      ...tlsOf(options),
      ...(deflate === true && { deflate: { threshold } }),
      ...(protocol.length > 0 && { protocols: protocol }),
      ...(allowOrigin.length > 0 && { origins: allowOrigin }),
      ...(maxMessage !== undefined && { limits: { messageOctets: maxMessage } }),
      ...(maxConnections !== undefined && { maxConnections }),
      graceMs: 1_000,
    });
    announce(server, json);
    onStop(() => server.close());
  } catch (error) {
    refuse("serve websocket", (error as Error).message);
  }
}
