import { Misuse } from "../../core/index.ts";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { dialClear, dialTls, fromUrl, inUrl, TlsSessions, type Place } from "../../io/index.ts";
import { checkFaults, clientFaults } from "../faults/index.ts";
import type { Http3Dialler } from "../http3/dial.ts";
import type { ClientSetup } from "../version.ts";
import { type AnyVersion, HTTP3, speaksHttp3, speaksHttp3Alone, UNNEGOTIATED, versionsOf } from "../versions.ts";
import { Alternatives } from "./alternatives.ts";
import type { AnyClientConnection, Origin } from "./connection.ts";
import type { ClientResponse } from "./exchange.ts";
import type { ConnectOptions } from "./options.ts";
import { race } from "./race.ts";
import { AttemptLimit, type Offered, reach } from "./reach.ts";

/** Where a URL leads. */
export type Destination = Place & { readonly isSecure: boolean; readonly origin: Origin };

export function placeOf(url: string | URL): Destination {
  const target = URL.parse(url);
  if (target === null) throw new Misuse(`"${String(url)}" is not a URL: give one such as http://127.0.0.1:8080/`);
  if (target.protocol !== "http:" && target.protocol !== "https:") {
    throw new Misuse(`"${target.protocol}" is not supported: give an http: or https: URL`);
  }
  const isSecure = target.protocol === "https:";
  return {
    host: fromUrl(target.hostname),
    port: Number(target.port || (isSecure ? 443 : 80)),
    isSecure,
    origin: { scheme: isSecure ? "https" : "http", authority: target.host },
  };
}

const CONNECT_MS = 10_000;

/** The versions that a client speaks, ready to connect. */
export class Dialler {
  /** In order of preference. */
  readonly versions: readonly AnyVersion[];
  readonly #options: ConnectOptions;
  /** The versions that a server may choose over TLS. */
  readonly #offered: readonly Offered[];
  /** The version that connections in clear text start with. */
  readonly #inClear: Offered;
  readonly #sessions: TlsSessions | undefined;
  #http3: Http3Dialler | undefined;
  readonly #alternatives: Alternatives;

  constructor(options: ConnectOptions) {
    const versions = versionsOf(options.alpn);
    this.versions = versions;
    this.#options = options;
    this.#alternatives = new Alternatives(options.tls?.verify !== false);
    this.#sessions = options.tls?.resume === false ? undefined : new TlsSessions();
    const setup: ClientSetup = {
      stallMs: options.stallMs,
      unreadMs: options.unreadMs,
      filterOf: (protocol) => clientFaults(protocol, options.faults ?? []) ?? options.filter,
      upgrade: (origin) => upgraded?.client.upgrade?.(origin),
    };
    const prepared = (version: AnyVersion): Offered => ({ version, client: version.client(setup, options) });
    const [preferred, ...others] = versions;
    const offered: readonly [Offered, ...Offered[]] = [prepared(preferred), ...others.map(prepared)];
    const startsBy = (way: "prior-knowledge" | "upgrade"): Offered | undefined =>
      offered.find(({ version }) => version.inClear?.(options) === way);
    const upgraded = startsBy("upgrade");
    const known = startsBy("prior-knowledge");
    const unnegotiated = offered.find(({ version }) => version === UNNEGOTIATED);
    this.#offered = offered;
    // An upgrade begins in the version that needs no choice, whether or not `alpn` names it.
    this.#inClear = upgraded === undefined ? (known ?? unnegotiated ?? offered[0]) : (unnegotiated ?? prepared(UNNEGOTIATED));
  }

  /** Connects, and agrees with the server on a version; until `signal` ends the attempt. */
  async open(to: Destination, signal?: AbortSignal): Promise<AnyClientConnection> {
    const { alpn } = this.#options;
    if (speaksHttp3Alone(alpn)) {
      if (!to.isSecure) throw new Misuse("HTTP/3 has no clear text: give an https: URL");
      return this.#openHttp3(to, to, signal);
    }
    const place = this.#placeOfHttp3(to);
    if (place === undefined) return this.#openStream(to, signal);
    const { headStartMs } = this.#options.http3 ?? {};
    return race({
      first: (until) => this.#openHttp3(place, to, until),
      second: (until) => this.#openStream(to, until),
      lost: () => this.#alternatives.avoid(place),
      late: () => this.#alternatives.forgive(place),
      ...(signal !== undefined && { signal }),
      ...(headStartMs !== undefined && { headStartMs }),
    });
  }

  /** Takes note of what a response says about other places of its origin (rfc7838#3). */
  heard(to: Destination, { fields, version }: Pick<ClientResponse, "fields" | "version">): void {
    if (!to.isSecure || version === HTTP3.http || !speaksHttp3(this.#options.alpn)) return;
    const value = fields.get("alt-svc");
    if (value !== undefined) this.#alternatives.heard(to, value);
  }
  /** Whether the next connection would be tried in HTTP/3 at a place that the origin has named. */
  knowsAlternative(to: Destination): boolean {
    return speaksHttp3(this.#options.alpn) && this.#alternatives.of(to) !== undefined;
  }

  /** Where to try HTTP/3: where the origin has said, or at its own port if that is the preferred version. */
  #placeOfHttp3(to: Destination): Place | undefined {
    const { alpn } = this.#options;
    if (!to.isSecure || !speaksHttp3(alpn)) return undefined;
    const place = this.#alternatives.of(to) ?? (alpn?.[0] === HTTP3.alpn ? to : undefined);
    return place === undefined || this.#alternatives.isAvoided(place) ? undefined : place;
  }

  /** Loaded on demand: other clients do not need QUIC. */
  async #openHttp3(place: Place, to: Destination, signal: AbortSignal | undefined): Promise<AnyClientConnection> {
    const { tls = {}, connectMs = CONNECT_MS, faults = [], http3 = {}, stallMs } = this.#options;
    const { Http3Dialler } = await import("../http3/dial.ts");
    this.#http3 ??= new Http3Dialler(tls, http3, { stallMs, faults });
    const limit = new AttemptLimit(place, connectMs, [signal, this.#options.signal]);
    const isElsewhere = place.host !== to.host || place.port !== to.port;
    const origin = isElsewhere ? { ...to.origin, altUsed: `${inUrl(place.host)}:${place.port}` } : to.origin;
    try {
      return await this.#http3.open(place, origin, { signal: limit.signal, name: to.host });
    } finally {
      limit.end();
    }
  }

  async #openStream(to: Destination, signal?: AbortSignal): Promise<AnyClientConnection> {
    const { tls = {}, connectMs = CONNECT_MS, faults = [] } = this.#options;
    const offered = to.isSecure ? this.#offered : [this.#inClear];
    checkFaults(
      faults,
      offered.map(({ version }) => version.name),
      "client",
    );
    const names = this.versions.map(({ alpn }) => alpn);
    const limit = new AttemptLimit(to, connectMs, [signal, this.#options.signal]);
    try {
      const through = await this.#through(to, limit.signal);
      const place = through === undefined ? to : { ...to, through };
      const socket = to.isSecure ? dialTls(place, tls, names, this.#sessions) : ((through as Socket | undefined) ?? dialClear(to));
      return await reach(socket, { place: to, origin: to.origin, offered, signal: limit.signal });
    } finally {
      limit.end();
    }
  }

  /** The connection through another server, if there is one. It is closed if it is ready too late. */
  async #through(to: Destination, signal: AbortSignal): Promise<Duplex | undefined> {
    signal.throwIfAborted();
    const tunnel = this.#options.tunnel?.(`${inUrl(to.host)}:${to.port}`, to.isSecure, signal);
    if (tunnel === undefined) return undefined;
    const over = Promise.withResolvers<never>();
    // A tunnel that obeys the signal says more about the failure, and says it sooner.
    const stop = (): void => void setImmediate(() => over.reject(signal.reason));
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([tunnel, over.promise]);
    } catch (error) {
      tunnel.then(
        (late) => late.destroy(),
        () => {},
      );
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}
