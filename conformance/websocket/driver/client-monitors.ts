import { membersOf, type OddityKind, type RawField, type ReadRequest, valueOf, valuesOf } from "../../wire/http1/read.ts";
import { printable } from "../../wire/octets.ts";
import { fill, type Values } from "../../wire/http1/build.ts";
import type { ServedConnection } from "./client-connection.ts";
import { monitor, parameterOf } from "./monitors.ts";

/** Properties of everything that a client sends, besides those shared with servers. Each returns its violation in words. */

/** What a property looks at. */
export type WatchedClient = {
  readonly connections: ReadonlyMap<number, ServedConnection>;
  readonly hasOldKey: boolean;
  values(on: number): Values;
};
type Monitor = (watched: WatchedClient) => string | undefined;

const each =
  (wrong: (request: ReadRequest, values: Values) => string | undefined): Monitor =>
  (watched) => {
    for (const { request, on } of watched.connections.values()) {
      const words = request === undefined ? undefined : wrong(request, watched.values(on));
      if (words !== undefined) return words;
    }
    return undefined;
  };
const firstOf =
  (look: (one: ServedConnection) => string | undefined): Monitor =>
  ({ connections }) => {
    for (const one of connections.values()) {
      const broken = look(one);
      if (broken !== undefined) return broken;
    }
    return undefined;
  };

/** What is wrong with a field that must occur once. */
const single = (fields: readonly RawField[], name: string, right: (value: string) => boolean): string | undefined => {
  const values = valuesOf(fields, name);
  if (values.length !== 1) return `${name} is there ${values.length} times`;
  const [value = ""] = values;
  return right(value) ? undefined : `${name} is "${printable(value, 60)}"`;
};
const EXTENSIONS = "sec-websocket-extensions";
const PROTOCOL = "sec-websocket-protocol";
/** Sixteen octets in Base64; the spare bits of the last digit may have any value (rfc6455#4.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/;
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const EXTENSION = `${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}(?:=(?:${TOKEN}|"${TOKEN}"))?)*`;
const EXTENSION_LIST = new RegExp(`^${EXTENSION}(?:[ \\t]*,[ \\t]*${EXTENSION})*$`);
const PARAMETERS = ["server_no_context_takeover", "client_no_context_takeover", "server_max_window_bits", "client_max_window_bits"];
const BITS = /^(?:[89]|1[0-5])$/;
const ORIGIN = /^(?:null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+)$/;

function faultOfOffer(offer: string): string | undefined {
  const names = offer
    .split(";")
    .slice(1)
    .map((part) => part.split("=")[0]?.trim() ?? "");
  if (new Set(names).size < names.length) return `a parameter is there twice: ${offer}`;
  const stranger = names.find((name) => !PARAMETERS.includes(name));
  if (stranger !== undefined) return `${stranger} is no parameter of an offer`;
  for (const name of PARAMETERS) {
    const value = parameterOf(offer, name);
    if (value === undefined) continue;
    if (name.endsWith("takeover") && value !== "") return `${name} has a value: ${offer}`;
    if (name === "server_max_window_bits" && !BITS.test(value)) return `${name} is "${value}"`;
    if (name === "client_max_window_bits" && value !== "" && !BITS.test(value)) return `${name} is "${value}"`;
  }
  return undefined;
}

const isCounted = (keys: readonly string[]): boolean => {
  const steps = new Set(keys.slice(1).map((key, at) => (Number.parseInt(key, 16) - Number.parseInt(keys[at] ?? "0", 16)) >>> 0));
  return keys.length > 2 && steps.size === 1;
};

/** So many keys have equal octets at two places by chance less than once in 2^50. */
const TELLING_KEYS = 8;
/** How each key follows from the one before, or from part of itself. */
function repeatedOctet(keys: readonly string[]): string | undefined {
  if (keys.length < TELLING_KEYS) return undefined;
  const octet = (key: string, at: number): string => key.slice(at * 2, at * 2 + 2);
  const pairs = keys.slice(1).map((key, at) => [keys[at] ?? "", key] as const);
  for (const [from, to] of [0, 1, 2, 3].flatMap((one) => [0, 1, 2, 3].map((other) => [one, other] as const))) {
    if (pairs.every(([before, key]) => octet(before, from) === octet(key, to)))
      return `octet ${to + 1} of each of its keys is octet ${from + 1} of the key before`;
    if (from < to && keys.every((key) => octet(key, from) === octet(key, to)))
      return `octets ${from + 1} and ${to + 1} of each of its keys are the same`;
  }
  return undefined;
}

/** Each bit of this many random keys is set in 37.5 to 62.5 % of them, but for a chance of less than one in 2^80. */
const MANY_KEYS = 1_000;
const MOST_OFF = 0.125;
/** A bit of the keys that is set too often or too seldom to be random. */
function biasedBit(keys: readonly string[]): string | undefined {
  if (keys.length < MANY_KEYS) return undefined;
  const values = keys.map((key) => Number.parseInt(key, 16));
  for (let bit = 0; bit < 32; bit++) {
    const share = values.filter((value) => ((value >>> (31 - bit)) & 1) === 1).length / values.length;
    if (Math.abs(share - 0.5) > MOST_OFF)
      return `bit ${(bit & 7) + 1} of octet ${(bit >> 3) + 1} is set in ${Math.round(share * 100)} % of its keys`;
  }
  return undefined;
}

const MONITORS: Readonly<Record<string, Monitor>> = {
  "valid HTTP request": each(({ oddities }) => oddities.find(({ kind }) => kind !== ("truncated" satisfies OddityKind))?.words),
  "GET with HTTP/1.1": each(({ method, version, start }) =>
    method === "GET" && version === "HTTP/1.1" ? undefined : `its request line is "${printable(start, 80)}"`,
  ),
  "resource name of the address": each(({ target }, values) => {
    const path = fill("{path}", values);
    return target === path || target === `http://${fill("{authority}", values)}${path}`
      ? undefined
      : `its target is "${printable(target, 80)}"`;
  }),
  "Host of the address": each(({ fields }, values) => single(fields, "host", (value) => value === fill("{authority}", values))),
  "Upgrade lists websocket": each(({ fields }) =>
    membersOf(fields, "upgrade").includes("websocket") ? undefined : `Upgrade is "${printable(valueOf(fields, "upgrade") ?? "")}"`,
  ),
  "Connection lists Upgrade": each(({ fields }) =>
    membersOf(fields, "connection").includes("upgrade") ? undefined : `Connection is "${printable(valueOf(fields, "connection") ?? "")}"`,
  ),
  "16-octet Sec-WebSocket-Key": each(({ fields }) => single(fields, "sec-websocket-key", (value) => KEY.test(value))),
  "fresh Sec-WebSocket-Key": ({ connections, hasOldKey }) => {
    const keys = [...connections.values()].map(({ key }) => key);
    if (new Set(keys).size < keys.length) return "two of its connections have the same key";
    return hasOldKey ? `another of its connections had the key ${keys.join(", ")}` : undefined;
  },
  "Sec-WebSocket-Version 13": each(({ fields }) => single(fields, "sec-websocket-version", (value) => value === "13")),
  "valid Origin": each(({ fields }) =>
    valuesOf(fields, "origin").length === 0 ? undefined : single(fields, "origin", (value) => ORIGIN.test(value)),
  ),
  "valid subprotocols": each(({ fields }) => {
    const members = valuesOf(fields, PROTOCOL).flatMap((value) => value.split(",").map((one) => one.trim()));
    const wrong = members.find((one) => !new RegExp(`^${TOKEN}$`).test(one));
    if (wrong !== undefined) return `"${printable(wrong)}" is not a sub-protocol`;
    return new Set(members).size < members.length ? `a sub-protocol occurs twice: ${members.join(", ")}` : undefined;
  }),
  "well-formed extensions": each(({ fields }) => {
    const wrong = valuesOf(fields, EXTENSIONS).find((value) => !EXTENSION_LIST.test(value));
    return wrong === undefined ? undefined : `Sec-WebSocket-Extensions is "${printable(wrong)}"`;
  }),
  "valid permessage-deflate offer": each(({ fields }) => {
    const offers = membersOf(fields, EXTENSIONS).filter((one) => /^permessage-deflate(?:[ \t]*;|$)/.test(one));
    return offers.map(faultOfOffer).find((fault) => fault !== undefined);
  }),
  "CONNECT for websocket": each(({ method, fields }) => {
    if (method !== "CONNECT") return `its method is "${printable(method)}"`;
    return single(fields, ":protocol", (value) => value === "websocket");
  }),
  "scheme of the address": each(({ fields }, values) =>
    single(fields, ":scheme", (value) => value === fill("{scheme}", values).replace("ws", "http")),
  ),
  "path and authority of the address": each(
    ({ fields }, values) =>
      single(fields, ":path", (value) => value === fill("{path}", values)) ??
      single(fields, ":authority", (value) => value === fill("{authority}", values)),
  ),
  "no Connection or Upgrade": each(({ fields }) => fields.find(({ name }) => /^(?:connection|upgrade)$/.test(name))?.line),
  "extended CONNECT only if announced": firstOf((one) => one.broken("announced")),
  "nothing before the handshake response": firstOf(({ early }) =>
    early === 0 ? undefined : `${early} octets came after the handshake before it was answered`,
  ),
  "all frames masked": firstOf(({ theirs }) => theirs.oddities.find(({ kind }) => kind === "masked")?.words),
  "fresh masking keys": firstOf(({ theirs }) => {
    const keys = theirs.frames.map(({ key }) => key);
    return new Set(keys).size < keys.length ? `${keys.length} frames have ${new Set(keys).size} keys` : undefined;
  }),
  // Two of many keys may be the same by chance; two after one another may not.
  "no repeated sequence of masking keys": firstOf(({ theirs }) => {
    const keys = theirs.frames.map(({ key }) => key);
    const pairs = keys.slice(1).map((key, at) => `${keys[at]} ${key}`);
    return new Set(pairs).size < pairs.length
      ? `of ${pairs.length} pairs of successive keys ${new Set(pairs).size} are different`
      : undefined;
  }),
  "unpredictable masking keys": firstOf(({ theirs }) => {
    const keys = theirs.frames.map(({ key }) => key).filter((key) => key !== "");
    if (keys.includes("00000000")) return "a key of 0 masks nothing";
    if (isCounted(keys)) return `its keys are counted up: ${keys.slice(0, 3).join(", ")}`;
    const narrow = [0, 1, 2, 3].find(
      (at) => keys.length >= TELLING_KEYS && new Set(keys.map((key) => key.slice(at * 2, at * 2 + 2))).size === 1,
    );
    return narrow === undefined ? repeatedOctet(keys) : `octet ${narrow + 1} of all its keys is the same`;
  }),
  "masking keys without bias": firstOf(({ theirs }) => biasedBit(theirs.frames.map(({ key }) => key).filter((key) => key !== ""))),
  "server closes the connection first": firstOf(({ endedFirst }) =>
    endedFirst ? "it ended the connection before the server did" : undefined,
  ),
  "client window respected": firstOf(({ response, theirs }) => {
    const agreed = membersOf(response?.fields ?? [], EXTENSIONS).find((one) => one.startsWith("permessage-deflate"));
    const window = 2 ** Number(parameterOf(agreed ?? "", "client_max_window_bits") ?? 15);
    const far = theirs.messages.find(({ inflated: read }) => (read?.distance ?? 0) > window);
    return far === undefined ? undefined : `a message refers ${far.inflated?.distance} octets back, and ${window} were agreed to`;
  }),
};

/** Properties for cases of the client role only; they may use those of `monitors.ts` too. */
export const clientMonitorNames: readonly string[] = Object.keys(MONITORS);

/** What broke the property of this name; undefined if it held. */
export const clientMonitor = (name: string, watched: WatchedClient): string | undefined =>
  name in MONITORS ? MONITORS[name]?.(watched) : monitor(name, [...watched.connections.values()]);
