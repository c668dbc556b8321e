import { Misuse, NEVER, type Instant } from "../../core/index.ts";
import { now, watch, type Timed } from "../../io/index.ts";
import { Hub, SESSIONS_PATH, type ChannelLimits, type Peer, type Refusal } from "../../websocket/channel/index.ts";
import type { OriginPolicy, ServerPolicy } from "../../websocket/index.ts";
import type { Request, Response } from "../../http/index.ts";
import type { Exchange } from "../exchange.ts";
import { upgrade } from "./carry.ts";
import { identifier, SUB_PROTOCOL, wrongToken, type Tokens } from "./tokens.ts";

export type ChannelOptions = {
  readonly tokens: Tokens;
  readonly limits?: Partial<ChannelLimits>;
  /** Pages of other origins that may attach too; or what a function says. Pages of the server's own origin alone, by default. */
  readonly origins?: OriginPolicy;
  /** A line for each refusal, and for who comes and goes. Nothing secret is in it. */
  readonly log?: (line: string) => void;
};

/** The channel as part of a handler: it answers what lies under `/api/ws/sessions/`, and has nothing to say of the rest. */
export type Channel = {
  readonly hub: Hub;
  handle(request: Request, exchange: Exchange): Response | undefined;
  /** Closes all connections with 1001. */
  close(): void;
};

/** What a peer has sent, fit for one line of a log. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 120);

export function channel(options: ChannelOptions): Channel {
  const { tokens, origins, log = () => {} } = options;
  const bad = wrongToken(tokens.agent) ?? wrongToken(tokens.client);
  if (bad !== undefined) throw new Misuse(bad);
  if (tokens.agent === tokens.client) throw new Misuse("agents and clients need different tokens");
  const hub = new Hub(options.limits);
  const whois = identifier(tokens);
  const open = new Set<() => void>();
  const timed: Timed = {
    get deadline() {
      return open.size === 0 && hub.size === 0 ? NEVER : hub.deadline;
    },
    due: (at: Instant) => hub.tick(at),
  };
  const { messageOctets } = hub.limits;

  const refuse = (path: string, { status, why }: Refusal, fields: readonly (readonly [string, string])[] = []): Response => {
    log(`refused ${status} ${printable(path)}: ${printable(why)}`);
    return { status, fields: [["content-type", "text/plain"], ["cache-control", "no-store"], ...fields], body: `${why}\n` };
  };

  function handle(request: Request, exchange: Exchange): Response | undefined {
    // What follows the question mark stays out of logs: some put there what is secret.
    const [path = "", query = ""] = request.path.split("?", 2);
    if (!path.startsWith(SESSIONS_PATH)) return undefined;
    const role = whois(request.fields);
    if (role === "nobody" || role === "stranger") {
      const why = role === "nobody" ? "a token is needed" : "this token opens nothing";
      return refuse(path, { status: 401, why }, [["www-authenticate", 'Bearer realm="touchstone channel"']]);
    }
    const found = hub.admit(role, path.slice(SESSIONS_PATH.length), new URLSearchParams(query));
    if ("status" in found) return refuse(path, found);
    const own = `${request.scheme}://${request.authority}`;
    const policy: ServerPolicy = {
      ...(origins !== undefined && { origins: typeof origins === "function" ? origins : [own, ...origins] }),
      protocols: [SUB_PROTOCOL],
    };
    const { response, refused } = upgrade(request, exchange, policy, { messageOctets }, (peer: Peer, drop) => {
      const member = found.enter(peer, now());
      open.add(drop);
      watch.add(timed);
      log(`${role} attached to ${found.session}`);
      return {
        text(text) {
          member.text(text, now());
          watch.add(timed);
        },
        binary(octets) {
          member.binary(octets, now());
          watch.add(timed);
        },
        closed(code) {
          open.delete(drop);
          member.closed(now());
          watch.add(timed);
          log(`${role} left ${found.session} (${code})`);
        },
      };
    });
    if (refused !== undefined) log(`refused ${response.status} ${printable(path)}: ${printable(refused)}`);
    return response;
  }

  return {
    hub,
    handle,
    close() {
      watch.delete(timed);
      for (const drop of open) drop();
    },
  };
}
