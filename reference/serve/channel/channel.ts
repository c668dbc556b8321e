import { Misuse, type Instant } from "../../core/index.ts";
import { now, watch, type Timed } from "../../io/index.ts";
import { Hub, SESSIONS_PATH, type ChannelLimits, type Refusal } from "../../websocket/channel/index.ts";
import type { OriginPolicy } from "../../websocket/index.ts";
import type { Request, Response } from "../../http/index.ts";
import type { Exchange } from "../handler.ts";
import { webSocket, type WebSocketOptions } from "../websocket/index.ts";
import { listen, peerOf } from "./carry.ts";
import { refusedHost } from "./hosts.ts";
import { identifier, SUB_PROTOCOL, wrongToken, type Tokens } from "./tokens.ts";

/** Who may take part, from which pages and under which names of the server; only the tokens have to be given. */
export type ChannelOptions = {
  readonly tokens: Tokens;
  readonly limits?: Partial<ChannelLimits>;
  /** Pages of other origins that may attach too; or what a function says. Pages of the server's own origin alone, by default. */
  readonly origins?: OriginPolicy;
  /** Names by which the server is asked for, besides `localhost` and addresses; a page of any other name that leads here is refused. */
  readonly hosts?: readonly string[];
  /** A line for each refusal, and for who comes and goes. Nothing secret is in it. */
  readonly log?: (line: string) => void;
};

/** The channel as part of a handler: it answers what lies under `/api/ws/sessions/`, and has nothing to say of the rest. */
export type Channel = {
  readonly hub: Hub;
  handle(request: Request, exchange: Exchange): Response | undefined;
  /** Refuses a request that asks for another server; undefined where it asks for this one. What `handle` answers has been asked. */
  refuses(request: Request): Response | undefined;
  /** The server closes: time is not looked at any more. */
  close(): void;
};

/** What a peer has sent, fit for one line of a log. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 120);

/**
 * A hub that has no session yet; it looks at time by itself until `close`. `Misuse` where a token is too short or has other signs than a
 * sub-protocol may have, or two roles share one.
 */
export function channel(options: ChannelOptions): Channel {
  const { tokens, origins, hosts = [], log = () => {} } = options;
  const all = Object.values(tokens).filter((token) => token !== undefined);
  const bad = all.map(wrongToken).find((why) => why !== undefined);
  if (bad !== undefined) throw new Misuse(bad);
  if (new Set(all).size < all.length) throw new Misuse("agents, clients and watchers need different tokens");
  const hub = new Hub(options.limits);
  const whois = identifier(tokens);
  let isClosed = false;
  const timed: Timed = {
    get deadline() {
      return hub.deadline;
    },
    due: (at: Instant) => hub.tick(at),
  };
  /** There may be a new deadline. */
  const look = (): void => {
    if (!isClosed) watch.add(timed);
  };
  const fromHere: WebSocketOptions = {
    subprotocols: [SUB_PROTOCOL],
    deflate: true,
    limits: { messageOctets: hub.limits.messageOctets },
    onRefused: ({ status }, why, { path }) => log(`refused ${status} ${printable(path.split("?", 1)[0] ?? "")}: ${printable(why)}`),
  };
  const fromElsewhere: WebSocketOptions = { ...fromHere, ...(origins !== undefined && { origins }) };

  const refuse = (path: string, { status, why }: Refusal, fields: readonly (readonly [string, string])[] = []): Response => {
    log(`refused ${status} ${printable(path)}: ${printable(why)}`);
    return { status, fields: [["content-type", "text/plain"], ["cache-control", "no-store"], ...fields], body: `${why}\n` };
  };

  function refuses(request: Request): Response | undefined {
    const why = refusedHost(request.authority, hosts);
    return why === undefined ? undefined : refuse(request.path.split("?", 1)[0] ?? "", { status: 421, why });
  }
  function handle(request: Request, exchange: Exchange): Response | undefined {
    // What follows the question mark stays out of logs: some put there what is secret.
    const [path = "", query = ""] = request.path.split("?", 2);
    if (!path.startsWith(SESSIONS_PATH)) return undefined;
    const elsewhere = refuses(request);
    if (elsewhere !== undefined) return elsewhere;
    const role = whois(request.fields);
    if (role === "nobody" || role === "stranger") {
      const why = role === "nobody" ? "a token is needed" : "this token opens nothing";
      return refuse(path, { status: 401, why }, [["www-authenticate", 'Bearer realm="touchstone channel"']]);
    }
    const found = hub.admit(role, path.slice(SESSIONS_PATH.length), new URLSearchParams(query));
    if ("status" in found) return refuse(path, found);
    const own = `${request.scheme}://${request.authority}`;
    const isOwn = request.fields.get("origin")?.toLowerCase() === own.toLowerCase();
    return webSocket(
      request,
      exchange,
      (socket) => {
        const member = found.enter(peerOf(socket), now());
        log(`${role} attached to ${found.session}`);
        listen(socket, member, (code) => log(`${role} left ${found.session} (${code})`), look);
        look();
      },
      isOwn ? fromHere : fromElsewhere,
    );
  }

  return {
    hub,
    handle,
    refuses,
    close() {
      isClosed = true;
      watch.delete(timed);
    },
  };
}
