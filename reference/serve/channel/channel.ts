import { Misuse, type Instant } from "../../core/index.ts";
import { now, watch, type Timed } from "../../io/index.ts";
import { Hub, SESSIONS_PATH, type ChannelLimits, type Refusal, type Sizing } from "../../websocket/channel/index.ts";
import type { OriginPolicy } from "../../websocket/index.ts";
import type { Request, Response } from "../../http/index.ts";
import type { Exchange } from "../handler.ts";
import { webSocket, type WebSocketOptions } from "../websocket/index.ts";
import { listen, peerOf } from "./carry.ts";
import { refusedHost } from "./hosts.ts";
import { screens } from "./screen.ts";
import { authenticator, SUBPROTOCOL, tokenProblem, type Tokens } from "./tokens.ts";
import { WrongTokens } from "./wrong-tokens.ts";

/** Options of the channel; only `tokens` is required. */
export type ChannelOptions = {
  readonly tokens: Tokens;
  readonly limits?: Partial<ChannelLimits>;
  /** Who sets the size of a terminal: the client that owns it (the default), all that type (`smallest`), or the `last` that asked. */
  readonly sizing?: Sizing;
  /** Pages of other origins that may attach, or a function that decides. By default only pages of the server's own origin may attach. */
  readonly origins?: OriginPolicy;
  /** The names of this server, besides `localhost` and IP addresses. Requests that address another name are refused. */
  readonly hosts?: readonly string[];
  /** Receives a line for each refusal (wrong tokens are counted: one line a minute), and for each member that attaches or leaves. Lines contain no secrets. */
  readonly log?: (line: string) => void;
};

/** The channel as part of a handler. */
export type Channel = {
  readonly hub: Hub;
  /** Responds to requests under `/api/ws/sessions/`; undefined for any other path. */
  handle(request: Request, exchange: Exchange): Response | Promise<Response> | undefined;
  /** Refuses a request that addresses another server; undefined if it addresses this one. `handle` does this by itself. */
  refuses(request: Request): Response | undefined;
  /** Stops the timers of the sessions. */
  close(): void;
};

/** A peer's text, safe for one line of a log. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 120);

/**
 * Creates a hub without sessions, whose timers run until `close`. Throws `Misuse` if a token is too short, has characters that a subprotocol
 * may not have, or belongs to two roles.
 */
export function channel(options: ChannelOptions): Channel {
  const { tokens, origins, hosts = [], log = () => {} } = options;
  const all = Object.values(tokens).filter((token) => token !== undefined);
  const problem = all.map(tokenProblem).find((why) => why !== undefined);
  if (problem !== undefined) throw new Misuse(problem);
  if (new Set(all).size < all.length) throw new Misuse("agents, clients and watchers need different tokens");
  const authenticate = authenticator(tokens);
  const wrongTokens = new WrongTokens(log);
  let isClosed = false;
  // A screen that has interpreted output lets the agent and late clients go on, outside of any message.
  const hub: Hub = new Hub(options.limits, { sizing: options.sizing ?? "owner", screen: screens(() => watchDeadline()) });
  const timed: Timed = {
    get deadline() {
      return hub.deadline;
    },
    due: (at: Instant) => hub.tick(at),
  };
  /** Call whenever the deadline may have changed. */
  const watchDeadline = (): void => {
    if (!isClosed) watch.add(timed);
  };
  const sameOrigin: WebSocketOptions = {
    subprotocols: [SUBPROTOCOL],
    deflate: true,
    limits: { messageOctets: hub.limits.messageOctets },
    onRefused: ({ status }, why, { path }) => log(`refused ${status} ${printable(path.split("?", 1)[0] ?? "")}: ${printable(why)}`),
  };
  const otherOrigin: WebSocketOptions = { ...sameOrigin, ...(origins !== undefined && { origins }) };

  const lineOf = (path: string, { status, why }: Refusal): string => `refused ${status} ${printable(path)}: ${printable(why)}`;
  const answer = ({ status, why }: Refusal, fields: readonly (readonly [string, string])[] = []): Response => {
    return { status, fields: [["content-type", "text/plain"], ["cache-control", "no-store"], ...fields], body: `${why}\n` };
  };

  const refuse = (path: string, refusal: Refusal): Response => {
    log(lineOf(path, refusal));
    return answer(refusal);
  };
  async function refuseToken(refusal: Refusal, waitMs: number | undefined): Promise<Response> {
    if (waitMs === undefined) return answer({ status: 429, why: "there are too many wrong tokens" }, [["retry-after", "5"]]);
    if (waitMs > 0) await wrongTokens.wait(waitMs);
    return answer(refusal, [["www-authenticate", 'Bearer realm="touchstone channel"']]);
  }

  function refuses(request: Request): Response | undefined {
    const why = refusedHost(request.authority, hosts);
    return why === undefined ? undefined : refuse(request.path.split("?", 1)[0] ?? "", { status: 421, why });
  }
  function handle(request: Request, exchange: Exchange): Response | Promise<Response> | undefined {
    // The query stays out of logs, since some clients put secrets there.
    const [path = "", query = ""] = request.path.split("?", 2);
    if (!path.startsWith(SESSIONS_PATH)) return undefined;
    const misdirected = refuses(request);
    if (misdirected !== undefined) return misdirected;
    const role = authenticate(request.fields);
    if (role === "anonymous" || role === "unknown") {
      const why = role === "anonymous" ? "a token is required" : "the token is invalid";
      const refusal: Refusal = { status: 401, why };
      const address = exchange.connection.remoteAddress ?? "";
      return refuseToken(refusal, wrongTokens.note(address, lineOf(path, refusal), now()));
    }
    const admission = hub.admit(role, path.slice(SESSIONS_PATH.length), new URLSearchParams(query));
    if ("status" in admission) return refuse(path, admission);
    const own = `${request.scheme}://${request.authority}`;
    const isOwn = request.fields.get("origin")?.toLowerCase() === own.toLowerCase();
    return webSocket(
      request,
      exchange,
      (socket) => {
        const member = admission.enter(peerOf(socket), now());
        log(`${role} attached to ${admission.session}`);
        listen(socket, member, { ended: (code) => log(`${role} left ${admission.session} (${code})`), after: watchDeadline });
        watchDeadline();
      },
      isOwn ? sameOrigin : otherOrigin,
    );
  }

  return {
    hub,
    handle,
    refuses,
    close() {
      isClosed = true;
      wrongTokens.close();
      watch.delete(timed);
    },
  };
}
