import { Option, type Command } from "commander";
import { channelCommand } from "../channel/command.ts";
import { collectOften } from "./collect.ts";
import { checkFaults, faultsForPrograms, listFaults } from "../faults/index.ts";
import { announce, certificateIn, listeningOptions, onStop, pem, refuse, several, type Listening } from "./listening.ts";
import { joined, serveCommandInWorkers, tlsIn, type Workers, workersOptions } from "./workers.ts";
import { wholeNumber } from "../../../options.ts";
import type { HalfClose } from "../http1/options.ts";
import { peer, routeLines } from "./peer.ts";
import { ALPN, HTTP3, VERSIONS, type Alpn } from "../versions.ts";
import type { Proxy } from "../proxy/proxy.ts";
import { serve } from "../server/serve.ts";
import { metricsCommand } from "../metrics/command.ts";
import { routerCommand } from "../metrics/router/command.ts";
import { rpcCommand } from "../rpc/command.ts";
import { websocketCommand } from "../websocket/command.ts";

type Options = Listening &
  Workers & {
    readonly fault: readonly string[];
    readonly faultByRequest?: true;
    readonly listFaults?: true;
    readonly maxStreams?: number;
    readonly window?: number;
    readonly maxConnections?: number;
    readonly halfClose?: HalfClose;
    readonly origin?: string;
    readonly originProtocol?: string;
    readonly insecure?: true;
    readonly originCa?: string;
    readonly originCert?: string;
    readonly originKey?: string;
    readonly earlyData?: boolean;
  };

const VERSION_NAMES = VERSIONS.map(({ name }) => name).toSorted();
/** The versions that each peer speaks. */
const PEERS: ReadonlyMap<string, readonly Alpn[]> = new Map<string, readonly Alpn[]>([
  ["http", ALPN],
  ...VERSIONS.toReversed().map(({ name, alpn }): [string, readonly Alpn[]] => [name, [alpn]]),
  [HTTP3.name, [HTTP3.alpn]],
  ["proxy", ALPN],
]);

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

const HELP = `
Paths:
${indented(routeLines())}

Examples:
  touchstone serve http --port 8080                             HTTP/1.1 and HTTP/2 on one port, in clear text
  touchstone serve http1 --tls                                  HTTP/1.1 only
  touchstone serve http --tls --port 8443                       all three versions: HTTP/3 over UDP at the same port
  touchstone serve http --tls --client-ca ca.pem                only clients with a certificate of that authority
  touchstone serve http2 --port 8080                            HTTP/2 only; in clear text with prior knowledge
  touchstone serve http2 --tls --json                           any free port, printed as a line of JSON
  touchstone serve http2 --fault reset:code=CANCEL,after=1      resets every response
  touchstone serve http1 --fault bad-chunk                      breaks the grammar of chunks
  touchstone serve http --fault delay:ms=200                    what both versions can do
  touchstone serve http2 --fault-by-request                     curl -H 'touchstone-fault: delay:ms=200' …
  touchstone serve http2 --list-faults
  touchstone serve http3 --fault goaway:last=before             the same for HTTP/3
  touchstone serve http3 --port 8443                            HTTP/3 over UDP, with a self-signed certificate unless --cert has one
  touchstone serve http --port 8080 --workers 4                 in four processes
  touchstone serve proxy --origin http://127.0.0.1:8080         a reverse proxy for HTTP/1.1 and HTTP/2
`;

/** `touchstone serve`: peers to test clients against, which can misbehave on request. */
export function serveCommand(command: Command): void {
  workersOptions(listeningOptions(command))
    .argument("<protocol>", [...PEERS.keys()].map((name) => `"${name}"`).join(", "))
    .option("--fault <name:args>", "misbehave on every connection; repeatable", several, [])
    .option("--fault-by-request", "take faults from the request field touchstone-fault")
    .option("--list-faults", "list the faults and exit")
    .option("--max-streams <n>", "concurrent requests on one connection", wholeNumber(0, 1_000_000))
    .option("--window <octets>", "octets of content that a request may send before it is read", wholeNumber(0, 0x7fff_ffff))
    .option("--early-data", "HTTP/3: answer safe requests that come in 0-RTT data, which others may have repeated")
    .option("--max-connections <n>", "concurrent connections", wholeNumber(1, 1_000_000))
    .addOption(
      new Option("--half-close <how>", "HTTP/1.1: whether a client that ends its half of a connection has left").choices([
        "abort",
        "ignore",
      ]),
    )
    .option("--origin <url>", "proxy: the server to forward requests to")
    .addOption(
      new Option("--origin-protocol <name>", "proxy: the origin's version; over TLS it is negotiated by default").choices(VERSION_NAMES),
    )
    .option("--insecure", "proxy: accept any certificate of the origin")
    .option("--origin-ca <file>", "proxy: the authorities that the origin's certificate may come from, in PEM")
    .option("--origin-cert <file>", "proxy: its certificate for the origin in PEM")
    .option("--origin-key <file>", "proxy: the key of that certificate in PEM")
    .addHelpText("after", HELP)
    .action((protocol: string, options: Options) => run(protocol, options))
    .hook("preAction", refuseForeign);
  channelCommand(command);
  rpcCommand(command);
  websocketCommand(command);
  metricsCommand(command);
  routerCommand(command);
}

/** Options of `serve` that a subcommand does not have would otherwise be taken in silence. */
function refuseForeign(serve: Command, chosen: Command): void {
  if (chosen === serve) return;
  const foreign = serve.options.find(
    (option) =>
      serve.getOptionValueSource(option.attributeName()) === "cli" &&
      !chosen.options.some((own) => own.attributeName() === option.attributeName()),
  );
  if (foreign !== undefined)
    chosen.error(`touchstone serve ${chosen.name()}: it has no option ${foreign.long ?? foreign.flags}`, { exitCode: 2 });
}

async function run(protocol: string, options: Options): Promise<void> {
  const listed = PEERS.get(protocol);
  if (listed === undefined) return wrong(`There is no peer "${protocol}". Known: ${[...PEERS.keys()].join(", ")}.`);
  const alpn = addsHttp3(protocol, options) ? [HTTP3.alpn, ...listed] : listed;
  const spoken = [HTTP3, ...VERSIONS].filter((version) => alpn.includes(version.alpn)).map(({ name }) => name);
  if (options.listFaults === true) {
    console.log(options.json === true ? JSON.stringify(faultsForPrograms(spoken)) : listFaults(spoken).join("\n"));
    return undefined;
  }
  if (protocol === HTTP3.name && options.workers !== undefined)
    return wrong("--workers shares a TCP port: HTTP/3 is served by one process. Use http, http1, http2 or proxy.");
  if (options.metricsPort !== undefined && options.workers === undefined) return wrong("--metrics-port shows the workers of --workers N.");
  if (options.halfClose !== undefined && !spoken.includes("http1")) return wrong("--half-close belongs to HTTP/1.1.");
  if ((protocol === "proxy") !== (options.origin !== undefined)) return wrong("--origin URL belongs to the proxy, which needs it.");
  try {
    checkFaults(options.fault, spoken);
    const { workers } = options;
    const member = await joined();
    if (workers !== undefined && member === undefined) return await serveCommandInWorkers({ ...options, workers });
    collectOften();
    const passing = options.origin === undefined ? undefined : await proxyTo(options.origin, options);
    const handler = passing?.handler ?? peer;
    const server = await serve(member?.counted(handler) ?? handler, {
      port: member?.settings.port ?? options.port,
      host: options.host,
      alpn,
      // The response reports errors of the origin.
      ...(passing !== undefined && { onError: () => {} }),
      ...tlsIn(member, options),
      faults: options.fault,
      faultByRequest: options.faultByRequest === true,
      ...(options.halfClose !== undefined && { http1: { halfClose: options.halfClose } }),
      http2: {
        settings: {
          enableConnectProtocol: true,
          ...(options.maxStreams !== undefined && { maxConcurrentStreams: options.maxStreams }),
          ...(options.window !== undefined && { initialWindowSize: options.window }),
        },
      },
      http3: {
        settings: { enableConnectProtocol: true },
        ...(options.earlyData === true && { earlyData: "safe" as const }),
        quic: {
          ...(options.maxStreams !== undefined && { bidirectionalStreams: options.maxStreams }),
          ...(options.window !== undefined && { streamWindow: options.window }),
        },
      },
      ...(options.maxConnections !== undefined && { maxConnections: options.maxConnections }),
    });
    const close = async (): Promise<void> => {
      await server.close();
      await passing?.close();
    };
    if (member !== undefined) {
      member.serving(server, close);
      return undefined;
    }
    announce(server, options.json);
    onStop(close);
    return undefined;
  } catch (error) {
    return wrong((error as Error).message);
  }
}

/** A peer of all versions speaks HTTP/3 where there is TLS and one process. */
const addsHttp3 = (protocol: string, { tls, cert, clientCa, workers }: Options): boolean =>
  (protocol === "http" || protocol === "proxy") && workers === undefined && (tls ?? cert ?? clientCa) !== undefined;

async function proxyTo(origin: string, { insecure, originProtocol, originCa, originCert, originKey }: Options): Promise<Proxy> {
  if (!/^https?:$/.test(URL.parse(origin)?.protocol ?? "")) throw new Error(`"${origin}" is not an origin: give an http: or https: URL`);
  const alpn = originProtocol === undefined ? undefined : PEERS.get(originProtocol);
  const tls = {
    ...(insecure === true && { verify: false }),
    ...(originCa !== undefined && { ca: pem(originCa) }),
    ...certificateIn(originCert, originKey, "--origin-cert and --origin-key"),
  };
  // Loaded on demand: its tunnels need WebSocket, which the other servers do not.
  const { proxy } = await import("../proxy/proxy.ts");
  return proxy(origin, { tls, ...(alpn !== undefined && { alpn }) });
}

const wrong = (why: string): void => refuse("serve", why);
