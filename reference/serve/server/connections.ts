import type { Server as NetServer, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { field, type Field } from "../../core/index.ts";
import { type Alternative, formatAlternative } from "../../http/index.ts";
import { DEFAULT_LIMITS } from "../../http2/index.ts";
import type { Handler, Closable } from "../handler.ts";
import type { OfferedUpgrade, ServerSetup, ServerVersion } from "../version.ts";
import { speaksHttp3Alone, type Alpn, type AnyVersion, UNNEGOTIATED, versionsOf } from "../versions.ts";
import type { AnyServerConnection, ServerContext, StreamServerConnection } from "./connection.ts";
import { FirstOctets, type Prefaced } from "./first-octets.ts";
import type { ServeOptions } from "./options.ts";
import { answerHttp1, answerUnauthenticated } from "./refuse-http1.ts";

/** How long a client of HTTP/1.1 may take to read its refusal. */
const REFUSAL_MS = 5_000;

/** A connection, as far as closing the server concerns it. */
type Member = { shutdown(): void; destroy(): void };

/** A version, ready to accept sockets. */
type Spoken = { readonly version: AnyVersion; readonly server: ServerVersion };

/** The connections of one server, in all versions. */
export class Connections {
  /** In order of preference. */
  readonly alpn: readonly Alpn[];
  /** What all connections share. */
  readonly context: ServerContext;
  readonly #members = new Set<Member>();
  /** Sockets that speak another protocol now. One function listens to all of them: closures would be a tenth of their cost. */
  readonly #switched = new Set<Duplex>();
  readonly #switchedClosed: (this: Duplex) => void;
  /** Handlers' work that does not end by itself. */
  readonly #closing = new Set<Closable>();
  readonly #spoken: readonly Spoken[];
  /** The version of clients that send no preface. */
  readonly #unprefaced: ServerVersion;
  readonly #upgrade: OfferedUpgrade | undefined;
  readonly #prefaced: readonly Prefaced<ServerVersion>[];
  readonly #options: ServeOptions;
  /** Transports whose TLS handshake may be incomplete. */
  readonly #transports = new Set<Socket>();
  #count = 0;
  #alternative: Field | undefined;
  #allGone: (() => void) | undefined;

  constructor(handler: Handler, options: ServeOptions) {
    const versions = versionsOf(options.alpn);
    this.alpn = versions.map(({ alpn }) => alpn);
    this.#options = options;
    const gone = (socket: Duplex): void => {
      this.#switched.delete(socket);
      if (this.size === 0) this.#allGone?.();
    };
    this.#switchedClosed = function closed(this: Duplex) {
      gone(this);
    };
    this.context = this.#contextOf(handler, options);
    const setup: ServerSetup = {
      context: this.context,
      idleMs: options.idleMs,
      stallMs: options.stallMs,
      filter: options.filter,
      // Nothing is served over byte streams where HTTP/3 is spoken alone.
      wrong: speaksHttp3Alone(options.alpn) ? {} : { faults: options.faults, faultByRequest: options.faultByRequest },
      isAlone: versions.length === 1,
      upgrade: () => this.#upgrade,
      switched: (socket) => this.#watch(socket),
    };
    const [preferred, ...others] = versions;
    const prepared = (version: AnyVersion): Spoken => ({ version, server: version.server(setup, options) });
    const spoken: readonly [Spoken, ...Spoken[]] = [prepared(preferred), ...others.map(prepared)];
    this.#spoken = spoken;
    this.#unprefaced = (spoken.find(({ version }) => version === UNNEGOTIATED) ?? spoken[0]).server;
    this.#upgrade = this.#upgradeOf(spoken.map(({ server }) => server));
    this.#prefaced = spoken.flatMap(({ version: { preface }, server }) => (preface === undefined ? [] : [{ version: server, preface }]));
  }

  /** From now on responses over TCP say where else the server is. */
  advertise(alternative: Alternative): void {
    this.#alternative = field("alt-svc", formatAlternative(alternative));
  }
  #contextOf(handler: Handler, { date = true, onError }: ServeOptions): ServerContext {
    const alternative = (): Field | undefined => this.#alternative;
    return {
      handler,
      sendsDate: date,
      get alternative() {
        return alternative();
      },
      closing: this.#closing,
      failed: (error, request) => {
        if (onError !== undefined) onError(error, request);
        else if (request === undefined) console.error("touchstone: a handler failed after it switched protocols:", error);
        else console.error(`touchstone: the handler of ${request.method} ${request.path} failed:`, error);
      },
      gone: ({ drive }, error) => this.#gone(drive, error),
    };
  }
  #upgradeOf(versions: readonly ServerVersion[]): OfferedUpgrade | undefined {
    const upgrade = versions.find((version) => version.upgrade !== undefined)?.upgrade;
    if (upgrade === undefined) return undefined;
    const { token, offered } = upgrade;
    return {
      token,
      offered,
      goOn: (upgraded) => this.#join(upgrade.goOn(upgraded, ++this.#count)).drive.feed(upgraded.rest),
    };
  }

  get size(): number {
    return this.#members.size + this.#switched.size;
  }

  accept(socket: Duplex): void {
    if (this.#spoken.length === 1) {
      this.#accept(socket, this.#unprefaced);
      return;
    }
    const first: FirstOctets<ServerVersion> = new FirstOctets({
      socket,
      withinMs: this.#options.http2?.limits?.prefaceMs ?? DEFAULT_LIMITS.prefaceMs,
      prefaced: this.#prefaced,
      otherwise: this.#unprefaced,
      known: (version, octets) => {
        this.#members.delete(first);
        this.#accept(socket, version).drive.feed(octets);
      },
      gone: (error) => this.#gone(first, error),
    });
    this.#members.add(first);
  }
  acceptTls(socket: TLSSocket): void {
    // Without ALPN the client cannot mean HTTP/2 (rfc9113#3.2).
    const alpn = socket.alpnProtocol || UNNEGOTIATED.alpn;
    const agreed = this.#spoken.find(({ version }) => version.alpn === alpn);
    if (agreed !== undefined) {
      this.#accept(socket, agreed.server);
      return;
    }
    this.#answer(socket, answerHttp1());
  }
  /** A client that has not authenticated itself: no handler sees it, and it learns why (rfc8446#4.4.2.4). */
  refuseTls(socket: TLSSocket, why: string): void {
    const alpn = socket.alpnProtocol || UNNEGOTIATED.alpn;
    const agreed = this.#spoken.find(({ version }) => version.alpn === alpn);
    this.#options.onError?.(new Error(`the client at ${socket.remoteAddress} is not authenticated: ${why}`));
    if (agreed === undefined || agreed.version === UNNEGOTIATED) this.#answer(socket, answerUnauthenticated(why));
    else this.#accept(socket, agreed.server).info.abort("INADEQUATE_SECURITY");
  }
  /** Sends a response that the client can read, whatever it asks, and closes. */
  #answer(socket: TLSSocket, octets: Uint8Array): void {
    socket.on("error", (error) => this.#options.onError?.(error));
    socket.setTimeout(REFUSAL_MS, () => socket.destroy());
    socket.end(octets);
    socket.resume();
  }
  /** A transport whose TLS handshake has begun. */
  handshake(socket: Socket): void {
    this.#transports.add(socket);
    socket.once("close", () => this.#transports.delete(socket));
  }

  #accept(socket: Duplex, version: ServerVersion): StreamServerConnection {
    return this.#join(version.accept(socket, ++this.#count));
  }
  /** The number of the next connection. */
  count(): number {
    return ++this.#count;
  }
  /** A connection over datagrams, which its own listener has accepted. */
  joined({ drive }: AnyServerConnection): void {
    this.#members.add(drive);
  }
  #join(connection: StreamServerConnection): StreamServerConnection {
    this.#members.add(connection.drive);
    return connection;
  }
  /** Closes a socket in other hands with the server. */
  #watch(socket: Duplex): void {
    this.#switched.add(socket);
    socket.on("error", IGNORED).on("close", this.#switchedClosed);
  }
  #gone(member: Member, error?: Error): void {
    this.#members.delete(member);
    if (error !== undefined) this.#options.onError?.(error);
    if (this.size === 0) this.#allGone?.();
  }

  /** `server` accepts no further connections from now on; `last` runs when the others have ended. */
  async close(server: NetServer | undefined, graceMs: number, last?: () => Promise<void>): Promise<void> {
    const closed = new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    const gone = new Promise<void>((resolve) => {
      this.#allGone = resolve;
      if (this.size === 0) resolve();
    });
    for (const each of this.#closing) each.shutdown();
    for (const member of this.#members) member.shutdown();
    const late = setTimeout(() => {
      for (const member of this.#members) member.destroy();
      for (const socket of this.#switched) socket.destroy();
    }, graceMs);
    await gone;
    clearTimeout(late);
    for (const socket of this.#transports) socket.destroy();
    await last?.();
    await closed;
  }
}

const IGNORED = (): void => {};
