import { binary, valueOf } from "../answers.ts";
import type { WebRequest } from "./connection.ts";
import { type ReadWebRequest, readWebRequest, typeOf } from "./request.ts";
import type { WebClientView } from "./view.ts";

/** Properties of every request that the texts demand. Each returns what breaks it, in words. */
type Monitor = (read: ReadWebRequest, request: WebRequest, stage: WebClientView) => string | undefined;

const ORDER = ["connect", "base64", "compression", "encoding", "message"];
const TIMEOUT: Readonly<Record<string, RegExp>> = { "connect-timeout-ms": /^[1-9][0-9]{0,9}$/, "grpc-timeout": /^[0-9]{1,8}[HMSmun]$/ };

const MONITORS: Readonly<Record<string, Monitor>> = {
  path: ({ path }, _, { asked }) => {
    const known = [...(asked?.calls ?? []), ...(asked?.later ?? [])].map((one) => one.path);
    return known.includes(path) ? undefined : `its path is ${path}, not ${known.join(" or ")}`;
  },
  method: (_, { verb }) => (verb === "POST" ? undefined : `its method is ${verb}`),
  "get-method": (_, { verb, content }) =>
    verb === "GET" ? (content.length === 0 ? undefined : "it has content") : `its method is ${verb}`,
  "unary-type": (_, { fields }, { asked }) => {
    const wanted = `application/${asked?.channel?.format ?? "proto"}`;
    return typeOf(fields) === wanted ? undefined : `its content type is ${typeOf(fields)}, not ${wanted}`;
  },
  "stream-type": (_, { fields }, { asked }) => {
    const wanted = `application/connect+${asked?.channel?.format ?? "proto"}`;
    return typeOf(fields) === wanted ? undefined : `its content type is ${typeOf(fields)}, not ${wanted}`;
  },
  "web-type": (_, { fields }) =>
    /^application\/grpc-web(?:\+proto)?$/.test(typeOf(fields)) ? undefined : `its content type is ${typeOf(fields)}`,
  "text-type": (_, { fields }) =>
    /^application\/grpc-web-text(?:\+proto)?$/.test(typeOf(fields)) ? undefined : `its content type is ${typeOf(fields)}`,
  "text-accept": (_, { fields }) =>
    valueOf(fields, "accept")?.startsWith("application/grpc-web-text") === true
      ? undefined
      : `its Accept is ${valueOf(fields, "accept") ?? "missing"}`,
  version: ({ form, query }, { fields }) => {
    const isGet = form.kind === "get";
    const value = isGet ? valueOf(query, "connect") : valueOf(fields, "connect-protocol-version");
    return value === (isGet ? "v1" : "1") ? undefined : `its version of the protocol is ${value ?? "missing"}`;
  },
  "accept-subset": ({ form }, { fields }) => {
    const name = form.kind === "stream" ? "connect-accept-encoding" : "accept-encoding";
    const value = valueOf(fields, name);
    return value === undefined || /^[\w-]+(?:, ?[\w-]+)*$/.test(value) ? undefined : `its ${name} is "${value}"`;
  },
  "timeout-form": (_, { fields }) => {
    const wrong = fields.find(([name, value]) => TIMEOUT[name]?.test(value) === false);
    return wrong === undefined ? undefined : `its ${wrong[0]} is "${wrong[1]}"`;
  },
  "binary-values": (_, { fields }) => {
    const wrong = fields.find(([name, value]) => name.endsWith("-bin") && value.split(",").some((one) => binary(one.trim()) === undefined));
    return wrong === undefined ? undefined : `the value of ${wrong[0]} is not Base64: ${wrong[1]}`;
  },
  "binary-unpadded": (_, { fields }) => {
    const wrong = fields.find(([name, value]) => name.endsWith("-bin") && value.includes("="));
    return wrong === undefined ? undefined : `the value of ${wrong[0]} is padded: ${wrong[1]}`;
  },
  "query-form": ({ query, form }) => {
    const value = valueOf(query, "encoding");
    if (value !== form.format) return `its query has the encoding ${value ?? "of nothing"}`;
    return valueOf(query, "message") === undefined ? "its query has no message" : undefined;
  },
  "query-order": ({ query }) => {
    const places = query.map(([name]) => ORDER.indexOf(name)).filter((at) => at >= 0);
    return places.every((at, index) => index === 0 || at > places[index - 1]!)
      ? undefined
      : `its query has the order ${query.map(([name]) => name).join(", ")}`;
  },
  "query-base64": ({ query, form, messages }) => {
    const isBinary = form.format === "proto" || messages.some(({ encoding }) => encoding !== false);
    return !isBinary || valueOf(query, "base64") === "1" ? undefined : "its message is octets, but its query has no base64=1";
  },
  "no-end-flag": ({ envelopes }) => (envelopes.some(({ flags }) => (flags & 2) !== 0) ? "a message has the flag of the end" : undefined),
  "reserved-flags": ({ envelopes }) => {
    const wrong = envelopes.find(({ flags }) => flags > 3);
    return wrong === undefined ? undefined : `a message has the flags ${wrong.flags}`;
  },
  "no-flags": ({ envelopes }) => {
    const wrong = envelopes.find(({ flags }) => flags !== 0);
    return wrong === undefined ? undefined : `a message has the flags ${wrong.flags}`;
  },
  "flag-with-encoding": ({ messages }) =>
    messages.some(({ encoding }) => encoding === "unnamed") ? "a message is compressed, but its fields name no encoding" : undefined,
  "whole-messages": ({ left }, { isWhole }) => (isWhole && left > 0 ? `its last ${left} octets are not a whole message` : undefined),
  base64: ({ isDamagedText }, { isWhole }) => (isWhole && isDamagedText ? "its content is not Base64" : undefined),
};

export const WEB_CLIENT_MONITORS: readonly string[] = Object.keys(MONITORS);

/** What breaks the property in the requests of the case; undefined if it holds. */
export function monitor(name: string, stage: WebClientView): string | undefined {
  const check = MONITORS[name];
  if (check === undefined) throw new Error(`there is no monitor "${name}"`);
  if (stage.requests.length === 0) return "No request came.";
  for (const [at, request] of stage.requests.entries()) {
    const broken = check(readWebRequest(request), request, stage);
    if (broken !== undefined) return `Of request ${at + 1}, ${broken}.`;
  }
  return undefined;
}
