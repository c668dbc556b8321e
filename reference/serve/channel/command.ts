import { InvalidArgumentError, Option, type Command } from "commander";
import { isId } from "../../websocket/channel/index.ts";

/** The command line of `serve channel` after parsing; `agent` is false for a hub alone, and a hub's address for an agent alone. */
export type Options = {
  readonly port: number;
  readonly host: string;
  readonly tls?: true;
  readonly session: string;
  readonly shell?: string;
  readonly agent: boolean | string;
  readonly allowOrigin: readonly string[];
  readonly allowHost: readonly string[];
  readonly json?: true;
};

const HELP = `
Tokens are drawn anew at each start, and printed. To choose them: TOUCHSTONE_AGENT_TOKEN, TOUCHSTONE_CLIENT_TOKEN and TOUCHSTONE_WATCHER_TOKEN in the environment.

Examples:
  touchstone serve channel                          a shell in the browser; open the address that is printed
  touchstone serve channel --port 8080 --no-agent   a hub alone, for agents from elsewhere
  TOUCHSTONE_AGENT_TOKEN=… touchstone serve channel --agent ws://127.0.0.1:8080/api/ws/sessions/build
                                                    an agent alone: its shell shows at that hub
`;

const port = (text: string): number => {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 65_535) return value;
  throw new InvalidArgumentError("Give a number from 0 to 65535.");
};
const name = (text: string): string => {
  if (isId(text)) return text;
  throw new InvalidArgumentError("Give 1 to 64 letters, digits, dots, underscores and hyphens, a letter or digit at both ends.");
};

/** `touchstone serve channel`: terminal sessions over WebSocket, with a page to type in. Loaded only when it is asked for. */
export function channelCommand(serve: Command): void {
  serve
    .command("channel")
    .description("a shell in the browser: terminal sessions over WebSocket, with an agent and a page")
    .addOption(new Option("--port <port>", "0 for any free one").default(0).argParser(port))
    .option("--host <address>", "where to listen; the default can be reached from this machine alone", "127.0.0.1")
    .option("--tls", "TLS, with a certificate that signs itself")
    .option("--session <name>", "what the local agent offers", name, "main")
    .option("--shell <file>", "what the local agent runs; $SHELL by default")
    .option("--agent <url>", "run an agent alone, for the hub at this ws: or wss: address")
    .option("--no-agent", "run a hub alone")
    .option(
      "--allow-origin <origin>",
      "pages of this origin may attach too; may be given again",
      (text: string, all: string[]) => [...all, text],
      [],
    )
    .option(
      "--allow-host <name>",
      "a name that leads here, besides localhost and addresses; may be given again",
      (text: string, all: string[]) => [...all, text],
      [],
    )
    .option("--json", "print the addresses and tokens as one line of JSON")
    .addHelpText("after", HELP)
    // `serve` itself has options of the same name, and takes what it knows, wherever it stands.
    .action(async (_: unknown, command: Command) => (await import("./run.ts")).run(command.optsWithGlobals<Options>()));
}
