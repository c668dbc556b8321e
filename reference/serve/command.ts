import { InvalidArgumentError, Option, type Command } from "commander";
import { peer, routeLines } from "./peer.ts";
import { serve } from "./server.ts";

type Options = { readonly port: number; readonly host: string; readonly tls?: true; readonly json?: true };

const port = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return Number(text);
};

/** `touchstone serve`: a ready-made peer to test a client against. */
export function serveCommand(program: Command): void {
  program
    .command("serve")
    .argument("<protocol>", '"http2"')
    .description("run a peer to test a client against")
    .addOption(new Option("--port <port>", "0 for any free one").default(0).argParser(port))
    .option("--host <address>", "where to listen; the default can be reached from this machine alone", "127.0.0.1")
    .option("--tls", "TLS with ALPN h2 and a certificate that signs itself")
    .option("--json", "print the address as one line of JSON")
    .addHelpText(
      "after",
      () =>
        `\nPaths:\n${routeLines()
          .map((line) => `  ${line}`)
          .join("\n")}`,
    )
    .action(async (protocol: string, options: Options) => {
      if (protocol !== "http2") {
        console.error(`There is no peer for "${protocol}". Known: http2.`);
        process.exitCode = 2;
        return;
      }
      const server = await serve(peer, {
        port: options.port,
        host: options.host,
        ...(options.tls === true && { tls: true }),
        settings: { enableConnectProtocol: true },
      });
      const { url, address, port } = server;
      console.log(options.json === true ? JSON.stringify({ url, host: address, port, pid: process.pid }) : `Listening at ${url}`);
      const stop = (): void => void server.close();
      process.once("SIGTERM", stop).once("SIGINT", stop);
    });
}
