import { DEFAULT_CHANNEL_LIMITS } from "../../websocket/channel/index.ts";
import type { Handler } from "../handler.ts";
import { checkOptions, namesOf, type Names } from "../options/check.ts";
import { SERVE_OPTIONS } from "../options/known.ts";
import { serve } from "../server/serve.ts";
import type { ServeOptions, Server } from "../server/options.ts";
import { channel, type Channel, type ChannelOptions } from "./channel.ts";
import { checkPage, page } from "./page.ts";
import type { Tokens } from "./tokens.ts";

/** Options of the channel and its address; by default the server listens on a free port of 127.0.0.1. */
export type ChannelServerOptions = ChannelOptions & Pick<ServeOptions, "port" | "host" | "tls">;
const KNOWN = {
  tokens: { agent: true, client: true, watcher: true } satisfies Names<Tokens>,
  limits: namesOf(DEFAULT_CHANNEL_LIMITS),
  sizing: true,
  origins: true,
  hosts: true,
  log: true,
  port: true,
  host: true,
  tls: SERVE_OPTIONS.tls,
} satisfies Names<ChannelServerOptions>;

/** A listening server, and the URLs of its sessions. */
export type ChannelServer = Server & {
  readonly channel: Channel;
  /** The URL of a session for agents. */
  sessionUrl(name: string): string;
  /** The URL of a session's page for a role. The token is in the fragment, which browsers do not send. */
  pageUrl(name: string, role?: "client" | "watcher"): string;
};

/** Serves the channel and its page. Without `host`, only this machine can connect. */
export async function serveChannel(options: ChannelServerOptions): Promise<ChannelServer> {
  checkOptions("serveChannel", options, KNOWN);
  checkPage();
  const { host } = options;
  // Clients address the server by the name on which it listens.
  const terminals = channel(host === undefined ? options : { ...options, hosts: [...(options.hosts ?? []), host] });
  const handler: Handler = (request, exchange) =>
    terminals.handle(request, exchange) ??
    terminals.refuses(request) ??
    page(request.method, request.path) ?? { status: 404, fields: [["content-type", "text/plain"]], body: "not found\n" };
  const server = await serve(handler, {
    port: options.port ?? 0,
    ...(options.host !== undefined && { host: options.host }),
    ...(options.tls !== undefined && { tls: options.tls }),
    // Browsers open WebSockets over HTTP/2 too (rfc8441).
    http2: { settings: { enableConnectProtocol: true } },
    graceMs: 1_000,
    onError: (error, request) => {
      if (request !== undefined) options.log?.(`error: ${(error as Error).message}`);
    },
  });
  const close = async (): Promise<void> => {
    terminals.close();
    await server.close();
  };
  return {
    url: server.url,
    address: server.address,
    port: server.port,
    certificate: server.certificate,
    get connections() {
      return server.connections;
    },
    channel: terminals,
    sessionUrl: (name) => `${server.url.replace(/^http/, "ws")}api/ws/sessions/${name}`,
    pageUrl: (name, role = "client") => `${server.url}#session=${name}&token=${options.tokens[role] ?? ""}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}
