import { Misuse } from "../../../core/index.ts";
import { type AnyDialectName, DIALECTS, WEB_DIALECTS, type WebDialectName } from "../../../rpc/index.ts";
import type { Handler } from "../../handler.ts";

export const isWeb = (name: AnyDialectName): name is WebDialectName => Object.hasOwn(WEB_DIALECTS, name);

/**
 * A handler for several dialects: the content type of a request decides. Calls of the dialect connect have the types of messages themselves,
 * and none in a GET: it takes every request that no other dialect knows.
 */
export function byContentType(dialects: readonly AnyDialectName[], handlerOf: (name: AnyDialectName) => Handler): Handler {
  const [first] = dialects;
  if (first === undefined)
    throw new Misuse(`a server needs a dialect: ${[...Object.keys(DIALECTS), ...Object.keys(WEB_DIALECTS)].join(", ")}`);
  const handlers = new Map(dialects.map((name) => [name, handlerOf(name)]));
  if (handlers.size === 1) return handlers.get(first)!;
  const otherwise = handlers.get("connect") ?? handlers.get(first)!;
  return (request, exchange) => {
    const name = dialectOf(request.fields.get("content-type") ?? "");
    return ((name === undefined ? undefined : handlers.get(name)) ?? otherwise)(request, exchange);
  };
}

const PREFIXES: readonly (readonly [prefix: string, name: AnyDialectName])[] = [
  [WEB_DIALECTS["grpc-web"].contentType, "grpc-web"],
  [DIALECTS.grpc.contentType, "grpc"],
  [DIALECTS.rpc.contentType, "rpc"],
];
const dialectOf = (type: string): AnyDialectName | undefined => PREFIXES.find(([prefix]) => type.toLowerCase().startsWith(prefix))?.[1];
