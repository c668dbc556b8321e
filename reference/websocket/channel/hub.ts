import { NEVER, type Instant } from "../../core/index.ts";
import { DEFAULT_CHANNEL_LIMITS, type ChannelLimits } from "./limits.ts";
import type { Member } from "./member.ts";
import { isId, type Peer } from "./protocol.ts";
import { TerminalSession } from "./terminal-session.ts";
import type { Terminals } from "./terminals.ts";

/** What a token allows its bearer to be. A watcher is a client that sees output and may not type. */
export type Role = "agent" | "client" | "watcher";
/** A refusal before the upgrade, with its HTTP status. */
export type Refusal = { readonly status: 400 | 401 | 403 | 404 | 409 | 421 | 429 | 503; readonly why: string };
/** An admitted request; `enter` is to be called once the connection is open. */
export type Admission = { readonly session: string; readonly enter: (peer: Peer, now: Instant) => Member };

/** The path of a session is this and its name. */
export const SESSIONS_PATH = "/api/ws/sessions/";

/** The sessions of a server, by name. It decides before the upgrade whether a connection is admitted; its owner authenticates the request. */
export class Hub {
  readonly limits: ChannelLimits;
  readonly #terminals: Terminals;
  readonly #sessions = new Map<string, TerminalSession>();

  constructor(limits: Partial<ChannelLimits> = {}, terminals: Terminals = {}) {
    this.#terminals = terminals;
    this.limits = { ...DEFAULT_CHANNEL_LIMITS, ...limits };
  }

  get size(): number {
    return this.#sessions.size;
  }
  session(id: string): TerminalSession | undefined {
    return this.#sessions.get(id);
  }

  /**
   * Judges a request for session `id`. An agent gives its `run`. A client gives its name as `client`, what it has seen already as `run` and
   * `from`, and `mode=watch` to be a watcher. `enter` judges again, since time has passed: a connection without a place closes with 1013.
   */
  admit(role: Role, id: string, query: URLSearchParams): Admission | Refusal {
    if (!isId(id)) return { status: 404, why: "this is not a valid session name" };
    return role === "agent" ? this.#admitAgent(id, query) : this.#admitClient(id, query, role === "watcher");
  }

  #admitAgent(id: string, query: URLSearchParams): Admission | Refusal {
    const run = query.get("run") ?? "";
    if (!isId(run)) return { status: 400, why: "an agent gives its run: ?run=" };
    const refusal = (): Refusal | undefined => {
      const session = this.#sessions.get(id);
      if (session === undefined)
        return this.size < this.limits.sessions || this.#ended !== undefined
          ? undefined
          : { status: 503, why: "there are too many sessions" };
      const why = session.refusesAgent(run);
      return why === undefined ? undefined : { status: 409, why };
    };
    return (
      refusal() ?? {
        session: id,
        enter: (peer, now) => {
          const late = refusal();
          if (late !== undefined) return turnAway(peer, late.why);
          let session = this.#sessions.get(id);
          const ended = session === undefined && this.size >= this.limits.sessions ? this.#ended : undefined;
          if (ended !== undefined) this.#end(ended);
          if (session === undefined)
            this.#sessions.set(id, (session = new TerminalSession({ id, limits: this.limits, ...this.#terminals }, now)));
          return session.offer(peer, run, now);
        },
      }
    );
  }

  #admitClient(id: string, query: URLSearchParams, mayOnlyWatch: boolean): Admission | Refusal {
    const client = query.get("client") ?? "";
    if (!isId(client)) return { status: 400, why: "a client gives its name: ?client=" };
    const run = query.get("run") ?? "";
    const from = query.get("from") ?? "0";
    if (!/^\d{1,16}$/.test(from) || !Number.isSafeInteger(Number(from))) return { status: 400, why: "?from= must be an offset" };
    const mode = query.get("mode") ?? "type";
    if (mode !== "type" && mode !== "watch") return { status: 400, why: "?mode= must be type or watch" };
    const watches = mayOnlyWatch || mode === "watch";
    const refusal = (): Refusal | undefined => {
      const session = this.#sessions.get(id);
      if (session === undefined) return { status: 404, why: "there is no such session" };
      const returns = [...session.clients].some((other) => other.id === client && other.watches === watches);
      return returns || session.clients.size < this.limits.clients ? undefined : { status: 503, why: "the session has too many clients" };
    };
    return (
      refusal() ?? {
        session: id,
        enter: (peer, now) => {
          const late = refusal();
          const session = this.#sessions.get(id);
          if (late !== undefined || session === undefined) return turnAway(peer, late?.why ?? "");
          return session.attach(peer, { client, run, from: Number(from), watches }, now);
        },
      }
    );
  }

  /** The oldest session that nobody uses and whose shell has ended: it makes room for another one. */
  get #ended(): TerminalSession | undefined {
    return this.#sessions.values().find(({ agent, clients, hasAgent }) => agent === "exited" && clients.size === 0 && !hasAgent);
  }
  #end(session: TerminalSession): void {
    this.#sessions.delete(session.id);
    session.abandon();
  }

  get deadline(): Instant {
    let least = NEVER;
    for (const session of this.#sessions.values()) if (session.deadline < least) least = session.deadline;
    return least;
  }
  tick(now: Instant): void {
    for (const session of this.#sessions.values()) {
      session.tick(now);
      if (session.abandonedAt <= now) this.#end(session);
    }
  }
}

/** Closes the connection: the place that was free at the request has been taken. */
function turnAway(peer: Peer, why: string): Member {
  peer.close(1013, why);
  return { text: () => {}, binary: () => {}, closed: () => {}, deadline: NEVER, tick: () => {} };
}
