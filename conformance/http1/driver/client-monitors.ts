import { membersOf, type OddityKind, type RawField, type ReadRequest, valueOf, valuesOf } from "../../wire/http1/read.ts";
import { fill, type Values } from "../../wire/http1/build.ts";
import { printable, toLatin1 } from "../../wire/octets.ts";
import type { ServedConnection } from "./client-connection.ts";
import { saysClose } from "./connection.ts";

/** Properties of everything that a client sends, in every case. Each returns its violation in words. */

/** What a property looks at. */
export type WatchedClient = { readonly connections: readonly Pick<ServedConnection, "on" | "reader" | "said">[]; readonly values: Values };
type Monitor = (watched: WatchedClient) => string | undefined;

/** The first request with something wrong. */
const each =
  (wrong: (request: ReadRequest, values: Values) => string | undefined): Monitor =>
  ({ connections, values }) => {
    for (const request of connections.flatMap(({ reader }) => reader.requests)) {
      const words = wrong(request, values);
      if (words !== undefined) return `${request.method} ${printable(request.target, 60)}: ${words}`;
    }
    return undefined;
  };

const oddly = (...kinds: readonly OddityKind[]): Monitor =>
  each(({ oddities }) => oddities.find(({ kind }) => kinds.includes(kind))?.words);

const has = (fields: readonly RawField[], name: string): boolean => valuesOf(fields, name).length > 0;
/** Request fields that may occur only once, by their definitions in RFC 9110. */
const SINGLE = [
  "host",
  "user-agent",
  "from",
  "referer",
  "max-forwards",
  "authorization",
  "content-type",
  "content-length",
  "date",
  "if-modified-since",
  "if-unmodified-since",
  "if-range",
  "range",
];
/** Fields whose values are lists. */
const LISTS = [
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
];
/** Connection-specific fields, which Connection must list (rfc9110#7.6.1). */
const OF_THE_CONNECTION = ["te", "upgrade", "http2-settings", "keep-alive"];
/** End-to-end fields, which no connection option may remove. */
const END_TO_END = [
  "accept",
  "authorization",
  "cache-control",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "host",
  "user-agent",
];
/** Fields whose members have parameters. */
const WITH_PARAMETERS = ["accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-type", "te"];
const WITH_WEIGHTS = ["accept", "accept-charset", "accept-encoding", "accept-language", "te"];
const FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const DATES = ["date", "if-modified-since", "if-unmodified-since"];
const PLAIN_TARGET = /^\/[\x21\x22\x24-\x7e]*$/;

const MONITORS: Readonly<Record<string, Monitor>> = {
  "valid request line": oddly("start line"),
  "version HTTP/1.1 in requests": each(({ version }) => (version === "HTTP/1.1" ? undefined : `its version is "${printable(version)}"`)),
  "request lines end in CRLF": oddly("line end", "bare cr"),
  "valid field lines in requests": oddly("field line", "field name", "field value", "fold", "space before colon"),
  "unambiguous framing in requests": oddly("length", "coding", "truncated"),
  "valid chunks in requests": oddly("chunk", "trailer"),
  "nothing between requests": ({ connections }) => {
    for (const { reader } of connections) {
      const [first] = reader.garbage;
      if (first !== undefined) return `octets that are not a request: "${printable(toLatin1(first.octets), 40)}"`;
    }
    return undefined;
  },
  "one Host": each(({ fields }) => {
    const hosts = valuesOf(fields, "host");
    return hosts.length === 1 ? undefined : `Host ${hosts.length} times`;
  }),
  "Host matches the address": each(({ fields }, values) => {
    const host = valueOf(fields, "host");
    return host === undefined || host === fill("{authority}", values) ? undefined : `Host: ${printable(host)}`;
  }),
  "Host first": each(({ fields: [first] }) => {
    return first === undefined || first.name.toLowerCase() === "host" ? undefined : `its first field is ${printable(first.name)}`;
  }),
  "origin form": each(({ target }) => (PLAIN_TARGET.test(target) ? undefined : "its target is not a path with an optional query")),
  "singleton request fields once": each(({ fields }) => {
    const twice = SINGLE.find((name) => valuesOf(fields, name).length > 1);
    return twice === undefined ? undefined : `${twice} ${valuesOf(fields, twice).length} times`;
  }),
  "no empty list members": each(({ fields }) => {
    const empty = LISTS.find((name) => valuesOf(fields, name).some((value) => value !== "" && /(?:^|,)[ \t]*(?:,|$)/.test(value)));
    return empty === undefined ? undefined : `${empty}: ${printable(valuesOf(fields, empty).join(", "))}`;
  }),
  "no bad whitespace": each(({ fields }) => {
    const bad = WITH_PARAMETERS.find((name) => valuesOf(fields, name).some((value) => /[ \t]=|=[ \t]/.test(value)));
    return bad === undefined ? undefined : `${bad}: ${printable(valuesOf(fields, bad).join(", "))}`;
  }),
  "no Referer": each(({ fields }) => {
    const from = valueOf(fields, "referer");
    return from === undefined || from === "about:blank" ? undefined : `its Referer is ${printable(from)}`;
  }),
  "short weights": each(({ fields }) => {
    const long = WITH_WEIGHTS.flatMap((name) => membersOf(fields, name)).find((member) => /;[ \t]*q=\d\.\d{4}/i.test(member));
    return long === undefined ? undefined : `a weight has more than three digits: ${printable(long)}`;
  }),
  "weights behind parameters": each(({ fields }) => {
    const early = membersOf(fields, "accept").find((member) => /;[ \t]*q=[\d.]+[ \t]*;/i.test(member));
    return early === undefined ? undefined : `a parameter follows the weight: ${printable(early)}`;
  }),
  "connection-specific fields listed in Connection": each(({ fields }) => {
    const named = membersOf(fields, "connection");
    const stray = OF_THE_CONNECTION.find((name) => has(fields, name) && !named.includes(name));
    return stray === undefined ? undefined : `Connection does not list ${stray}`;
  }),
  "no end-to-end field listed in Connection": each(({ fields }) => {
    const wrong = membersOf(fields, "connection").find((option) => END_TO_END.includes(option));
    return wrong === undefined ? undefined : `Connection lists ${wrong}`;
  }),
  "no chunked in TE": each(({ fields }) =>
    membersOf(fields, "te").some((member) => /^chunked\b/.test(member)) ? "TE lists chunked" : undefined,
  ),
  "no content with GET or HEAD": each(({ method, framing, content }) =>
    (method === "GET" || method === "HEAD") && framing !== "none" && content.length > 0 ? `${content.length} octets of content` : undefined,
  ),
  "no framing fields in GET or HEAD": each(({ method, fields }) =>
    (method === "GET" || method === "HEAD") && (has(fields, "content-length") || has(fields, "transfer-encoding"))
      ? "it declares the length of its content, but has none"
      : undefined,
  ),
  "framed content with POST": each(({ method, framing }) =>
    method === "POST" && framing === "none" ? "nothing declares the length of its content" : undefined,
  ),
  "no expectation without content": each(({ fields, framing }) =>
    has(fields, "expect") && framing === "none" ? `Expect: ${printable(valueOf(fields, "expect") ?? "")} without content` : undefined,
  ),
  "no userinfo": each(({ target, fields }) => {
    const inTarget = /^[a-z][a-z0-9+.-]*:\/\/[^/]*@/i.test(target);
    return inTarget || (valueOf(fields, "host") ?? "").includes("@") ? "user information in its target or in Host" : undefined;
  }),
  "request dates in IMF-fixdate": each(({ fields }) => {
    const wrong = DATES.find((name) => valuesOf(fields, name).some((value) => !FIXDATE.test(value)));
    return wrong === undefined ? undefined : `${wrong}: ${printable(valueOf(fields, wrong) ?? "")}`;
  }),
  "no request after close": ({ connections }) => {
    for (const { reader } of connections) {
      const closing = reader.requests.findIndex((request) => saysClose(request));
      if (closing >= 0 && closing < reader.requests.length - 1)
        return `request ${closing + 1} has Connection: close, and another follows it`;
    }
    return undefined;
  },
};

export const clientMonitorNames = Object.keys(MONITORS);

/** What broke the property of this name; undefined if it held. */
export function clientMonitor(name: string, watched: WatchedClient): string | undefined {
  const property = MONITORS[name];
  if (property === undefined) throw new Error(`There is no monitor "${name}".`);
  return property(watched);
}
