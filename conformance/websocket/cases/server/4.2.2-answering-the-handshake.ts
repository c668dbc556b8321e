import {
  all,
  alive,
  badHandshake,
  comesBackWith,
  field,
  handshakeOf,
  holds,
  not,
  open,
  permitted,
  refusedOtherwise,
  refusedWith,
  send,
  text,
} from "../phrases.ts";
import type { Case, FieldSight, Handshake, Outcome, Sight } from "../../vocabulary.ts";

/** RFC 6455, section 4.2.2: the handshake response of a server. */

const H = "rfc6455#4.2.2/";
const none = (name: string): FieldSight => ({ name, absent: true });
const answer = (...fields: readonly FieldSight[]): Sight => ({ see: "handshake", fields });

/** A handshake, and a message that shows that the server accepted it. */
const taken = (handshake: Handshake): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [open(handshake), send(text("touchstone"))],
  control: [open(), send(text("touchstone"))],
});

/** A masked text frame with "Hello". */
const EARLY_FRAME = "\x81\x85\x01\x02\x03\x04\x49\x67\x6f\x68\x6e";

const version = (value: string): Handshake => ({ instead: { "Sec-WebSocket-Version": value } });
const UNDERSTOOD: FieldSight = { name: "sec-websocket-version", pattern: "(?:^|[ ,])13(?:$|[ ,])", joined: true };
/** An unsupported version: 426, or any other error, but always with the supported versions. */
const otherVersion: readonly [Outcome, ...Outcome[]] = [
  { see: { see: "handshake rejected", status: [426], fields: [UNDERSTOOD] } },
  ...refusedOtherwise(["4xx", "5xx"], "rfc6455#4.2.2", [UNDERSTOOD]),
];
/** Drafts 7 and 8 use the same frames as today: a server may support them too (rfc6455#4.4). */
const ofADraft = (value: string): readonly Outcome[] =>
  value === "7" || value === "8" ? [permitted({ see: "still open" }, "rfc6455#4.4")] : [];
const VERSIONS = ["0", "4", "7", "8", "12", "14", "130", "255"] as const;
/** Invalid versions. */
const NO_VERSION: readonly (readonly [id: string, what: string, handshake: Handshake])[] = [
  ["missing", "no version", version("none")],
  ["empty", "an empty version", version("")],
  ["word", "a version that is a word", version("thirteen")],
  ["leading-zero", "the version 013", version("013")],
  ["decimal", "the version 13.0", version("13.0")],
  ["beyond", "the version 256", version("256")],
  ["negative", "the version -13", version("-13")],
  ["list", "two versions in one field", version("8, 13")],
];

/** Handshakes to which 426 is an answer. */
const MAYBE_426: readonly (readonly [id: string, what: string, handshake: Handshake])[] = [
  ["other-version", "a handshake with another version", version("12")],
  ["plain-get", "a GET without Upgrade", { instead: { Upgrade: "none" } }],
  ["plain-get-of-http-1-0", "a GET of HTTP/1.0 without Upgrade", { start: "GET {path} HTTP/1.0", instead: { Upgrade: "none" } }],
];
/** Handshakes to which 405 is an answer. */
const MAYBE_405: readonly (readonly [id: string, what: string, handshake: Handshake])[] = [
  ["post", "a POST request", { start: "POST {path} HTTP/1.1", more: ["Content-Length: 0"] }],
  ["put", "a PUT request", { start: "PUT {path} HTTP/1.1", more: ["Content-Length: 0"] }],
  ["options", "an OPTIONS request", { start: "OPTIONS {path} HTTP/1.1" }],
  ["delete-without-upgrade", "a DELETE request without Upgrade", { start: "DELETE {path} HTTP/1.1", instead: { Upgrade: "none" } }],
];
const ANY_ANSWER: Sight = { see: "handshake rejected", status: ["2xx", "3xx", "4xx", "5xx"] };

const protocol = (value: string, ...others: readonly string[]): Handshake => ({
  more: [value, ...others].map((one) => `Sec-WebSocket-Protocol: ${one}`),
});
/** Of the statuses for an unacceptable origin 403 is an example (rfc6455#4.2.2). */
const anyError = permitted({ see: "handshake rejected", status: ["4xx"] }, "rfc6455#4.2.2", "warn");
const NO_PROTOCOL = answer(none("sec-websocket-protocol"));

export const cases: readonly Case[] = [
  {
    id: "websocket/answer-complete",
    spec: "rfc6455#4.2.2",
    covers: [`${H}response`, "rfc6455#1.3/accept", "rfc6455#11.3.3/accept-once"],
    level: "MUST",
    title: "The server answers a handshake with 101, Upgrade: websocket, Connection: Upgrade and the accept value of its key.",
    ...taken({}),
    allowed: comesBackWith(
      answer(field("upgrade", "^websocket$"), field("connection", "(?:^|[ ,])upgrade(?:$|[ ,])"), {
        name: "sec-websocket-accept",
        value: "{accept}",
      }),
      holds("correct Sec-WebSocket-Accept"),
    ),
  },
  {
    id: "websocket/answer-in-http-1-1",
    spec: "rfc6455#4.2.2",
    covers: [`${H}response`],
    level: "MUST",
    title: "The server sends neither content nor a field that declares any in its handshake response.",
    ...taken({}),
    allowed: comesBackWith(answer(none("content-length"), none("transfer-encoding"))),
  },
  {
    id: "websocket/answer-fields-once",
    spec: "rfc6455#11.3",
    covers: ["rfc6455#11.3.2/once-in-response", "rfc6455#11.3.4/once-in-response"],
    level: "MUST NOT",
    title: "The server sends neither Sec-WebSocket-Extensions nor Sec-WebSocket-Protocol twice.",
    ...taken({ more: ["Sec-WebSocket-Protocol: chat, superchat", "Sec-WebSocket-Extensions: permessage-deflate, permessage-deflate"] }),
    allowed: comesBackWith(holds("single Sec-WebSocket fields")),
  },
  {
    id: "websocket/answer-for-each-key",
    spec: "rfc6455#1.3",
    covers: ["rfc6455#1.3/accept"],
    level: "MUST",
    role: "server",
    title: "The server answers two handshakes with the accept value of each key.",
    steps: [open(), { do: "open", on: 2 }],
    control: [open()],
    allowed: comesBackWith(holds("correct Sec-WebSocket-Accept")),
  },
  ...MAYBE_426.map(([id, what, handshake]): Case => ({
    id: `websocket/answer-426-to-${id}`,
    spec: "rfc9110#15.5.22",
    covers: ["rfc9110#15.5.22/upgrade"],
    level: "MUST",
    title: `The server that answers ${what} with 426 names websocket in Upgrade.`,
    ...handshakeOf({ wrong: handshake }),
    allowed: [
      { see: { see: "handshake rejected", status: [426], fields: [field("upgrade", "(?:^|[ ,])websocket(?:$|[ ,/])")] } },
      // Nobody has to answer with 426.
      permitted(all(ANY_ANSWER, not({ see: "handshake rejected", status: [426] })), "rfc6455#4.2.1"),
      // Another case judges a server that opens a WebSocket here: the rule is about 426 alone.
      permitted({ see: "handshake" }, "rfc9110#15.5.22"),
      permitted({ see: "no response" }, "rfc6455#4.2.1", "warn"),
    ],
  })),
  ...MAYBE_405.map(([id, what, handshake]): Case => ({
    id: `websocket/answer-405-to-${id}`,
    spec: "rfc9110#15.5.6",
    covers: ["rfc9110#15.5.6/allow"],
    level: "MUST",
    title: `The server that answers ${what} with 405 lists the methods of the resource in Allow.`,
    ...handshakeOf({ wrong: handshake }),
    allowed: [
      { see: { see: "handshake rejected", status: [405], fields: [field("allow", "(?:^|[ ,])GET(?:$|[ ,])")] } },
      // Nobody has to answer with 405.
      permitted(all(ANY_ANSWER, not({ see: "handshake rejected", status: [405] })), "rfc6455#4.2.1"),
      // Another case judges a server that opens a WebSocket here: the rule is about 405 alone.
      permitted({ see: "handshake" }, "rfc9110#15.5.6"),
      // The list may be empty, and change from one request to the next.
      permitted({ see: "handshake rejected", status: [405], fields: [field("allow", "")] }, "rfc9110#10.2.1", "warn"),
      permitted({ see: "no response" }, "rfc6455#4.2.1", "warn"),
    ],
  })),
  ...VERSIONS.map((value): Case => ({
    id: `websocket/version-${value}`,
    spec: "rfc6455#4.2.2",
    covers: [`${H}version-offered`, "rfc6455#4.2.1/version"],
    level: "MUST",
    title: `The server rejects a handshake with version ${value} and lists 13 as supported.`,
    ...handshakeOf({ wrong: version(value) }),
    allowed: [...otherVersion, ...ofADraft(value)],
  })),
  ...NO_VERSION.map(([id, what, handshake]): Case => ({
    id: `websocket/version-${id}`,
    spec: "rfc6455#4.2.1",
    covers: ["rfc6455#4.2.1/version"],
    level: "MUST",
    title: `The server rejects a handshake with ${what}.`,
    ...handshakeOf({ wrong: handshake }),
    allowed: badHandshake(),
  })),
  {
    id: "websocket/subprotocol-not-offered",
    spec: "rfc6455#4.2.2",
    covers: [`${H}subprotocol-none`, `${H}subprotocol`],
    level: "MUST NOT",
    title: "The server sends no Sec-WebSocket-Protocol if the client offers no subprotocol.",
    ...taken({}),
    allowed: comesBackWith(NO_PROTOCOL),
  },
  {
    id: "websocket/subprotocol-unknown",
    spec: "rfc6455#4.2.2",
    covers: [`${H}subprotocol-none`],
    level: "MUST",
    title: "The server selects no unknown subprotocol, or rejects the handshake.",
    ...taken(protocol("touchstone-speaks-nothing")),
    allowed: [
      { see: all({ see: "all echoed" }, NO_PROTOCOL) },
      // A server that accepts every name leaves the subprotocol to its application.
      permitted(
        all({ see: "all echoed" }, answer({ name: "sec-websocket-protocol", value: "touchstone-speaks-nothing" })),
        "rfc6455#4.2.2",
      ),
      ...refusedOtherwise(["4xx"], "rfc6455#4.2.2"),
    ],
  },
  {
    id: "websocket/subprotocol-one-of-those-offered",
    spec: "rfc6455#4.2.2",
    covers: [`${H}subprotocol`],
    level: "MUST",
    title: "The server selects one of the offered subprotocols, spelled as offered.",
    needs: ["subprotocol"],
    ...taken(protocol("chat, echo, superchat")),
    allowed: comesBackWith(answer(field("sec-websocket-protocol", "^(?:chat|echo|superchat)$"))),
  },
  {
    id: "websocket/subprotocol-in-several-lines",
    spec: "rfc6455#4.2.2",
    covers: [`${H}subprotocol`],
    level: "MUST",
    title: "The server selects one of the subprotocols offered in several fields.",
    needs: ["subprotocol"],
    ...taken(protocol("touchstone-speaks-nothing", "chat, echo", "superchat")),
    allowed: [
      { see: all({ see: "all echoed" }, answer(field("sec-websocket-protocol", "^(?:chat|echo|superchat|touchstone-speaks-nothing)$"))) },
      permitted(all({ see: "all echoed" }, NO_PROTOCOL), "rfc6455#4.2.2", "warn"),
    ],
  },
  {
    id: "websocket/origin-foreign",
    spec: "rfc6455#4.2.2",
    covers: [`${H}origin`, "rfc6455#10.2/origin"],
    level: "MUST",
    title: "The server accepts a handshake from a foreign origin, or rejects it with an HTTP error.",
    ...taken({ more: ["Origin: http://touchstone.invalid"] }),
    allowed: [{ see: { see: "all echoed" } }, ...refusedOtherwise([401, 403], "rfc6455#10.2"), anyError],
  },
  {
    id: "websocket/origin-null",
    spec: "rfc6455#4.2.2",
    covers: [`${H}origin`],
    level: "MUST",
    title: "The server accepts a handshake with Origin: null, or rejects it with an HTTP error.",
    ...taken({ more: ["Origin: null"] }),
    allowed: [{ see: { see: "all echoed" } }, ...refusedOtherwise([400, 401, 403], "rfc6455#10.2"), anyError],
  },
  {
    id: "websocket/origin-own",
    spec: "rfc6455#4.2.2",
    covers: [`${H}origin`, "rfc6455#10.2/origin"],
    level: "MUST",
    title: "The server accepts a handshake from a page of its own origin, or rejects it with an HTTP error.",
    ...taken({ more: ["Origin: {scheme}://{authority}"] }),
    // Which origins it accepts is its choice, but its own pages are the usual users.
    allowed: [{ see: { see: "all echoed" } }, anyError],
  },
  {
    id: "websocket/origin-absent",
    spec: "rfc6455#4.2.1",
    covers: ["rfc6455#4.2.1/origin-absent"],
    level: "SHOULD",
    role: "server",
    title: "The server treats a handshake without Origin as from a non-browser client.",
    steps: [open({ more: ["User-Agent: touchstone"] }), send(text("touchstone"))],
    control: [open(), send(text("touchstone"))],
    allowed: [{ see: { see: "all echoed" } }],
  },
  {
    id: "websocket/target-absolute",
    spec: "rfc6455#4.2.1",
    covers: ["rfc6455#4.2.1/get"],
    level: "MUST",
    title: "The server accepts a handshake with an absolute request target.",
    ...taken({ start: "GET {scheme}://{authority}{path} HTTP/1.1" }),
    allowed: comesBackWith(),
  },
  {
    id: "websocket/target-with-query",
    spec: "rfc6455#4.2.1",
    covers: ["rfc6455#4.2.1/get"],
    level: "SHOULD",
    title: "The server accepts a handshake whose request target has a query.",
    ...taken({ start: "GET {path}?touchstone=1 HTTP/1.1" }),
    allowed: comesBackWith(),
  },
  {
    id: "websocket/body-announced",
    spec: "rfc6455#4.2.1",
    covers: ["rfc6455#4.2.1/content"],
    level: "SHOULD",
    title: "The server does not read the content of a handshake as frames: it rejects the handshake or skips the content.",
    ...handshakeOf({ wrong: { more: ["Content-Length: 11"], content: EARLY_FRAME } }),
    allowed: [
      ...refusedWith([400]),
      ...refusedOtherwise(["4xx", "5xx"], "rfc6455#4.2.1"),
      permitted(all(alive, not({ see: "message", text: "Hello" })), "rfc9110#7.8"),
      permitted({ see: "no response" }, "rfc6455#4.1", "warn"),
    ],
  },
];
