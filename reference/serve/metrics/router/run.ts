import { readDuration } from "../../../metrics/promql/index.ts";
import { announce, onStop, placeOf, refuse, tlsOf, type Listening } from "../../cli/listening.ts";
import { serveRouter } from "./server.ts";

/** The parsed options of `serve alert-router`; durations are still text. */
export type RouterCommandOptions = Listening & {
  readonly "config.file": string;
  readonly "storage.path": string;
  readonly "data.retention": string;
  readonly "alerts.gcInterval": string;
  readonly "web.listenAddress"?: string;
  readonly "web.config.file"?: string;
  readonly "web.externalUrl"?: string;
  readonly "web.routePrefix"?: string;
  readonly "web.cors.origin"?: string;
  readonly "cluster.listenAddress": string;
};

const NAME = "serve alert-router";

/** Starts the alert router; it runs until SIGTERM or SIGINT. */
export async function run(options: RouterCommandOptions): Promise<void> {
  const onNotice = (message: string): void => console.error(`touchstone ${NAME}: ${message}`);
  try {
    if (options["cluster.listenAddress"] !== "")
      throw new Error(
        "--cluster.listen-address is only allowed with an empty value: this router has no cluster. Let clients send to several routers.",
      );
    const server = await serveRouter({
      ...placeOf(options, options["web.listenAddress"]),
      ...tlsOf(options),
      file: options["config.file"],
      directory: options["storage.path"],
      retentionMs: duration("--data.retention", options["data.retention"]),
      forgetMs: duration("--alerts.gc-interval", options["alerts.gcInterval"]),
      ...(options["web.config.file"] !== undefined && { webConfigFile: options["web.config.file"] }),
      ...(options["web.externalUrl"] !== undefined && { externalUrl: options["web.externalUrl"] }),
      ...(options["web.routePrefix"] !== undefined && { routePrefix: options["web.routePrefix"] }),
      ...(options["web.cors.origin"] !== undefined && { corsOrigin: options["web.cors.origin"] }),
      graceMs: 1_000,
      onNotice,
    });
    announce(server, options.json);
    onStop(() => server.close());
    process.on("SIGHUP", () => {
      server.reload().catch((error: unknown) => onNotice((error as Error).message));
    });
  } catch (error) {
    refuse(NAME, (error as Error).message);
  }
}

function duration(name: string, text: string): number {
  const ms = readDuration(text);
  if (typeof ms !== "number" || ms <= 0) throw new Error(`${name} "${text}" is not a duration: write 30m, 2h or 5d`);
  return ms;
}
