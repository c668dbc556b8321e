import type { TLSSocket } from "node:tls";
import type { Place } from "./tcp.ts";

/** Where a session is of use. */
type Server = Pick<Place, "host" | "port"> & {
  /** The name that its certificate has to have, if that is not the host. */
  readonly name?: string;
};

/** Servers whose sessions are kept. */
const MOST = 100;

/**
 * The TLS sessions of one client, the newest of each server (rfc8446#2.2). They belong to one set of TLS options: a resumed handshake shows no
 * certificates, so that both ends rely on what they verified before.
 */
export class Sessions<Session> {
  readonly #kept = new Map<string, Session>();

  /** Takes the session of a server out: a ticket that is sent twice links two connections for anyone who listens (rfc8446, appendix C.4). */
  take(server: Server): Session | undefined {
    const key = keyOf(server);
    const session = this.#kept.get(key);
    this.#kept.delete(key);
    return session;
  }
  put(server: Server, session: Session): void {
    const key = keyOf(server);
    this.#kept.delete(key);
    this.#kept.set(key, session);
    if (this.#kept.size <= MOST) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** Those of connections over TCP. */
export class TlsSessions extends Sessions<Buffer> {
  /** Keeps the sessions that the server gives on this connection. */
  keep(place: Place, socket: TLSSocket): void {
    socket.on("session", (session: Buffer) => this.put(place, session));
    // TLS 1.2 gives no new session when it resumes one (rfc5246#7.3), and its identifier is in clear text anyway.
    socket.once("secureConnect", () => {
      const session = socket.isSessionReused() && socket.getProtocol() !== "TLSv1.3" ? socket.getSession() : undefined;
      if (session !== undefined) this.put(place, session);
    });
  }
}

const keyOf = ({ host, port, name = host }: Server): string => `${host} ${port} ${name}`;
