import type { FieldsInit, Request, Response } from "../../http/index.ts";
import { now } from "../../io/index.ts";
import { acceptConnect, acceptHttp1, Connection, DEFAULT_LIMITS, type Refused, type ServerPolicy } from "../../websocket/index.ts";
import { webSocketFaults } from "../faults/index.ts";
import type { Exchange } from "../handler.ts";
import { checkOptions } from "../options/check.ts";
import { SocketCore, type SocketSettings } from "./socket-core.ts";
import type { OpenWebSocket } from "./open-websocket.ts";
import { WEB_SOCKET_OPTIONS, type WebSocketOptions } from "./options.ts";
import { deflateOf, policyOf, sha1 } from "./platform.ts";
import { Socket } from "./socket.ts";
import { StreamCarrier } from "./stream-carrier.ts";

/** Handles one connection. If it returns a promise that rejects, the connection closes with 1011. */
export type OnOpen = (socket: OpenWebSocket, request: Request) => void | Promise<void>;

/** What all connections with the same options share. */
type Prepared = { readonly policy: ServerPolicy; readonly settings: SocketSettings };
const prepared = new WeakMap<WebSocketOptions, Prepared>();
const NO_OPTIONS: WebSocketOptions = {};

function prepare(options: WebSocketOptions): Prepared {
  const { origins, subprotocols, deflate, limits, slowReader = "close", onError, faults } = options;
  const filter = webSocketFaults("server", faults);
  const wanted = policyOf(deflate);
  return {
    policy: {
      ...(origins !== undefined && { origins }),
      ...(subprotocols !== undefined && { subprotocols }),
      ...(wanted !== undefined && { deflate: wanted }),
    },
    settings: {
      slowReader,
      queuedOctets: limits?.queuedOctets ?? DEFAULT_LIMITS.queuedOctets,
      failed: onError ?? ((error) => console.error("touchstone: a WebSocket handler failed:", error)),
      ...(filter !== undefined && { filter }),
    },
  };
}

/**
 * Answers a request with a WebSocket, or with a refusal; the handler returns the result. Over HTTP/1.1 by Upgrade (rfc6455#4.2); over
 * HTTP/2 and HTTP/3 by extended CONNECT, which the server must have enabled with `enableConnectProtocol` (rfc8441#3, rfc9220#3). Pass the
 * same options object to all calls.
 */
export function webSocket(request: Request, exchange: Exchange, open: OnOpen, options: WebSocketOptions = NO_OPTIONS): Response {
  if (!prepared.has(options)) checkOptions("webSocket", options, WEB_SOCKET_OPTIONS);
  return acceptWebSocket(request, exchange, open, options);
}

/** The same for options that have been checked. */
export function acceptWebSocket(request: Request, exchange: Exchange, open: OnOpen, options: WebSocketOptions): Response {
  let known = prepared.get(options);
  if (known === undefined) prepared.set(options, (known = prepare(options)));
  const { policy, settings } = known;
  const isHttp1 = request.version === "HTTP/1.1" || request.version === "HTTP/1.0";
  const found = isHttp1 ? acceptHttp1(request, policy, sha1) : acceptConnect(request, policy);
  if (found.is === "refused") {
    options.onRefused?.(found.fault, found.why, request);
    return refusal(found);
  }
  const { limits, text } = options;
  const { subprotocol, extensions } = found;
  const deflate = deflateOf(options.deflate, found.deflate);
  const begin = (): SocketCore => {
    const setup = {
      side: "server",
      ...(limits !== undefined && { limits }),
      ...(text !== undefined && { text }),
      ...(deflate !== undefined && { deflate }),
    } as const;
    const core = new SocketCore(new Connection(setup, now()), { subprotocol, extensions }, settings);
    run(core, open, request);
    return core;
  };
  const fields = pairs(found.fields);
  if (isHttp1) {
    return exchange.switchTo(101, [...fields, ["upgrade", "websocket"]], (switched) => begin().start(switched, exchange.closing));
  }
  const carrier = new StreamCarrier(() => exchange.reset("CANCEL"));
  begin().start(carrier.from(request.body), exchange.closing);
  return { status: 200, fields, body: carrier.content };
}

function run(core: SocketCore, open: OnOpen, request: Request): void {
  try {
    open(new Socket(core), request)?.catch((error: unknown) => core.fail(error));
  } catch (error) {
    core.fail(error);
  }
}

const pairs = (fields: Refused["fields"]): [string, string][] => fields.map(({ name, value }) => [name, value]);

function refusal({ status, fields, why }: Refused): Response {
  const all: FieldsInit = [...pairs(fields), ["content-type", "text/plain"]];
  return { status, fields: all, body: `${why}\n` };
}
