import type { Server as NetServer, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { Bug } from "../../core/index.ts";
import { DEFAULT_LIMITS } from "../../http2/index.ts";
import type { Handler, Closable } from "../handler.ts";
import type { OfferedUpgrade, ServerSetup, ServerVersion } from "../version.ts";
import { alpnOf, VERSIONS, type Alpn } from "../versions.ts";
import type { ServerContext, StreamServerConnection } from "./connection.ts";
import { FirstOctets, type Prefaced } from "./first-octets.ts";
import type { ServeOptions } from "./options.ts";
import { answerHttp1 } from "./refuse-http1.ts";

/** How long a client of HTTP/1.1 may take to read its refusal. */
const REFUSAL_MS = 5_000;

/** A connection, as far as closing the server concerns it. */
type Member = { shutdown(): void; destroy(): void };

/** The connections of one server, in all versions. */
export class Connections {
  readonly alpn: readonly Alpn[];
  readonly #members = new Set<Member>();
  /** Sockets that speak another protocol now. One function listens to all of them: closures would be a tenth of their cost. */
  readonly #switched = new Set<Duplex>();
  readonly #switchedClosed: (this: Duplex) => void;
  /** Handlers' work that does not end by itself. */
  readonly #closing = new Set<Closable>();
  readonly #versions: ReadonlyMap<Alpn, ServerVersion>;
  readonly #upgrade: OfferedUpgrade | undefined;
  readonly #prefaced: readonly Prefaced<Alpn>[];
  readonly #options: ServeOptions;
  /** Transports whose TLS handshake may be incomplete. */
  readonly #transports = new Set<Socket>();
  #count = 0;
  #allGone: (() => void) | undefined;

  constructor(handler: Handler, options: ServeOptions) {
    this.alpn = alpnOf(options.alpn);
    this.#options = options;
    const gone = (socket: Duplex): void => {
      this.#switched.delete(socket);
      if (this.size === 0) this.#allGone?.();
    };
    this.#switchedClosed = function closed(this: Duplex) {
      gone(this);
    };
    const setup: ServerSetup = {
      context: this.#context(handler, options),
      idleMs: options.idleMs,
      stallMs: options.stallMs,
      filter: options.filter,
      isAlone: this.alpn.length === 1,
      upgrade: () => this.#upgrade,
      switched: (socket) => this.#watch(socket),
    };
    this.#versions = new Map(this.alpn.map((name) => [name, VERSIONS[name].server(setup, options)]));
    this.#upgrade = this.#upgradeOf([...this.#versions.values()]);
    this.#prefaced = this.alpn.flatMap((name) => {
      const { preface } = VERSIONS[name];
      return preface === undefined ? [] : [{ name, preface }];
    });
  }

  #context(handler: Handler, { date = true, onError }: ServeOptions): ServerContext {
    return {
      handler,
      sendsDate: date,
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
    const [preferred = "http/1.1", ...others] = this.alpn;
    if (others.length === 0) {
      this.#accept(socket, preferred);
      return;
    }
    const first: FirstOctets<Alpn> = new FirstOctets({
      socket,
      withinMs: this.#options.http2?.limits?.prefaceMs ?? DEFAULT_LIMITS.prefaceMs,
      prefaced: this.#prefaced,
      otherwise: this.alpn.includes("http/1.1") ? "http/1.1" : preferred,
      known: (name, octets) => {
        this.#members.delete(first);
        this.#accept(socket, name).drive.feed(octets);
      },
      gone: (error) => this.#gone(first, error),
    });
    this.#members.add(first);
  }
  acceptTls(socket: TLSSocket): void {
    // Without ALPN the client cannot mean HTTP/2 (rfc9113#3.2).
    const agreed = this.alpn.find((name) => name === (socket.alpnProtocol || "http/1.1"));
    if (agreed !== undefined) {
      this.#accept(socket, agreed);
      return;
    }
    // It gets a response that it can read.
    socket.on("error", (error) => this.#options.onError?.(error));
    socket.setTimeout(REFUSAL_MS, () => socket.destroy());
    socket.end(answerHttp1());
    socket.resume();
  }
  /** A transport whose TLS handshake has begun. */
  handshake(socket: Socket): void {
    this.#transports.add(socket);
    socket.once("close", () => this.#transports.delete(socket));
  }

  #accept(socket: Duplex, name: Alpn): StreamServerConnection {
    const version = this.#versions.get(name);
    if (version === undefined) throw new Bug(`${name} was selected and is not prepared`);
    return this.#join(version.accept(socket, ++this.#count));
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

  async close(server: NetServer, graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
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
    await closed;
  }
}

const IGNORED = (): void => {};
