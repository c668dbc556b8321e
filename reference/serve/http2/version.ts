import type { TLSSocket } from "node:tls";
import { field, type Field } from "../../core/index.ts";
import { CLIENT_PREFACE, settingsPayload } from "../../http2/index.ts";
import { isForbidden, isTls, type DriveOptions } from "../../io/index.ts";
import { http2Faults } from "../faults/index.ts";
import { refuseHttp1 } from "../server/refuse-http1.ts";
import type { UpgradedRequest } from "../message/upgrade.ts";
import type { ServerUpgrade } from "../server/upgrade.ts";
import { wantedFaults, type ServerVersion, type Version } from "../version.ts";
import { Http2ClientConnection } from "./client.ts";
import { settingsOffered } from "./h2c.ts";
import type { Http2ConnectOptions, Http2ServeOptions } from "./options.ts";
import { Http2ServerConnection } from "./server.ts";

/** A fast upload then needs one WINDOW_UPDATE for half a MiB: each is a separate write and costs more than a read. */
const SERVER_STREAM_WINDOW = 1_048_576;
/** A server receives uploads on several streams at once, and an unread one must not stop the others. */
const SERVER_CONNECTION_WINDOW = 2 * SERVER_STREAM_WINDOW;
/** A server can send several responses at once, and an unread one must not stop the others. */
const CLIENT_CONNECTION_WINDOW = 4_194_304;
const IDLE_MS = 300_000;

/** HTTP/2 (rfc9113). */
export const HTTP2: Version<"h2", { readonly http2?: Http2ServeOptions }, { readonly http2?: Http2ConnectOptions }> = {
  name: "http2",
  alpn: "h2",
  http: "HTTP/2",
  multiplexes: true,
  preface: CLIENT_PREFACE,

  server: (setup, { http2 = {} }): ServerVersion => {
    const { settings, limits, autoTune, keepalive, life, permitPings } = http2;
    const wrong = http2Faults(setup.context.handler, wantedFaults(setup, http2));
    const context = wrong === undefined ? setup.context : { ...setup.context, handler: wrong.handler };
    const stallMs = limits?.stallMs ?? setup.stallMs;
    const machine = {
      side: "server",
      settings: { initialWindowSize: SERVER_STREAM_WINDOW, ...settings },
      ...(autoTune !== undefined && { autoTune }),
      ...(permitPings !== undefined && { permitPings }),
      limits: { connectionWindow: SERVER_CONNECTION_WINDOW, ...(stallMs !== undefined && { stallMs }), ...limits },
    } as const;
    const drive: DriveOptions = { idleMs: setup.idleMs ?? IDLE_MS, ...(stallMs !== undefined && { stallMs }) };
    // In clear text the first octets may be a request of HTTP/1.1.
    const unsureDrive = setup.isAlone ? { ...drive, refuse: refuseHttp1 } : drive;
    const stewardship = { keepalive, life };
    const server = { machine, filter: wrong?.filter ?? setup.filter, stewardship };
    const upgrade: ServerUpgrade = {
      token: "h2c",
      offered: settingsOffered,
      goOn: ({ socket, offer, request }, id) => {
        const upgraded = { ...machine, upgraded: { settings: offer, fields: http2Fields(request) } };
        return new Http2ServerConnection({ socket, id, context, server: { ...server, machine: upgraded }, drive });
      },
    };
    return {
      accept: (socket, id) => {
        if (!isTls(socket)) return new Http2ServerConnection({ socket, id, context, server, drive: unsureDrive });
        const connection = new Http2ServerConnection({ socket, id, context, server, drive });
        if (!permits(socket)) connection.abort("INADEQUATE_SECURITY");
        return connection;
      },
      upgrade: http2.h2c === false ? undefined : upgrade,
    };
  },

  inClear: ({ http2 }) => http2?.h2c,
  client: (setup, { http2 = {} }) => {
    const { settings: changes, limits, autoTune, keepalive, push = false } = http2;
    const stewardship = { keepalive };
    const settings = { enablePush: push, ...changes };
    const stallMs = limits?.stallMs ?? setup.stallMs;
    const machine = {
      settings,
      limits: { connectionWindow: CLIENT_CONNECTION_WINDOW, ...(stallMs !== undefined && { stallMs }), ...limits },
      ...(autoTune !== undefined && { autoTune }),
    };
    const drive = (): DriveOptions => {
      const filter = setup.filterOf("http2");
      return { ...(stallMs !== undefined && { stallMs }), ...(filter !== undefined && { filter }) };
    };
    return {
      permits,
      connect: (socket, origin) => new Http2ClientConnection({ socket, origin, machine, drive: drive(), stewardship }),
      upgrade: (origin) => ({
        fields: [
          field("connection", "Upgrade, HTTP2-Settings"),
          field("upgrade", "h2c"),
          field("http2-settings", Buffer.from(settingsPayload(settings)).toString("base64url")),
        ],
        goOn: ({ socket, rest }, sent, waiting) => {
          const upgraded = { ...machine, upgraded: { fields: [field(":method", sent.method)] } };
          const connection = new Http2ClientConnection({ socket, origin, machine: upgraded, drive: drive(), stewardship });
          connection.adopt(sent.exchange, waiting);
          connection.drive.feed(rest);
          return connection;
        },
      }),
    };
  },
};

/** HTTP/2 forbids most cipher suites of TLS 1.2 (rfc9113#9.2.2). */
const permits = (socket: TLSSocket): boolean => !isForbidden(socket.getProtocol(), socket.getCipher().name);

/** Fields of a connection in HTTP/1.1, which HTTP/2 does not have (rfc9113#8.2.2). */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  "connection",
  "upgrade",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "host",
  "te",
]);

/** A request of HTTP/1.1 in the fields of HTTP/2. */
function http2Fields({ method, scheme, authority, path, fields }: UpgradedRequest): Field[] {
  return [
    field(":method", method),
    field(":scheme", scheme),
    field(":authority", authority),
    field(":path", path),
    ...fields.filter(({ name }) => !CONNECTION_FIELDS.has(name)),
  ];
}
