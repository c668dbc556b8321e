import type { AnyDialectName } from "../../rpc/index.ts";
import { collectOften } from "../cli/collect.ts";
import { announce, onStop, refuse, tlsOf, type Listening } from "../cli/listening.ts";
import { faultsForPrograms, listFaults } from "../faults/index.ts";
import { Channelz } from "./channelz/channelz.ts";
import { echo, ECHO } from "./echo.ts";
import { HealthOfServices } from "./health.ts";
import { interop, INTEROP } from "./interop.ts";
import { LoadReports } from "./load-reports.ts";
import { reflection } from "./reflection/reflection.ts";
import { serveRpc } from "./server.ts";
import { isWeb } from "./web/by-content-type.ts";

/** The parsed command line of `serve rpc`; sizes are in octets. */
export type RpcCommandOptions = Listening & {
  readonly dialect: readonly AnyDialectName[];
  readonly encoding?: string;
  readonly maxMessage?: number;
  readonly maxStreams?: number;
  readonly maxConnections?: number;
  readonly channelz?: true;
  readonly http3?: true;
  readonly fault: readonly string[];
  readonly listFaults?: true;
};

/** The interop tests wait for reports that change: as often as the servers of others send them there. */
const LOAD_EVERY_MS = 1_000;

/** Runs the services until a signal stops them. */
export async function run(options: RpcCommandOptions): Promise<void> {
  try {
    if (options.listFaults === true) {
      console.log(options.json === true ? JSON.stringify(faultsForPrograms(["http2"])) : listFaults(["http2"]).join("\n"));
      return;
    }
    collectOften();
    const { port, host, json, dialect, encoding, maxMessage, maxStreams, maxConnections } = options;
    const health = new HealthOfServices();
    for (const { name } of [ECHO, INTEROP]) health.set(name, "SERVING");
    if (options.http3 === true && options.tls !== true) throw new Error("--http3 needs --tls: HTTP/3 has no clear text.");
    const channelz = options.channelz === true ? new Channelz() : undefined;
    const loads = new LoadReports({ leastIntervalMs: LOAD_EVERY_MS });
    const services = [echo(), interop(loads), loads.service(), health.service(), ...(channelz === undefined ? [] : [channelz.service()])];
    const server = await serveRpc([...services, ...reflection(services)], {
      port,
      host,
      dialect,
      ...(channelz !== undefined && { channelz }),
      ...tlsOf(options),
      ...(options.http3 === true && { alpn: ["h3", "h2", ...(dialect.some(isWeb) ? (["http/1.1"] as const) : [])] }),
      ...(encoding !== undefined && { encoding }),
      ...(maxMessage !== undefined && { maxMessageOctets: maxMessage }),
      ...(maxConnections !== undefined && { maxConnections }),
      http2: { faults: options.fault, ...(maxStreams !== undefined && { settings: { maxConcurrentStreams: maxStreams } }) },
      graceMs: 1_000,
    });
    announce(server, json, { dialect: dialect.join(",") });
    onStop(() => {
      health.shutdown();
      return server.close();
    });
  } catch (error) {
    refuse("serve rpc", (error as Error).message);
  }
}
