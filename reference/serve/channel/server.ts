import { DEFAULT_CHANNEL_LIMITS } from "../../websocket/channel/index.ts";
import type { Handler } from "../handler.ts";
import { checkOptions, namesOf, type Names } from "../options/check.ts";
import { SERVE_OPTIONS } from "../options/known.ts";
import { serve } from "../server/serve.ts";
import type { ServeOptions, Server } from "../server/options.ts";
import { channel, type Channel, type ChannelOptions } from "./channel.ts";
import { checkPage, page } from "./page.ts";
import type { Tokens } from "./tokens.ts";

/** Those of the channel, and where it listens: on 127.0.0.1, at a port that is free, by default. */
export type ChannelServerOptions = ChannelOptions & Pick<ServeOptions, "port" | "host" | "tls">;
const KNOWN = {
  tokens: { agent: true, client: true, watcher: true } satisfies Names<Tokens>,
  limits: namesOf(DEFAULT_CHANNEL_LIMITS),
  origins: true,
  hosts: true,
  log: true,
  port: true,
  host: true,
  tls: SERVE_OPTIONS.tls,
} satisfies Names<ChannelServerOptions>;

/** A server that listens, with the addresses to hand out; they carry its real port. */
export type ChannelServer = Server & {
  readonly channel: Channel;
  /** Of a session, for agents. */
  sessionUrl(name: string): string;
  /** The page of a session, or for who may only watch it. The token is behind the number sign: browsers keep that to themselves. */
  pageUrl(name: string, role?: "client" | "watcher"): string;
};

/** Listens with the channel and its page. Only this machine can reach it, unless `host` says otherwise. */
export async function serveChannel(options: ChannelServerOptions): Promise<ChannelServer> {
  checkOptions("serveChannel", options, KNOWN);
  checkPage();
  const { host } = options;
  // Who has chosen to listen at a name is asked for by it.
  const parts = channel(host === undefined ? options : { ...options, hosts: [...(options.hosts ?? []), host] });
  const handler: Handler = (request, exchange) =>
    parts.handle(request, exchange) ??
    parts.refuses(request) ??
    page(request.method, request.path) ?? { status: 404, fields: [["content-type", "text/plain"]], body: "nothing is here\n" };
  const server = await serve(handler, {
    port: options.port ?? 0,
    ...(options.host !== undefined && { host: options.host }),
    ...(options.tls !== undefined && { tls: options.tls }),
    // Browsers that speak HTTP/2 open their WebSockets in it as well (rfc8441).
    http2: { settings: { enableConnectProtocol: true } },
    graceMs: 1_000,
    onError: (error, request) => {
      if (request !== undefined) options.log?.(`error: ${(error as Error).message}`);
    },
  });
  const close = async (): Promise<void> => {
    parts.close();
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
    channel: parts,
    sessionUrl: (name) => `${server.url.replace(/^http/, "ws")}api/ws/sessions/${name}`,
    pageUrl: (name, role = "client") => `${server.url}#session=${name}&token=${options.tokens[role] ?? ""}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}
