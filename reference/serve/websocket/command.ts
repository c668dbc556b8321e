import type { Command } from "commander";
import { listeningOptions, several } from "../cli/listening.ts";
import { workersOptions } from "../cli/workers.ts";
import { wholeNumber } from "../../../options.ts";
import type { EchoOptions } from "./run.ts";

const HELP = `
Sends every message back unchanged, at / and at /echo: over HTTP/1.1 by Upgrade and, at the same port, over HTTP/2
by extended CONNECT; with TLS over HTTP/3 too, unless --workers are several processes.

Examples:
  touchstone serve websocket --port 9001                     ws://127.0.0.1:9001/
  touchstone serve websocket --tls --deflate                 wss: with a self-signed certificate, and permessage-deflate; HTTP/3 at the same UDP port
  touchstone serve websocket --fault bad-utf8:after=2         misbehaves by name; --list-faults prints the faults
  touchstone serve websocket --subprotocol chat --allow-origin https://example.com
`;

/** `touchstone serve websocket`: an echo endpoint. */
export function websocketCommand(serve: Command): void {
  workersOptions(listeningOptions(serve.command("websocket")))
    .description("a WebSocket echo endpoint over HTTP/1.1, HTTP/2 and HTTP/3")
    .option("--deflate", "agree to permessage-deflate")
    .option("--deflate-threshold <octets>", "do not compress shorter messages", wholeNumber(0, 0x7fff_ffff), 0)
    .option("--subprotocol <name>", "a supported subprotocol; repeatable", several, [])
    .option("--allow-origin <origin>", "an origin whose pages may connect, * for all; repeatable", several, [])
    .option("--max-message <octets>", "the longest message to accept", wholeNumber(0, 0x7fff_ffff))
    .option("--max-connections <n>", "the most connections at a time", wholeNumber(0, 1_000_000))
    .option("--fault <name:args>", "misbehave on every connection; repeatable", several, [])
    .option("--list-faults", "list the faults and exit")
    .addHelpText("after", HELP)
    // The parent command `serve` has options with the same names and takes their values, wherever they stand.
    .action(async (_: unknown, command: Command) => (await import("./run.ts")).run(command.optsWithGlobals<EchoOptions>()));
}
