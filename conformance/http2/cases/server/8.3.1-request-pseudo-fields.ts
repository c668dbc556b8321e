import {
  acceptedAndAnswered,
  answeredLikeFirst,
  firstExchange,
  get,
  handshake,
  malformedFields,
  malformedRequest,
  permitted,
  request,
  send,
} from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

const RIGHT = request("GET", ["x-name", "1"]);
const without = (name: string): FieldSpec[] => request().filter(([known]) => known !== name);
const instead = (name: string, value: string): FieldSpec[] => request().map((field) => (field[0] === name ? [name, value] : field));

const missing = ({ name, ...row }: Row & { readonly name: string }): Case => ({
  spec: "rfc9113#8.3.1",
  covers: ["rfc9113#8.3.1/missing", "rfc9113#8.1.1/stream-error"],
  level: "SHOULD",
  ...malformedFields(without(name), RIGHT),
  ...row,
});
/**
 * A pseudo-header field with an invalid value, so the request lacks its one valid value (rfc9113#8.3.1, rfc9113#8.3). MUST where the
 * specification names the error; it leaves other validation of these values open (rfc9113#10.3).
 */
const invalid = ({ name, value, ...row }: Row & { readonly name: string; readonly value: string }): Case => ({
  spec: "rfc9113#8.3.1",
  covers: ["rfc9113#8.3/undefined", name === ":path" ? "rfc9113#8.3.1/path-form" : "rfc9113#8.3.1/mandatory"],
  level: "MUST",
  ...malformedFields(instead(name, value), RIGHT),
  ...row,
});
const conflict = ({ host, ...row }: Row & { readonly host: string }): Case => ({
  spec: "rfc9113#8.3.1",
  covers: ["rfc9113#8.3.1/host-conflict"],
  level: "SHOULD",
  ...malformedFields(request("GET", ["host", host]), request("GET", ["host", "{authority}"])),
  ...row,
});

/** Pseudo-header fields of requests (rfc9113#8.3.1). */
export const cases: readonly Case[] = [
  missing({ id: "http2/method-missing", title: "The server treats a request without :method as malformed.", name: ":method" }),
  missing({ id: "http2/scheme-missing", title: "The server treats a request without :scheme as malformed.", name: ":scheme" }),
  missing({ id: "http2/path-missing", title: "The server treats a request without :path as malformed.", name: ":path" }),
  {
    id: "http2/no-pseudo-fields-at-all",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/missing"],
    level: "SHOULD",
    title: "The server treats a request without pseudo-header fields as malformed.",
    ...malformedFields([["x-name", "1"]], RIGHT),
  },
  {
    id: "http2/request-of-no-fields",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/missing"],
    // Some servers report an empty HEADERS as FRAME_SIZE_ERROR; the specification does not mention it.
    level: "SHOULD",
    title: "The server treats a request with an empty field block as malformed.",
    ...malformedFields([], RIGHT),
  },
  invalid({ id: "http2/path-empty", title: "The server treats a request with an empty :path as malformed.", name: ":path", value: "" }),
  invalid({
    id: "http2/path-without-slash",
    title: "The server treats a request whose :path does not start with a slash as malformed.",
    level: "SHOULD",
    name: ":path",
    value: "index.html",
  }),
  invalid({
    id: "http2/path-absolute-uri",
    title: "The server treats a request with an absolute URI as its :path as malformed.",
    level: "SHOULD",
    name: ":path",
    value: "{scheme}://{authority}{path}",
  }),
  invalid({
    id: "http2/path-asterisk-with-get",
    title: "The server treats a GET with the :path * as malformed.",
    level: "SHOULD",
    name: ":path",
    value: "*",
  }),
  invalid({
    id: "http2/path-with-space",
    title: "The server treats a request with a space in its :path as malformed.",
    level: "SHOULD",
    name: ":path",
    value: "/a b",
  }),
  invalid({
    id: "http2/path-with-line-feed",
    title: "The server treats a request with LF in its :path as malformed.",
    name: ":path",
    value: "/a\nb",
  }),
  invalid({
    id: "http2/path-with-nul",
    title: "The server treats a request with NUL in its :path as malformed.",
    name: ":path",
    value: "/a\u0000b",
  }),
  invalid({
    id: "http2/path-with-request-line",
    title: "The server treats a request as malformed when its :path would end the request line in HTTP/1.1.",
    name: ":path",
    value: "/ HTTP/1.1\r\nx-smuggled: 1\r\n\r\n",
  }),
  invalid({
    id: "http2/path-with-leading-space",
    title: "The server treats a request with a space before its :path as malformed.",
    level: "SHOULD",
    name: ":path",
    value: " /",
  }),
  invalid({
    id: "http2/method-empty",
    title: "The server treats a request with an empty :method as malformed.",
    level: "SHOULD",
    name: ":method",
    value: "",
  }),
  invalid({
    id: "http2/method-with-space",
    title: "The server treats a request with a space in its :method as malformed.",
    level: "SHOULD",
    name: ":method",
    value: "GE T",
  }),
  invalid({
    id: "http2/method-with-line-feed",
    title: "The server treats a request with LF in its :method as malformed.",
    name: ":method",
    value: "GET\n",
  }),
  invalid({
    id: "http2/method-with-request-line",
    title: "The server treats a request as malformed when its :method would be a complete request line in HTTP/1.1.",
    name: ":method",
    value: "GET /smuggled HTTP/1.1\r\nx: ",
  }),
  invalid({
    id: "http2/scheme-empty",
    title: "The server treats a request with an empty :scheme as malformed.",
    level: "SHOULD",
    name: ":scheme",
    value: "",
  }),
  invalid({
    id: "http2/scheme-with-colon",
    title: "The server treats a request with invalid characters in its :scheme as malformed.",
    level: "SHOULD",
    name: ":scheme",
    value: "http://",
  }),
  invalid({
    id: "http2/authority-with-line-feed",
    title: "The server treats a request with LF in its :authority as malformed.",
    name: ":authority",
    value: "{authority}\nx",
  }),
  invalid({
    id: "http2/authority-with-space",
    title: "The server treats a request with a space in its :authority as malformed.",
    level: "SHOULD",
    name: ":authority",
    value: "{authority} x",
  }),
  invalid({
    id: "http2/authority-with-userinfo",
    title: "The server treats a request with a user name in its :authority as malformed.",
    covers: ["rfc9113#8.3.1/no-userinfo"],
    level: "SHOULD",
    name: ":authority",
    value: "user@{authority}",
  }),
  invalid({
    id: "http2/authority-with-password",
    title: "The server treats a request with a user name and password in its :authority as malformed.",
    covers: ["rfc9113#8.3.1/no-userinfo"],
    level: "SHOULD",
    name: ":authority",
    value: "user:secret@{authority}",
  }),
  conflict({
    id: "http2/host-against-authority",
    title: "The server treats a request as malformed when Host and :authority name different hosts.",
    host: "another.example",
  }),
  conflict({
    id: "http2/host-with-another-port",
    title: "The server treats a request as malformed when Host and :authority name different ports.",
    host: "{authority}1",
  }),
  {
    id: "http2/host-agrees-with-authority",
    spec: "rfc9113#8.3.1",
    covers: ["rfc9113#8.3.1/host-conflict", "rfc9110#2.4/semantics"],
    // No sentence says that a server answers it; only a conflict is a reason to reject it.
    level: "SHOULD",
    role: "server",
    title: "The server accepts a request whose Host equals its :authority.",
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
    title: "The server accepts a request with Host and no :authority.",
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
    title: "The server answers a request with neither :authority nor Host, or resets its stream.",
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
    title: "The server answers OPTIONS with the :path * with any status but 400.",
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
    title: "The server accepts pseudo-header fields in any order.",
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
    title: "The server answers a request with an unknown method with any status.",
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
    title: "The server keeps serving other streams after a malformed request.",
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
