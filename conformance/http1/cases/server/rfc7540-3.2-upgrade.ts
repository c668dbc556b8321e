import {
  answered,
  closedAfter,
  closesPolitely,
  type Entry,
  exchanged,
  get,
  head,
  likePath,
  permitted,
  post,
  refusedWith,
  request,
  send,
  served,
  servedWith,
} from "../phrases.ts";
import type { Case, Sight, Step, Text } from "../../vocabulary.ts";

/** RFC 7540, section 3.2: an upgrade from HTTP/1.1 to h2c; and RFC 9110, section 7.8, Upgrade in general. */

const host = "Host: {authority}";
/** MAX_CONCURRENT_STREAMS 100, INITIAL_WINDOW_SIZE 65,535; INITIAL_WINDOW_SIZE 0. */
const SETTINGS = "AAMAAABkAAQAAP__";
const SHUT = "AAQAAAAA";
const upgrade = (settings = SETTINGS): Text[] => ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", `HTTP2-Settings: ${settings}`];
/** The client's preface: the fixed octets, and an empty SETTINGS (rfc9113#3.4). */
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

const agreed: Sight = {
  see: "interim",
  status: 101,
  fields: [
    { name: "upgrade", pattern: "^h2c$" },
    { name: "connection", pattern: "\\bupgrade\\b" },
  ],
};
const notSwitched: Sight = { see: "not", of: { see: "interim", status: 101 } };
/** Requests the upgrade, awaits 101, and starts HTTP/2. */
const switched = (text: Text): Step[] => [send(text), { do: "await", see: { see: "interim", status: 101 } }, send(PREFACE)];
const onStream1: Step = { do: "await", see: likePath(1) };

const noContent: Sight = { see: "not", of: { see: "http2 frame", type: "DATA", stream: 1 } };
/** The server shuts down after the response to the upgrade request, as it may at any time. */
const goodbye: Sight = { see: "all", of: [agreed, { see: "http2 frame", type: "GOAWAY" }, { see: "connection closed" }] };

/** The server does not upgrade: it answers in HTTP/1.1, as if nothing had been offered. */
const ignored = ({ fields, ...entry }: Entry & Pick<Case, "spec" | "covers"> & { readonly fields: readonly Text[] }): Case => ({
  level: "MUST NOT",
  ...exchanged({ wrong: get(...fields), right: get() }),
  allowed: [{ see: servedWith(2, likePath(), notSwitched) }, closesPolitely(), permitted(refusedWith([400]), "rfc7540#3.2.1", "warn")],
  ...entry,
});

export const cases: readonly Case[] = [
  {
    id: "http1/upgrade-h2c",
    spec: "rfc7540#3.2",
    covers: [
      "rfc7540#3.2/101",
      "rfc7540#3.2/response-on-stream-1",
      "rfc9110#7.8/request-answered",
      "rfc9110#7.8/101-names",
      "rfc9110#15.2.2/upgrade-sent",
    ],
    level: "MUST",
    role: "server",
    needs: ["h2c"],
    fence: "new",
    title: "A server that upgrades to h2c sends 101 and answers the request on stream 1.",
    steps: [...switched(get(...upgrade())), onStream1],
    control: [send(get())],
    allowed: [{ see: servedWith(2, agreed, likePath(1)) }],
  },
  {
    id: "http1/upgrade-h2c-preface",
    spec: "rfc7540#3.2",
    covers: ["rfc7540#3.2/server-preface"],
    level: "MUST",
    role: "server",
    needs: ["h2c"],
    fence: "new",
    title: "The server sends SETTINGS as its first frame after 101.",
    steps: [...switched(get(...upgrade())), onStream1],
    control: [send(get())],
    allowed: [{ see: servedWith(2, { see: "http2 frame", type: "SETTINGS", stream: 0, first: true }, likePath(1)) }],
  },
  {
    id: "http1/upgrade-h2c-stream-3",
    spec: "rfc7540#3.2",
    covers: ["rfc7540#3.2/101"],
    level: "MUST",
    role: "server",
    needs: ["h2c"],
    fence: "new",
    title: "The server answers a request on stream 3 after the upgrade.",
    steps: [
      ...switched(get(...upgrade())),
      onStream1,
      {
        do: "http2",
        frames: [
          {
            type: "HEADERS",
            stream: 3,
            flags: ["END_STREAM", "END_HEADERS"],
            fields: [
              [":method", "GET"],
              [":scheme", "{scheme}"],
              [":authority", "{authority}"],
              [":path", "{path}"],
            ],
          },
        ],
      },
      { do: "await", see: { see: "http2 frame", type: "HEADERS", stream: 3 } },
    ],
    control: [send(get())],
    allowed: [{ see: served(2) }, permitted(goodbye, "rfc9113#6.8", "warn")],
  },
  {
    id: "http1/upgrade-h2c-settings-taken",
    spec: "rfc7540#3.2.1",
    covers: ["rfc7540#3.2.1/interpreted"],
    level: "MUST",
    role: "server",
    needs: ["h2c", "content", "head"],
    fence: "new",
    title: "The server applies HTTP2-Settings from the start: with a window of zero it sends no content.",
    steps: [
      ...switched(get(...upgrade(SHUT))),
      { do: "await", see: { see: "http2 frame", type: "HEADERS", stream: 1 } },
      { do: "http2", frames: [{ type: "PING", hex: "746f75636873746f" }] },
      { do: "await", see: { see: "http2 frame", type: "PING" } },
    ],
    control: [send(get())],
    allowed: [{ see: { see: "all", of: [agreed, noContent] } }, permitted({ see: "all", of: [goodbye, noContent] }, "rfc9113#6.8", "warn")],
  },
  {
    id: "http1/upgrade-h2c-among-others",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/offered-only", "rfc9110#7.8/name-case"],
    level: "MUST NOT",
    role: "server",
    needs: ["h2c"],
    fence: "new",
    title: "The server chooses one of the offered protocols.",
    steps: [
      send(get("Connection: Upgrade, HTTP2-Settings", "Upgrade: x-odd/1, h2c", `HTTP2-Settings: ${SETTINGS}`)),
      { do: "await", see: { see: "any", of: [{ see: "interim", status: 101 }, answered(1)] } },
      send(PREFACE),
    ],
    control: [send(get())],
    allowed: [{ see: servedWith(2, agreed, likePath(1)) }, permitted({ see: "all", of: [notSwitched, likePath(1)] }, "rfc9110#7.8")],
  },
  {
    id: "http1/upgrade-h2c-with-preface",
    spec: "rfc7540#3.2",
    covers: ["rfc7540#3.2/stream-1-half-closed", "rfc9110#7.8/semantics"],
    level: "MUST",
    role: "server",
    needs: ["h2c"],
    fence: "new",
    title: "The server that agrees to h2c reads what follows the request as HTTP/2, even if it came before the 101.",
    steps: [send(get(...upgrade()) + PREFACE), onStream1],
    control: [send(get())],
    allowed: [{ see: servedWith(2, agreed, likePath(1)) }, permitted({ see: "all", of: [notSwitched, likePath(1)] }, "rfc9110#7.8")],
  },
  {
    id: "http1/upgrade-h2c-with-content",
    spec: "rfc7540#3.2",
    covers: ["rfc7540#3.2/stream-1-half-closed", "rfc9110#7.8/semantics"],
    level: "MUST",
    role: "server",
    needs: ["h2c", "post"],
    fence: "new",
    title: "The server answers a POST with an upgrade to h2c once: on stream 1, or in HTTP/1.1.",
    steps: [
      send(post("name=value", ...upgrade())),
      { do: "await", see: { see: "any", of: [{ see: "interim", status: 101 }, answered(1)] } },
      send(PREFACE),
    ],
    control: [send(post("name=value"))],
    allowed: [
      { see: servedWith(2, agreed, answered(1, { status: ["2xx", "3xx"] })) },
      permitted({ see: "all", of: [notSwitched, answered(1, { status: ["2xx", "3xx"] })] }, "rfc9110#7.8"),
    ],
  },
  {
    id: "http1/upgrade-h2c-after-continue",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/continue-first"],
    level: "MUST",
    role: "server",
    needs: ["h2c", "post", "expect"],
    fence: "new",
    title: "The server sends 100 before 101 when the client requests both.",
    steps: [
      send(request("POST", "Content-Length: 5", "Expect: 100-continue", ...upgrade())),
      { do: "await", see: { see: "interim", status: 100 } },
      send("hello"),
      { do: "await", see: { see: "any", of: [{ see: "interim", status: 101 }, answered(1)] } },
    ],
    control: [send(post("hello"))],
    allowed: [{ see: { see: "interim", status: 100 } }],
  },
  ignored({
    id: "http1/upgrade-h2c-without-settings",
    spec: "rfc7540#3.2.1",
    covers: ["rfc7540#3.2.1/exactly-one"],
    title: "The server does not upgrade to h2c without HTTP2-Settings.",
    fields: ["Connection: Upgrade", "Upgrade: h2c"],
    needs: ["h2c"],
  }),
  ignored({
    id: "http1/upgrade-h2c-with-two-settings",
    spec: "rfc7540#3.2.1",
    covers: ["rfc7540#3.2.1/exactly-one"],
    title: "The server does not upgrade to h2c with two HTTP2-Settings fields.",
    fields: [...upgrade(), `HTTP2-Settings: ${SETTINGS}`],
    needs: ["h2c"],
  }),
  ignored({
    id: "http1/upgrade-h2",
    spec: "rfc7540#3.2",
    covers: ["rfc7540#3.2/h2-ignored"],
    title: "The server ignores h2 in Upgrade, which is only for TLS.",
    fields: ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2", `HTTP2-Settings: ${SETTINGS}`],
    level: "MUST",
  }),
  ignored({
    id: "http1/upgrade-to-unknown",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/offered-only"],
    title: "The server does not upgrade to an unknown protocol.",
    fields: ["Connection: Upgrade", "Upgrade: x-odd/1"],
  }),
  {
    id: "http1/upgrade-to-unknown-pipelined",
    spec: "rfc9112#9.3.2",
    covers: ["rfc9112#9.3.2/in-order", "rfc9110#7.8/offered-only"],
    level: "MUST",
    role: "server",
    needs: ["keep-alive"],
    title: "The server that does not upgrade answers the request that came right after the one with Upgrade.",
    steps: [send(get("Connection: Upgrade", "Upgrade: x-odd/1") + get())],
    control: [send(get() + get())],
    allowed: [{ see: servedWith(3, likePath(1), likePath(2), notSwitched) }, closesPolitely()],
  },
  {
    id: "http1/upgrade-with-content-pipelined",
    spec: "rfc9112#9.3.2",
    covers: ["rfc9112#9.3.2/in-order", "rfc9110#7.8/offered-only"],
    level: "MUST",
    role: "server",
    needs: ["keep-alive", "post"],
    title: "The server that does not upgrade a POST answers the request that came right after its content.",
    steps: [send(post("name=value", "Connection: Upgrade", "Upgrade: x-odd/1") + get())],
    control: [send(post("name=value") + get())],
    allowed: [{ see: servedWith(3, answered(1), likePath(2), notSwitched) }, closesPolitely()],
  },
  {
    id: "http1/upgrade-h2c-without-connection",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/option"],
    level: "MAY",
    title: "The server ignores Upgrade that Connection does not list: an intermediary may have forwarded it.",
    needs: ["h2c"],
    ...exchanged({ wrong: get("Upgrade: h2c", `HTTP2-Settings: ${SETTINGS}`), right: get() }),
    allowed: [
      { see: servedWith(2, likePath(), notSwitched) },
      closesPolitely(),
      permitted(refusedWith([400]), "rfc9110#7.8"),
      permitted(agreed, "rfc9110#7.8", "warn"),
    ],
  },
  {
    id: "http1/upgrade-in-older-version",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/http-1.0"],
    level: "MUST",
    role: "server",
    title: "The server ignores Upgrade in an HTTP/1.0 request.",
    steps: [send(head("GET {path} HTTP/1.0", host, ...upgrade()))],
    control: [send(head("GET {path} HTTP/1.0", host))],
    allowed: [{ see: { see: "all", of: [likePath(1), notSwitched, closedAfter(1)] } }],
  },
  {
    id: "http1/upgrade-is-named-in-connection",
    spec: "rfc9110#7.8",
    covers: ["rfc9110#7.8/option", "rfc9110#7.6.1/listed", "rfc7540#3.2.1/not-sent-by-server"],
    level: "MUST",
    role: "server",
    fence: "new",
    title: "The server lists its own Upgrade in Connection and sends no HTTP2-Settings.",
    steps: [send(get(...upgrade())), { do: "await", see: { see: "any", of: [{ see: "interim", status: 101 }, answered(1)] } }],
    control: [send(get())],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "holds", monitor: "Upgrade listed in Connection" },
            { see: "not", of: { see: "response", fields: [{ name: "http2-settings" }] } },
            { see: "not", of: { see: "interim", status: 101, fields: [{ name: "http2-settings" }] } },
          ],
        },
      },
    ],
  },
];
