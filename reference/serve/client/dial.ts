import type { Duplex } from "node:stream";
import { Misuse } from "../../core/index.ts";
import { settingsPayload } from "../../http2/index.ts";
import { dialClear, dialTls, fromUrl, type DriveOptions, type Place } from "../../io/index.ts";
import type { AnyClientConnection, Origin } from "./connection.ts";
import { Http1ClientConnection, type Upgrading } from "../http1/client.ts";
import { Http2ClientConnection } from "../http2/client.ts";
import type { ConnectOptions } from "./connect.ts";
import { protocolsOf, type Protocol } from "../versions.ts";
import { reach } from "./reach.ts";

/** Where a URL leads to. */
export type Destination = Place & { readonly isSecure: boolean; readonly origin: Origin };

export function placeOf(url: string | URL): Destination {
  const target = URL.parse(url);
  if (target === null) throw new Misuse(`"${String(url)}" is no URL: give one such as http://127.0.0.1:8080/`);
  if (target.protocol !== "http:" && target.protocol !== "https:") {
    throw new Misuse(`"${target.protocol}" is not spoken here: give an http: or https: URL`);
  }
  const isSecure = target.protocol === "https:";
  return {
    host: fromUrl(target.hostname),
    port: Number(target.port || (isSecure ? 443 : 80)),
    isSecure,
    origin: { scheme: isSecure ? "https" : "http", authority: target.host },
  };
}

/** A server may send several responses at once, and one that nobody reads must not stop the others. */
const CONNECTION_WINDOW = 4_194_304;

/** Connects, and agrees with the server on one of `protocols`. */
export function openConnection(to: Destination, protocols: readonly Protocol[], options: ConnectOptions): Promise<AnyClientConnection> {
  const known = protocolsOf(protocols);
  const start = (socket: Duplex, protocol: Protocol): AnyClientConnection =>
    protocol === "h2" ? http2(socket, to.origin, options) : http1(socket, to.origin, known, options);
  const socket = to.isSecure ? dialTls(to, options.tls ?? {}, known) : dialClear(to);
  return reach(socket, to, options.connectMs ?? 10_000, to.isSecure ? known : [inClear(known, options)], start);
}

/** Without ALPN the client has to know by itself. */
function inClear(protocols: readonly Protocol[], { h2c }: ConnectOptions): Protocol {
  if (!protocols.includes("h2")) return "http/1.1";
  if (h2c === "upgrade") return "http/1.1";
  return h2c === "prior-knowledge" || !protocols.includes("http/1.1") ? "h2" : "http/1.1";
}

const driveOptions = ({ limits, filter }: ConnectOptions): DriveOptions => ({
  ...(limits?.stallMs !== undefined && { stallMs: limits.stallMs }),
  ...(filter !== undefined && { filter }),
});

function http2(socket: Duplex, origin: Origin, options: ConnectOptions, upgraded?: Http2Upgraded): Http2ClientConnection {
  const { limits, autoTune } = options;
  const machine = {
    settings: settingsOf(options),
    limits: { connectionWindow: CONNECTION_WINDOW, ...limits },
    ...(autoTune !== undefined && { autoTune }),
    ...(upgraded !== undefined && { upgraded }),
  };
  return new Http2ClientConnection(socket, origin, machine, driveOptions(options));
}
type Http2Upgraded = NonNullable<ConstructorParameters<typeof Http2ClientConnection>[2]["upgraded"]>;
const settingsOf = ({ push = false, settings }: ConnectOptions) => ({ enablePush: push, ...settings });

/** A user agent is to take a folded line for one (rfc9112#5.2). */
const USER_AGENT = { obsFold: true };

function http1(socket: Duplex, origin: Origin, protocols: readonly Protocol[], options: ConnectOptions): Http1ClientConnection {
  const upgrading: Upgrading = {
    settings: Buffer.from(settingsPayload(settingsOf(options))).toString("base64url"),
    goOn: (switched, fields) => http2(switched.socket, origin, options, { fields }),
  };
  const mayUpgrade = options.h2c === "upgrade" && protocols.includes("h2") && !("encrypted" in socket);
  const { limits, lenient } = options.http1 ?? {};
  const machine = { ...(limits !== undefined && { limits }), lenient: lenient === undefined ? USER_AGENT : { ...USER_AGENT, ...lenient } };
  return new Http1ClientConnection(socket, origin, machine, driveOptions(options), mayUpgrade ? upgrading : undefined);
}
