import { readFileSync } from "node:fs";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { ServerTls } from "../io/index.ts";
import { channelCommand } from "./channel/command.ts";
import { collectOften } from "./collect.ts";
import { faultJson, faultLines, FAULTS, parseFault } from "./faults/index.ts";
import { peer, routeLines } from "./peer.ts";
import type { Protocol } from "./protocol.ts";
import { proxy, type Proxy } from "./proxy.ts";
import { serve } from "./server.ts";
import { metricsCommand } from "./metrics/command.ts";
import { websocketCommand } from "./websocket/command.ts";

type Options = {
  readonly port: number;
  readonly host: string;
  readonly tls?: true;
  readonly cert?: string;
  readonly key?: string;
  readonly fault: readonly string[];
  readonly faultByRequest?: true;
  readonly listFaults?: true;
  readonly maxStreams?: number;
  readonly window?: number;
  readonly maxConnections?: number;
  readonly origin?: string;
  readonly originProtocol?: "http1" | "http2";
  readonly insecure?: true;
  readonly json?: true;
};

/** What each ready-made peer speaks. */
const PEERS: ReadonlyMap<string, readonly Protocol[]> = new Map<string, readonly Protocol[]>([
  ["http", ["h2", "http/1.1"]],
  ["http1", ["http/1.1"]],
  ["http2", ["h2"]],
  ["proxy", ["h2", "http/1.1"]],
]);

const whole =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
  };
const fault = (text: string, before: readonly string[]): string[] => {
  try {
    parseFault(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  return [...before, text];
};
const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

const HELP = `
Paths:
${indented(routeLines())}

Examples:
  touchstone serve http --port 8080                             HTTP/1.1 and HTTP/2 at one port, in clear text
  touchstone serve http1 --tls                                  HTTP/1.1 alone
  touchstone serve http2 --port 8080                            HTTP/2 alone; in clear text with prior knowledge
  touchstone serve http2 --tls --json                           any free port; its address as a line of JSON
  touchstone serve http2 --fault reset:code=CANCEL,after=1      every response is reset after its first frame
  touchstone serve http2 --fault-by-request                     curl -H 'touchstone-fault: delay:ms=200' …
  touchstone serve http2 --list-faults
  touchstone serve proxy --origin http://127.0.0.1:8080         a reverse proxy for HTTP/1.1 and HTTP/2
`;

/** `touchstone serve`: a ready-made peer to test a client against, which can be told to misbehave. */
export function serveCommand(program: Command): void {
  const command = program
    .command("serve")
    .argument("<protocol>", [...PEERS.keys()].map((name) => `"${name}"`).join(", "))
    .description("run a peer to test a client against; it can be told to misbehave")
    .addOption(new Option("--port <port>", "0 for any free one").default(0).argParser(whole(0, 65_535)))
    .option("--host <address>", "where to listen; the default can be reached from this machine alone", "127.0.0.1")
    .option("--tls", "TLS with ALPN; without --cert and --key the certificate signs itself")
    .option("--cert <file>", "certificate in PEM")
    .option("--key <file>", "its key in PEM")
    .addOption(
      new Option("--fault <name:args>", "misbehave on every connection of HTTP/2; may be given again").default([]).argParser(fault),
    )
    .option("--fault-by-request", "misbehave as a request asks by its field touchstone-fault")
    .option("--list-faults", "print the faults that can be asked for")
    .option("--max-streams <n>", "requests at a time on one connection", whole(0, 1_000_000))
    .option("--window <octets>", "content that a request may send before it is read", whole(0, 0x7fff_ffff))
    .option("--max-connections <n>", "connections at a time", whole(1, 1_000_000))
    .option("--origin <url>", "proxy: where requests go")
    .addOption(
      new Option("--origin-protocol <name>", "proxy: what the origin speaks; over TLS it chooses unless told").choices(["http1", "http2"]),
    )
    .option("--insecure", "proxy: take any certificate of the origin")
    .option("--json", "print the address as one line of JSON")
    .addHelpText("after", HELP)
    .action((protocol: string, options: Options) => run(protocol, options));
  channelCommand(command);
  websocketCommand(command);
  metricsCommand(command);
}

async function run(protocol: string, options: Options): Promise<void> {
  const protocols = PEERS.get(protocol);
  if (protocols === undefined) return wrong(`There is no peer for "${protocol}". Known: ${[...PEERS.keys()].join(", ")}.`);
  if (!protocols.includes("h2") && (options.fault.length > 0 || options.faultByRequest === true)) {
    return wrong("Faults are of HTTP/2: ask for them of http2, or of http.");
  }
  if ((protocol === "proxy") !== (options.origin !== undefined)) return wrong("A proxy needs --origin with a URL, and nothing else does.");
  if (options.listFaults === true) {
    console.log(options.json === true ? JSON.stringify(faultJson(FAULTS)) : faultLines(FAULTS).join("\n"));
    return undefined;
  }
  if ((options.cert === undefined) !== (options.key === undefined)) return wrong("--cert and --key go together: give both.");
  collectOften();
  try {
    const passing = options.origin === undefined ? undefined : proxyTo(options.origin, options);
    const server = await serve(passing?.handler ?? peer, {
      port: options.port,
      host: options.host,
      protocols,
      // What an origin does wrong is in the answer, and no news.
      ...(passing !== undefined && { onError: () => {} }),
      ...tls(options),
      faults: options.fault,
      faultByRequest: options.faultByRequest === true,
      settings: {
        enableConnectProtocol: true,
        ...(options.maxStreams !== undefined && { maxConcurrentStreams: options.maxStreams }),
        ...(options.window !== undefined && { initialWindowSize: options.window }),
      },
      ...(options.maxConnections !== undefined && { maxConnections: options.maxConnections }),
    });
    const { url, address, port } = server;
    console.log(options.json === true ? JSON.stringify({ url, host: address, port, pid: process.pid }) : `Listening at ${url}`);
    const stop = async (): Promise<void> => {
      await server.close();
      await passing?.close();
    };
    process.once("SIGTERM", () => void stop()).once("SIGINT", () => void stop());
    return undefined;
  } catch (error) {
    return wrong((error as Error).message);
  }
}

function proxyTo(origin: string, { insecure, originProtocol }: Options): Proxy {
  if (!/^https?:$/.test(URL.parse(origin)?.protocol ?? "")) throw new Error(`"${origin}" is no origin: give an http: or https: URL`);
  const protocols = originProtocol === undefined ? undefined : PEERS.get(originProtocol);
  return proxy(origin, { ...(insecure === true && { tls: { verify: false } }), ...(protocols !== undefined && { protocols }) });
}

function tls({ tls, cert, key }: Options): { readonly tls?: boolean | ServerTls } {
  if (cert !== undefined && key !== undefined) return { tls: { cert: pem(cert), key: pem(key) } };
  return tls === true ? { tls: true } : {};
}

function pem(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give a file in PEM`, { cause: error });
  }
}

function wrong(why: string): void {
  console.error(`touchstone serve: ${why}`);
  process.exitCode = 2;
}
