import { Misuse } from "../../core/index.ts";
import { dialClear, dialTls, fromUrl, type Place } from "../../io/index.ts";
import type { ClientSetup, ClientVersion } from "../version.ts";
import { alpnOf, VERSIONS, type Alpn } from "../versions.ts";
import type { AnyClientConnection, Origin } from "./connection.ts";
import type { ConnectOptions } from "./options.ts";
import { reach } from "./reach.ts";

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

/** The versions that a client speaks, ready to connect. */
export class Dialler {
  readonly alpn: readonly Alpn[];
  readonly #options: ConnectOptions;
  readonly #versions: ReadonlyMap<Alpn, ClientVersion>;

  constructor(options: ConnectOptions) {
    this.alpn = alpnOf(options.alpn);
    this.#options = options;
    const offersUpgrade = options.http2?.h2c === "upgrade";
    const setup: ClientSetup = {
      stallMs: options.stallMs,
      filter: options.filter,
      upgrade: (origin) => (offersUpgrade ? this.#versions.get("h2")?.upgrade?.(origin) : undefined),
    };
    // An upgrade begins in HTTP/1.1, whether or not `alpn` names it.
    const wanted: readonly Alpn[] = offersUpgrade ? [...this.alpn, "http/1.1"] : this.alpn;
    this.#versions = new Map(wanted.map((name) => [name, VERSIONS[name].client(setup, options)]));
  }

  /** Connects, and agrees with the server on a version. */
  open(to: Destination): Promise<AnyClientConnection> {
    const { tls = {}, connectMs = 10_000 } = this.#options;
    const offered = to.isSecure ? this.alpn : [this.#inClear()];
    const socket = to.isSecure ? dialTls(to, tls, this.alpn) : dialClear(to);
    return reach(socket, { place: to, origin: to.origin, withinMs: connectMs, offered, versions: this.#versions });
  }

  /** Without ALPN the client must know the version. */
  #inClear(): Alpn {
    const h2c = this.#options.http2?.h2c;
    if (!this.alpn.includes("h2") || h2c === "upgrade") return "http/1.1";
    return h2c === "prior-knowledge" || !this.alpn.includes("http/1.1") ? "h2" : "http/1.1";
  }
}
