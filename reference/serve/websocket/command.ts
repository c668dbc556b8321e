import type { Command } from "commander";
import { listeningOptions, several, whole, type Listening } from "../cli/listening.ts";

/** The command line of `serve websocket` after parsing; sizes are in octets. */
export type Options = Listening & {
  readonly maxConnections?: number;
  readonly deflate?: true;
  readonly deflateThreshold: number;
  readonly protocol: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly maxMessage?: number;
};

const HELP = `
Every message comes back as it went, at / and at /echo: over HTTP/1.1 by Upgrade, and at the same port over HTTP/2 by extended CONNECT.

Examples:
  touchstone serve websocket --port 9001                     ws://127.0.0.1:9001/
  touchstone serve websocket --tls --deflate                 wss:, with a certificate that signs itself, and permessage-deflate
  touchstone serve websocket --protocol chat --allow-origin https://example.com
`;

/** `touchstone serve websocket`: an echo endpoint. Loaded only when it is asked for. */
export function websocketCommand(serve: Command): void {
  listeningOptions(serve.command("websocket"))
    .description("an echo endpoint of WebSocket, over HTTP/1.1 and HTTP/2")
    .option("--deflate", "agree to permessage-deflate")
    .option("--deflate-threshold <octets>", "messages of fewer octets are not compressed", whole(0, 0x7fff_ffff), 0)
    .option("--protocol <name>", "a sub-protocol that is spoken; may be given again", several, [])
    .option("--allow-origin <origin>", "pages of this origin may connect, * for all; may be given again", several, [])
    .option("--max-message <octets>", "the longest message that is taken", whole(0, 0x7fff_ffff))
    .option("--max-connections <n>", "connections at a time", whole(0, 1_000_000))
    .addHelpText("after", HELP)
    // `serve` itself has options of the same name, and takes what it knows, wherever it stands.
    .action(async (_: unknown, command: Command) => (await import("./run.ts")).run(command.optsWithGlobals<Options>()));
}
