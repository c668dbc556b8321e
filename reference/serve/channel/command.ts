import { type Command, Option } from "commander";
import type { Sizing } from "../../websocket/channel/index.ts";
import { listeningOptions, several } from "../cli/listening.ts";
import type { ChannelCommandOptions } from "./run.ts";

const HELP = `
Each start draws new tokens and prints them. To set them, use the environment variables TOUCHSTONE_AGENT_TOKEN, TOUCHSTONE_CLIENT_TOKEN and TOUCHSTONE_WATCHER_TOKEN.

Examples:
  touchstone serve channel                          a shell in the browser: open the printed URL
  touchstone serve channel --port 8080 --no-agent   only a hub, for agents on other machines
  TOUCHSTONE_AGENT_TOKEN=… touchstone serve channel --agent ws://127.0.0.1:8080/api/ws/sessions/build
                                                    only an agent, which offers its shell to that hub
`;

/** Declares `touchstone serve channel`; the server itself is loaded when the command runs. */
export function channelCommand(serve: Command): void {
  listeningOptions(serve.command("channel"), { certificate: false, json: "print the URLs and tokens as one line of JSON" })
    .description("a shell in the browser: terminal sessions over WebSocket, with an agent and a page")
    .option("--session <name>", "name of the session that the local agent offers", "main")
    .option("--shell <file>", "program that the local agent runs (default: $SHELL)")
    .addOption(
      new Option("--sizing <policy>", "who sets the size of the terminal")
        .choices(["owner", "smallest", "last"] satisfies readonly Sizing[])
        .default("owner"),
    )
    .option("--agent <url>", "run only an agent, for the session at this ws: or wss: URL")
    .option("--no-agent", "run only a hub")
    .option("--allow-origin <origin>", "let pages of this origin attach too; repeatable", several, [])
    .option("--allow-host <name>", "accept requests for this host name, besides localhost and IP addresses; repeatable", several, [])
    .addHelpText("after", HELP)
    // `serve` has options of the same names and consumes them even after the subcommand, so both sets are merged.
    .action(async (_: unknown, command: Command) => (await import("./run.ts")).run(command.optsWithGlobals<ChannelCommandOptions>()));
}
