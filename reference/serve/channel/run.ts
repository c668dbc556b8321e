import { isId, type Sizing } from "../../websocket/channel/index.ts";
import { announce, onStop, refuse, type Listening } from "../cli/listening.ts";
import { startAgent, type Agent } from "./agent.ts";
import { serveChannel } from "./server.ts";
import { drawToken, tokenProblem } from "./tokens.ts";

/** The parsed options of `serve channel`; `agent` is false with `--no-agent`, and a URL with `--agent`. */
export type ChannelCommandOptions = Omit<Listening, "cert" | "key"> & {
  readonly session: string;
  readonly shell?: string;
  readonly sizing: Sizing;
  readonly agent: boolean | string;
  readonly allowOrigin: readonly string[];
  readonly allowHost: readonly string[];
};

const NAME_RULE = "Give 1 to 64 letters, digits, dots, underscores and hyphens, with a letter or digit at both ends.";
const log = (line: string): void => console.error(line);

/** The token in an environment variable, or a new one. */
function tokenOf(variable: string): string {
  const chosen = process.env[variable];
  if (chosen === undefined || chosen === "") return drawToken();
  const problem = tokenProblem(chosen);
  if (problem !== undefined) throw new Error(`${variable}: ${problem}`);
  return chosen;
}

/**
 * Resolves when the hub listens and its local agent has offered the shell; with `--agent`, when the agent is done. An error is printed and sets
 * exit status 2.
 */
export async function run(options: ChannelCommandOptions): Promise<void> {
  try {
    if (!isId(options.session)) throw new Error(`--session "${options.session}" is not a valid name. ${NAME_RULE}`);
    await (typeof options.agent === "string" ? agentAlone(options.agent, options) : hub(options));
  } catch (error) {
    refuse("serve channel", (error as Error).message);
  }
}

async function hub({ host, port, tls, session, shell, sizing, agent, allowOrigin, allowHost, json }: ChannelCommandOptions): Promise<void> {
  const tokens = {
    agent: tokenOf("TOUCHSTONE_AGENT_TOKEN"),
    client: tokenOf("TOUCHSTONE_CLIENT_TOKEN"),
    watcher: tokenOf("TOUCHSTONE_WATCHER_TOKEN"),
  };
  const server = await serveChannel({
    host,
    port,
    ...(tls === true && { tls: true }),
    tokens,
    sizing,
    ...(allowOrigin.length > 0 && { origins: allowOrigin }),
    hosts: allowHost,
    log,
  });
  let local: Agent | undefined;
  if (agent !== false) {
    local = startAgent({
      url: server.sessionUrl(session),
      token: tokens.agent,
      again: true,
      ...(shell !== undefined && { command: shell }),
      ...(server.certificate !== undefined && { ca: server.certificate }),
      log,
    });
    await local.offered;
    local.done.then(
      () => log(`the shell of session ${session} has ended`),
      (error: Error) => log(error.message),
    );
  }
  const page = server.pageUrl(session);
  const watchPage = server.pageUrl(session, "watcher");
  const secrets = { clientToken: tokens.client, watcherToken: tokens.watcher, agentToken: tokens.agent };
  announce(
    server,
    json,
    { session, page, watchPage, ...secrets },
    `Open        ${page}
To watch    ${watchPage}
For agents  ${server.sessionUrl("NAME")} with the token ${tokens.agent}`,
  );
  onStop(async () => {
    local?.close();
    await server.close();
  });
}

async function agentAlone(url: string, { shell }: ChannelCommandOptions): Promise<void> {
  if (!/^wss?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new Error(`"${url}" is not a ws: or wss: URL: write ws://HOST:PORT/api/ws/sessions/NAME`);
  const token = process.env["TOUCHSTONE_AGENT_TOKEN"];
  if (token === undefined || token === "") throw new Error("--agent needs the hub's agent token in TOUCHSTONE_AGENT_TOKEN");
  const agent = startAgent({ url, token, again: true, ...(shell !== undefined && { command: shell }), log });
  onStop(() => agent.close());
  agent.offered.then(
    () => log(`agent: offering ${url}`),
    () => {},
  );
  await agent.done;
}
