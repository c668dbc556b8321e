import { collectOften, stayYoung } from "../cli/collect.ts";
import { announce, onStop, refuse, type Listening } from "../cli/listening.ts";
import { joined, serveCommandInWorkers, tlsIn, type Workers } from "../cli/workers.ts";
import { faultsForPrograms, listFaults } from "../faults/index.ts";
import { ALPN, HTTP3 } from "../versions.ts";
import { echo } from "./echo.ts";
import { serveWebSocket } from "./server.ts";

/** The parsed command line of `serve websocket`; sizes are in octets. */
export type EchoOptions = Listening &
  Workers & {
    readonly maxConnections?: number;
    readonly deflate?: true;
    readonly deflateThreshold: number;
    readonly subprotocol: readonly string[];
    readonly allowOrigin: readonly string[];
    readonly maxMessage?: number;
    readonly fault: readonly string[];
    readonly listFaults?: true;
  };

/** Runs the echo endpoint until a signal stops it. */
export async function run(options: EchoOptions): Promise<void> {
  try {
    if (options.listFaults === true) {
      console.log(options.json === true ? JSON.stringify(faultsForPrograms(["websocket"])) : listFaults(["websocket"]).join("\n"));
      return undefined;
    }
    const { workers } = options;
    const member = await joined();
    if (workers !== undefined && member === undefined) return await serveCommandInWorkers({ ...options, workers });
    collectOften();
    stayYoung();
    const { host, json, deflate, deflateThreshold: threshold, subprotocol, allowOrigin, maxMessage, maxConnections } = options;
    const isSecured = (options.tls ?? options.cert ?? options.clientCa) !== undefined;
    const server = await serveWebSocket(echo, {
      port: member?.settings.port ?? options.port,
      host,
      paths: ["/", "/echo"],
      text: "octets",
      ...tlsIn(member, options),
      ...(isSecured && workers === undefined && { alpn: [HTTP3.alpn, ...ALPN] }),
      ...(deflate === true && { deflate: { threshold } }),
      ...(subprotocol.length > 0 && { subprotocols: subprotocol }),
      ...(allowOrigin.length > 0 && { origins: allowOrigin }),
      ...(maxMessage !== undefined && { limits: { messageOctets: maxMessage } }),
      ...(maxConnections !== undefined && { maxConnections }),
      faults: options.fault,
      graceMs: 1_000,
    });
    if (member !== undefined) return member.serving(server);
    announce(server, json);
    onStop(() => server.close());
  } catch (error) {
    refuse("serve websocket", (error as Error).message);
  }
}
