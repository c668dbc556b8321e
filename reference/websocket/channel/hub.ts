import { NEVER, type Instant } from "../../core/index.ts";
import { DEFAULT_CHANNEL_LIMITS, type ChannelLimits } from "./limits.ts";
import { isId, type Peer } from "./protocol.ts";
import { Session, type Member } from "./session.ts";

/** Who asks: the token has told which. A watcher is a client that sees, and does not type. */
export type Role = "agent" | "client" | "watcher";
/** Refused before the upgrade, with a status of HTTP and why. */
export type Refusal = { readonly status: 400 | 401 | 403 | 404 | 409 | 421 | 503; readonly why: string };
/** Let in: to be called once the connection stands. */
export type Admission = { readonly session: string; readonly enter: (peer: Peer, now: Instant) => Member };

/** The path of a session, and its name. */
export const SESSIONS_PATH = "/api/ws/sessions/";

/** The sessions of a server, by name. Answers before the upgrade whether a connection may come; the owner identifies who asks. */
export class Hub {
  readonly limits: ChannelLimits;
  readonly #sessions = new Map<string, Session>();

  constructor(limits: Partial<ChannelLimits> = {}) {
    this.limits = { ...DEFAULT_CHANNEL_LIMITS, ...limits };
  }

  get size(): number {
    return this.#sessions.size;
  }
  session(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /**
   * Judges a request for `id`. An agent names its `run`; a client names itself by `client`, and by `run` and `from` what it has seen already; with `mode=watch` it is no more than a watcher.
   * Since connections are made later, the judgement is made again in `enter`, where a session that is full by now closes with 1013.
   */
  admit(role: Role, id: string, query: URLSearchParams): Admission | Refusal {
    if (!isId(id)) return { status: 404, why: "no session can have this name" };
    return role === "agent" ? this.#admitAgent(id, query) : this.#admitClient(id, query, role === "watcher");
  }

  #admitAgent(id: string, query: URLSearchParams): Admission | Refusal {
    const run = query.get("run") ?? "";
    if (!isId(run)) return { status: 400, why: "an agent names its run: ?run=" };
    const refusal = (): Refusal | undefined => {
      const session = this.#sessions.get(id);
      if (session === undefined) return this.size < this.limits.sessions ? undefined : { status: 503, why: "there are too many sessions" };
      const why = session.refusesAgent(run);
      return why === undefined ? undefined : { status: 409, why };
    };
    return (
      refusal() ?? {
        session: id,
        enter: (peer, now) => {
          const late = refusal();
          if (late !== undefined) return shut(peer, late.why);
          let session = this.#sessions.get(id);
          if (session === undefined) this.#sessions.set(id, (session = new Session(id, this.limits, now)));
          return session.offer(peer, run);
        },
      }
    );
  }

  #admitClient(id: string, query: URLSearchParams, mayOnlyWatch: boolean): Admission | Refusal {
    const client = query.get("client") ?? "";
    if (!isId(client)) return { status: 400, why: "a client names itself: ?client=" };
    const run = query.get("run") ?? "";
    const from = query.get("from") ?? "0";
    if (!/^\d{1,16}$/.test(from) || !Number.isSafeInteger(Number(from))) return { status: 400, why: "?from= is an offset" };
    const mode = query.get("mode") ?? "type";
    if (mode !== "type" && mode !== "watch") return { status: 400, why: "?mode= is type or watch" };
    const watches = mayOnlyWatch || mode === "watch";
    const refusal = (): Refusal | undefined => {
      const session = this.#sessions.get(id);
      if (session === undefined) return { status: 404, why: "there is no such session" };
      const isBack = [...session.clients].some((other) => other.id === client && other.watches === watches);
      return isBack || session.clients.size < this.limits.clients ? undefined : { status: 503, why: "the session has too many clients" };
    };
    return (
      refusal() ?? {
        session: id,
        enter: (peer, now) => {
          const late = refusal();
          const session = this.#sessions.get(id);
          if (late !== undefined || session === undefined) return shut(peer, late?.why ?? "");
          return session.attach(peer, { client, run, from: Number(from), watches }, now);
        },
      }
    );
  }

  get deadline(): Instant {
    let least = NEVER;
    for (const session of this.#sessions.values()) if (session.deadline < least) least = session.deadline;
    return least;
  }
  tick(now: Instant): void {
    for (const session of this.#sessions.values()) {
      session.tick(now);
      if (session.over > now) continue;
      this.#sessions.delete(session.id);
      session.abandon();
    }
  }
}

/** What was free when asked for has been taken meanwhile. */
function shut(peer: Peer, why: string): Member {
  peer.close(1013, why);
  return { text: () => {}, binary: () => {}, closed: () => {} };
}
