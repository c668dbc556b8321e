import { Misuse } from "../../core/index.ts";
import { messageCompressors } from "../../io/index.ts";
import {
  type AnyMethod,
  DEFAULT_MESSAGE_OCTETS,
  DIALECTS,
  type FindMethod,
  type Implementation,
  openCall,
  openConnect,
  openGrpcWeb,
  ResponseHeads,
  type ServerSetup,
  type Service,
  Status,
  WEB_DIALECTS,
} from "../../rpc/index.ts";
import type { Handler } from "../handler.ts";
import type { Server } from "../server/options.ts";
import { serve } from "../server/serve.ts";
import { HandledCall, type CallServer, type Registered } from "./handled-call.ts";
import { byContentType, isWeb } from "./web/by-content-type.ts";
import { webHandler } from "./web/web-handler.ts";
import { ServerWatch } from "./channelz/server-watch.ts";
import {
  RPC_IDLE_MS,
  RPC_SERVER_HTTP2,
  RPC_SERVER_HTTP3,
  type RpcHandlerOptions,
  type RpcServeOptions,
  type ServerInterceptor,
} from "./options.ts";

/** A service with its implementation. */
export type Implemented = { readonly service: Service; readonly methods: Readonly<Record<string, Registered["handler"] | undefined>> };

/** Joins a service and its implementation. */
export function implement<Of extends Service>(service: Of, implementation: Implementation<Of>): Implemented {
  return { service, methods: implementation as Implemented["methods"] };
}

/** Answers calls: a handler for `serve`. Methods of a service without an implementation are UNIMPLEMENTED. */
export const rpcHandler = (services: readonly Implemented[], options: RpcHandlerOptions = {}): Handler => watchedHandler(services, options);

function watchedHandler(services: readonly Implemented[], options: RpcHandlerOptions, watch?: CallServer["watch"]): Handler {
  const { dialect = "rpc", maxMessageOctets: limit = DEFAULT_MESSAGE_OCTETS, encoding, interceptors = [], onCallError } = options;
  const compressors = messageCompressors();
  if (encoding !== undefined && !compressors.has(encoding))
    throw new Misuse(`the encoding "${encoding}" is not known: use ${[...compressors.keys()].join(", ")}`);
  const failed: CallServer["failed"] =
    onCallError ?? ((error, { path }) => console.error(`touchstone: the handler of ${path} failed:`, error));
  const methods = methodsOf(services, interceptors);
  const find: FindMethod = (path) => methods.get(path)?.method;
  const handlerOf = (setup: ServerSetup & Pick<CallServer, "malformed">): Handler =>
    callHandler({ ...setup, heads: new ResponseHeads(setup), limit, encoding, failed, watch }, methods);
  return byContentType(listOf(dialect), (name) => {
    if (name === "rpc" || name === "grpc") return handlerOf({ dialect: DIALECTS[name], compressors });
    const setup = { dialect: WEB_DIALECTS[name], compressors };
    return name === "connect"
      ? webHandler((request) => openConnect(request, { compressors, limit }, find), {
          ...setup,
          handler: handlerOf({ ...setup, formats: ["proto", "json"], malformed: Status.INVALID_ARGUMENT }),
        })
      : webHandler(openGrpcWeb, { ...setup, handler: handlerOf(setup) });
  });
}
const listOf = <One extends string>(value: One | readonly One[]): readonly One[] => (typeof value === "string" ? [value] : value);

/** Answers calls of one dialect of HTTP/2. */
function callHandler(server: CallServer & ServerSetup, methods: ReadonlyMap<string, Registered>): Handler {
  const isKnown = (path: string): boolean => methods.has(path);
  return (request, exchange) => {
    const opening = openCall(request, server, isKnown);
    if (opening.is === "call") return new HandledCall(server, methods.get(request.path)!, opening, { request, exchange }).run();
    if (opening.is !== "http") server.watch?.(exchange.connection).ended("bad");
    // Nobody reads the request (rpc-http2#early-closure).
    void request.body[Symbol.asyncIterator]().return?.();
    if (opening.is === "http") return { status: opening.status, fields: pairs(opening.fields) };
    return { status: 200, fields: server.heads.trailersOnly(opening.status, undefined, undefined) };
  };
}

const pairs = (fields: readonly { readonly name: string; readonly value: string }[]): [string, string][] =>
  fields.map(({ name, value }) => [name, value]);

/** The implemented methods by path. */
function methodsOf(services: readonly Implemented[], interceptors: readonly ServerInterceptor[]): ReadonlyMap<string, Registered> {
  const methods = new Map<string, Registered>();
  for (const { service, methods: implementation } of services) {
    for (const name of Object.keys(implementation))
      if (!Object.hasOwn(service.methods, name)) throw new Misuse(`the service ${service.name} has no method "${name}"`);
    for (const [name, method] of Object.entries(service.methods)) {
      const handler = implementation[name];
      if (handler === undefined) continue;
      if (methods.has(method.path)) throw new Misuse(`two implementations have the path ${method.path}: remove one`);
      if (!method.path.startsWith("/")) throw new Misuse(`the path "${method.path}" must begin with a slash`);
      methods.set(method.path, { method, handler: intercepted(method, handler.bind(implementation), interceptors) });
    }
  }
  return methods;
}

const intercepted = (
  method: AnyMethod,
  handler: Registered["handler"],
  interceptors: readonly ServerInterceptor[],
): Registered["handler"] =>
  interceptors.reduceRight<Registered["handler"]>(
    (next, interceptor) => (request, call) => interceptor(request, Object.assign(call, { method }), (passed) => next(passed, call)),
    handler,
  );

/** Listens, and answers calls over HTTP/2; in a web dialect over HTTP/1.1, too, and over HTTP/3 if `alpn` says so. Options of `serve` apply, too. */
export function serveRpc(services: readonly Implemented[], options: RpcServeOptions = {}): Promise<Server> {
  const { dialect, maxMessageOctets, encoding, interceptors, onCallError, http2, http3, channelz, ...others } = options;
  const mine = { dialect, maxMessageOctets, encoding, interceptors, onCallError };
  const given = Object.fromEntries(Object.entries(mine).filter(([, value]) => value !== undefined)) as RpcHandlerOptions;
  const handler = watchedHandler(services, given, channelz && ((connection) => watch!.call(connection)));
  const watch = channelz && new ServerWatch(channelz.registry, services.map(({ service }) => service.name).join(", "));
  const serving = serve(handler, {
    alpn: listOf(dialect ?? "rpc").some(isWeb) ? ["h2", "http/1.1"] : ["h2"],
    date: false,
    idleMs: RPC_IDLE_MS,
    http2: { ...RPC_SERVER_HTTP2, ...http2 },
    http3: { ...RPC_SERVER_HTTP3, ...http3, quic: { ...RPC_SERVER_HTTP3.quic, ...http3?.quic } },
    ...others,
    ...(watch && { filter: watch.filter(others.filter) }),
  });
  return watch === undefined ? serving : watch.watched(serving);
}
