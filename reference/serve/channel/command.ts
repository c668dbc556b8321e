import type { Command } from "commander";
import { listeningOptions, several } from "../cli/listening.ts";
import type { ChannelCommandOptions } from "./run.ts";

const HELP = `
Tokens are drawn anew at each start, and printed. To choose them: TOUCHSTONE_AGENT_TOKEN, TOUCHSTONE_CLIENT_TOKEN and TOUCHSTONE_WATCHER_TOKEN in the environment.

Examples:
  touchstone serve channel                          a shell in the browser; open the address that is printed
  touchstone serve channel --port 8080 --no-agent   a hub alone, for agents from elsewhere
  TOUCHSTONE_AGENT_TOKEN=… touchstone serve channel --agent ws://127.0.0.1:8080/api/ws/sessions/build
                                                    an agent alone: its shell shows at that hub
`;

/** `touchstone serve channel`: terminal sessions over WebSocket, with a page to type in. Loaded only when it is asked for. */
export function channelCommand(serve: Command): void {
  listeningOptions(serve.command("channel"), { certificate: false, json: "print the addresses and tokens as one line of JSON" })
    .description("a shell in the browser: terminal sessions over WebSocket, with an agent and a page")
    .option("--session <name>", "what the local agent offers", "main")
    .option("--shell <file>", "what the local agent runs; $SHELL by default")
    .option("--agent <url>", "run an agent alone, for the hub at this ws: or wss: address")
    .option("--no-agent", "run a hub alone")
    .option("--allow-origin <origin>", "pages of this origin may attach too; may be given again", several, [])
    .option("--allow-host <name>", "a name that leads here, besides localhost and addresses; may be given again", several, [])
    .addHelpText("after", HELP)
    // `serve` itself has options of the same name, and takes what it knows, wherever it stands.
    .action(async (_: unknown, command: Command) => (await import("./run.ts")).run(command.optsWithGlobals<ChannelCommandOptions>()));
}
