import {
  answeredLikeFirst,
  get,
  handshake,
  malformedRequest,
  firstExchange,
  permitted,
  request,
  send,
  acceptedAndAnswered,
  malformedFields,
} from "./phrases.ts";
import type { Case, FieldSpec } from "./vocabulary.ts";

const RIGHT = request("GET", ["x-name", "1"]);
const without = (name: string): FieldSpec[] => request().filter(([known]) => known !== name);
const instead = (name: string, value: string): FieldSpec[] => request().map((field) => (field[0] === name ? [name, value] : field));

const missing = (name: string): Case => ({
  id: `http2/${name.slice(1)}-missing`,
  spec: "rfc9113#8.3.1",
  covers: ["rfc9113#8.3.1/missing", "rfc9113#8.1.1/stream-error"],
  level: "MUST",
  title: `The server treats a request without ${name} as malformed.`,
  ...malformedFields(without(name), RIGHT),
});
/**
 * A value that its definition excludes: the request has not the one valid value that it must have (rfc9113#8.3.1, rfc9113#8.3). MUST where
 * the specification names the fault itself; it leaves further validation of these values open (rfc9113#10.3).
 */
const invalid = (words: string, what: string, name: string, value: string, level: Case["level"] = "MUST"): Case => ({
  id: `http2/${words}`,
  spec: "rfc9113#8.3.1",
  covers: ["rfc9113#8.3/undefined", name === ":path" ? "rfc9113#8.3.1/path-form" : "rfc9113#8.3.1/mandatory"],
  level,
  title: `The server treats a request as malformed when ${what}.`,
  ...malformedFields(instead(name, value), RIGHT),
});
const conflict = (words: string, what: string, host: string): Case => ({
  id: `http2/${words}`,
  spec: "rfc9113#8.3.1",
  covers: ["rfc9113#8.3.1/host-conflict"],
  level: "SHOULD",
  title: `The server treats a request as malformed when ${what}.`,
  ...malformedFields(request("GET", ["host", host]), request("GET", ["host", "{authority}"])),
});

export const cases: readonly Case[] = [
  missing(":method"),
  missing(":scheme"),
  missing(":path"),
  {
    id: "http2/no-pseudo-fields-at-all",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/missing"],
    level: "MUST",
    title: "The server treats a request without any pseudo-header field as malformed.",
    ...malformedFields([["x-name", "1"]], RIGHT),
  },
  {
    id: "http2/request-of-no-fields",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/missing"],
    // Some call an empty HEADERS a frame that is too small, which it is not; but no sentence speaks of it.
    level: "SHOULD",
    title: "The server treats a request with an empty field block as malformed.",
    ...malformedFields([], RIGHT),
  },
  invalid("path-empty", "its :path is empty", ":path", ""),
  invalid("path-without-slash", "its :path does not begin with a slash", ":path", "index.html", "SHOULD"),
  invalid("path-absolute-uri", "its :path is a whole URI", ":path", "{scheme}://{authority}{path}", "SHOULD"),
  invalid("path-asterisk-with-get", "its :path is an asterisk and its method is GET", ":path", "*", "SHOULD"),
  invalid("path-with-space", "its :path holds a space", ":path", "/a b", "SHOULD"),
  invalid("path-with-line-feed", "its :path holds LF", ":path", "/a\nb"),
  invalid("path-with-nul", "its :path holds NUL", ":path", "/a\u0000b"),
  invalid("path-with-request-line", "its :path would end a request line in HTTP/1.1", ":path", "/ HTTP/1.1\r\nx-smuggled: 1\r\n\r\n"),
  invalid("path-with-leading-space", "its :path begins with a space", ":path", " /", "SHOULD"),
  invalid("method-empty", "its :method is empty", ":method", "", "SHOULD"),
  invalid("method-with-space", "its :method holds a space", ":method", "GE T", "SHOULD"),
  invalid("method-with-line-feed", "its :method holds LF", ":method", "GET\n"),
  invalid("method-with-request-line", "its :method would be a whole request line in HTTP/1.1", ":method", "GET /smuggled HTTP/1.1\r\nx: "),
  invalid("scheme-empty", "its :scheme is empty", ":scheme", "", "SHOULD"),
  invalid("scheme-with-colon", "its :scheme holds what no scheme does", ":scheme", "http://", "SHOULD"),
  invalid("authority-with-line-feed", "its :authority holds LF", ":authority", "{authority}\nx"),
  invalid("authority-with-space", "its :authority holds a space", ":authority", "{authority} x", "SHOULD"),
  {
    ...invalid("authority-with-userinfo", "its :authority holds user information", ":authority", "user@{authority}", "SHOULD"),
    covers: ["rfc9113#8.3.1/no-userinfo"],
  },
  {
    ...invalid("authority-with-password", "its :authority holds a user and a password", ":authority", "user:secret@{authority}", "SHOULD"),
    covers: ["rfc9113#8.3.1/no-userinfo"],
  },
  conflict("host-against-authority", "its Host names another host than its :authority", "another.example"),
  conflict("host-with-another-port", "its Host names another port than its :authority", "{authority}1"),
  {
    id: "http2/host-agrees-with-authority",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/host-conflict"],
    level: "MUST",
    role: "server",
    title: "The server takes a request whose Host repeats its :authority.",
    steps: [...firstExchange, send(get(3, ["host", "{authority}"]))],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/host-instead-of-authority",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/mandatory"],
    level: "MUST",
    role: "server",
    title: "The server takes a request that names its host in Host alone.",
    steps: [...firstExchange, send({ ...get(3), fields: [...without(":authority"), ["host", "{authority}"]] })],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/neither-host-nor-authority",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/mandatory"],
    level: "MUST",
    role: "server",
    title: "The server answers a request with neither :authority nor Host, or refuses it on its own stream.",
    steps: [handshake, send({ ...get(1), fields: without(":authority") })],
    control: [handshake, send(get(1))],
    allowed: [
      ...acceptedAndAnswered(1),
      permitted({ see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" }, "rfc9113#8.1.1"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.4.1", "warn"),
    ],
  },
  {
    id: "http2/options-asterisk",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/options-asterisk"],
    level: "SHOULD",
    role: "server",
    title: "The server answers OPTIONS with the :path *, with whatever status but 400.",
    steps: [handshake, send({ ...get(1), fields: [...request("OPTIONS").slice(0, 3), [":path", "*"]] })],
    control: [handshake, send(get(1))],
    allowed: [
      {
        see: {
          see: "all",
          of: [{ see: "accepted" }, { see: "response", stream: 1, status: ["2xx", "3xx", 401, 403, 404, 405, 501] }],
        },
      },
    ],
  },
  {
    id: "http2/pseudo-fields-in-another-order",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/mandatory"],
    level: "MUST",
    role: "server",
    title: "The server takes the pseudo-header fields in any order.",
    steps: [...firstExchange, send({ ...get(3), fields: [...request().toReversed(), ["x-name", "1"]] })],
    control: [...firstExchange, send(get(3))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/unknown-method",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/mandatory"],
    level: "MUST",
    role: "server",
    title: "The server answers a request with a method that nobody has defined, with whatever status.",
    steps: [handshake, send({ ...get(1), fields: request("TOUCH-STONE") })],
    control: [handshake, send(get(1))],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/path-with-query",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/path-form"],
    level: "MUST",
    role: "server",
    title: "The server answers a request whose :path has a query.",
    steps: [handshake, send({ ...get(1), fields: instead(":path", "/?a=b&c=%20&d=/?") })],
    control: [handshake, send(get(1))],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/malformed-request-leaves-others-alone",
    spec: "rfc9113#8.1.1",
    covers: ["rfc9113#8.1.1/stream-error"],
    level: "SHOULD",
    role: "server",
    title: "The server goes on with the other streams when one request is malformed.",
    steps: [handshake, send(get(1), { ...get(3), fields: without(":method") }, get(5))],
    control: [handshake, send(get(1), get(3), get(5))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "response", stream: 1 },
            { see: "response", stream: 5 },
            { see: "RST_STREAM", stream: 3, code: "PROTOCOL_ERROR" },
          ],
        },
      },
      permitted(
        {
          see: "all",
          of: [
            { see: "response", stream: 1 },
            { see: "response", stream: 5 },
            { see: "response", stream: 3, status: [400] },
          ],
        },
        "rfc9113#8.1.1",
      ),
      ...malformedRequest(3)
        .filter(({ see }) => see.see === "GOAWAY")
        .map((outcome) => ({ ...outcome, verdict: "warn" as const })),
    ],
  },
];
