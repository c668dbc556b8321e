import { isId } from "../../websocket/channel/index.ts";
import { announce, onStop, refuse, type Listening } from "../cli/listening.ts";
import { startAgent, type Agent } from "./agent.ts";
import { serveChannel } from "./server.ts";
import { drawToken, wrongToken } from "./tokens.ts";

/** The command line of `serve channel` after parsing; `agent` is false for a hub alone, and a hub's address for an agent alone. */
export type ChannelCommandOptions = Omit<Listening, "cert" | "key"> & {
  readonly session: string;
  readonly shell?: string;
  readonly agent: boolean | string;
  readonly allowOrigin: readonly string[];
  readonly allowHost: readonly string[];
};

const A_NAME = "Give 1 to 64 letters, digits, dots, underscores and hyphens, a letter or digit at both ends.";
const log = (line: string): void => console.error(line);

/** A token of the environment, or a fresh one. */
function tokenOf(variable: string): string {
  const chosen = process.env[variable];
  if (chosen === undefined || chosen === "") return drawToken();
  const wrong = wrongToken(chosen);
  if (wrong !== undefined) throw new Error(`${variable}: ${wrong}`);
  return chosen;
}

/**
 * Returns once the hub listens and its own agent has offered the shell, or when an agent alone is done; a failure is told on standard
 * error, with exit status 2.
 */
export async function run(options: ChannelCommandOptions): Promise<void> {
  try {
    if (!isId(options.session)) throw new Error(`--session "${options.session}" is no name. ${A_NAME}`);
    await (typeof options.agent === "string" ? agentAlone(options.agent, options) : hub(options));
  } catch (error) {
    refuse("serve channel", (error as Error).message);
  }
}

async function hub({ host, port, tls, session, shell, agent, allowOrigin, allowHost, json }: ChannelCommandOptions): Promise<void> {
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
    ...(allowOrigin.length > 0 && { origins: allowOrigin }),
    hosts: allowHost,
    log,
  });
  let local: Agent | undefined;
  if (agent !== false) {
    local = startAgent({
      url: server.sessionUrl(session),
      token: tokens.agent,
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
  if (!/^wss?:$/.test(URL.parse(url)?.protocol ?? "")) throw new Error(`"${url}" is no ws: or wss: address`);
  const token = process.env["TOUCHSTONE_AGENT_TOKEN"];
  if (token === undefined || token === "") throw new Error("an agent needs the hub's token for agents in TOUCHSTONE_AGENT_TOKEN");
  const agent = startAgent({ url, token, ...(shell !== undefined && { command: shell }), log });
  onStop(() => agent.close());
  agent.offered.then(
    () => log(`agent: offering ${url}`),
    () => {},
  );
  await agent.done;
}
