import type { FieldsInit, Request, Response } from "../../http/index.ts";
import { now } from "../../io/index.ts";
import {
  acceptConnect,
  acceptHttp1,
  Connection,
  DEFAULT_LIMITS,
  type HandshakeFault,
  type Limits,
  type OriginPolicy,
  type Refused,
  type ServerPolicy,
} from "../../websocket/index.ts";
import type { Exchange } from "../handler.ts";
import { deflateOf, policyOf, sha1, type Compression } from "./platform.ts";
import { OpenWebSocket, type SlowReader, type SocketSettings } from "./socket.ts";
import { StreamCarrier } from "./stream-carrier.ts";

/** What an endpoint agrees to in the opening handshake, and how its connections then go; nothing has to be set. */
export type WebSocketOptions = {
  /** Pages of these origins may connect, `*` for all; pages of the server's own origin alone by default (rfc6455#10.2). */
  readonly origins?: OriginPolicy;
  /** Sub-protocols that are spoken: the first of the client's that is among them is chosen; or what a function chooses of them. */
  readonly protocols?: ServerPolicy["protocols"];
  /** Agrees to permessage-deflate (rfc7692); false by default. */
  readonly deflate?: boolean | Compression;
  readonly limits?: Partial<Limits>;
  /** What becomes of a client that does not read: its connection ends with 1013, by default, or messages for it are dropped. */
  readonly slowReader?: SlowReader;
  /** How text is told: as strings by default, or as octets that are valid UTF-8, which cost no conversion. */
  readonly text?: "string" | "octets";
  /** Told of each handshake that is refused. */
  readonly onRefused?: (fault: HandshakeFault, why: string, request: Request) => void;
  /** What callbacks and handlers throw; standard error by default. */
  readonly onError?: (error: unknown) => void;
};
/** Deals with one connection. The promise it may return is that of all its work: where it fails the connection ends with 1011. */
export type OnOpen = (socket: OpenWebSocket, request: Request) => void | Promise<void>;

/** What is the same for all connections with the same options. */
type Endpoint = { readonly policy: ServerPolicy; readonly settings: SocketSettings };
const endpoints = new WeakMap<WebSocketOptions, Endpoint>();
const NO_OPTIONS: WebSocketOptions = {};

function endpointOf(options: WebSocketOptions): Endpoint {
  let found = endpoints.get(options);
  if (found !== undefined) return found;
  const { origins, protocols, deflate, limits, slowReader = "close", onError } = options;
  const wanted = policyOf(deflate);
  found = {
    policy: {
      ...(origins !== undefined && { origins }),
      ...(protocols !== undefined && { protocols }),
      ...(wanted !== undefined && { deflate: wanted }),
    },
    settings: {
      slowReader,
      queuedOctets: limits?.queuedOctets ?? DEFAULT_LIMITS.queuedOctets,
      failed: onError ?? ((error) => console.error("touchstone: a WebSocket's handler failed:", error)),
    },
  };
  endpoints.set(options, found);
  return found;
}

/**
 * Answers a request with a WebSocket, or with why not: what it returns is for the handler to return. Over HTTP/1.1 by Upgrade (rfc6455#4.2), over
 * HTTP/2 by extended CONNECT, for which the server has to have announced `enableConnectProtocol` (rfc8441#3). Give the same options to all calls.
 */
export function webSocket(request: Request, exchange: Exchange, open: OnOpen, options: WebSocketOptions = NO_OPTIONS): Response {
  const { policy, settings } = endpointOf(options);
  const isHttp1 = request.version === "HTTP/1.1" || request.version === "HTTP/1.0";
  const found = isHttp1 ? acceptHttp1(request, policy, sha1) : acceptConnect(request, policy);
  if (found.is === "refused") {
    options.onRefused?.(found.fault, found.why, request);
    return refusal(found);
  }
  const { limits, text } = options;
  const deflate = deflateOf(options.deflate, found.deflate);
  const begin = (): OpenWebSocket => {
    const machine = new Connection(
      {
        side: "server",
        ...(limits !== undefined && { limits }),
        ...(text !== undefined && { text }),
        ...(deflate !== undefined && { deflate }),
      },
      now(),
    );
    return new OpenWebSocket(machine, found.protocol, settings);
  };
  const fields = pairs(found.fields);
  if (isHttp1) {
    return exchange.switchTo(101, [...fields, ["upgrade", "websocket"]], (switched) => {
      const opened = begin();
      run(opened, open, request);
      opened.start(switched, exchange.closing);
    });
  }
  const carrier = new StreamCarrier(() => exchange.reset("CANCEL"));
  const opened = begin();
  run(opened, open, request);
  opened.start(carrier.from(request.body), exchange.closing);
  return { status: 200, fields, body: carrier.content };
}

function run(opened: OpenWebSocket, open: OnOpen, request: Request): void {
  try {
    open(opened, request)?.catch((error: unknown) => opened.fail(error));
  } catch (error) {
    opened.fail(error);
  }
}

const pairs = (fields: Refused["fields"]): [string, string][] => fields.map(({ name, value }) => [name, value]);

function refusal({ status, fields, why }: Refused): Response {
  const all: FieldsInit = [...pairs(fields), ["content-type", "text/plain"]];
  return { status, fields: all, body: `${why}\n` };
}
