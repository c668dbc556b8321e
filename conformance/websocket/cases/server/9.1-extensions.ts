import { all, badHandshake, comesBackWith, handshakeOf, open, openForAnswer, permitted, send, text } from "../phrases.ts";
import type { Case, FieldSight, Handshake, Sight } from "../../vocabulary.ts";

/** RFC 6455, section 9.1: unknown and malformed extensions in a handshake. */

const NONE: FieldSight = { name: "sec-websocket-extensions", absent: true };
const offered = (...lines: readonly string[]): Handshake => ({ more: lines.map((line) => `Sec-WebSocket-Extensions: ${line}`) });
const NO_EXTENSION: Sight = { see: "handshake", fields: [NONE] };

const taken = (handshake: Handshake): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [open(handshake), send(text("touchstone"))],
  control: [open(), send(text("touchstone"))],
});

/** Well-formed lists of unknown extensions. */
const UNKNOWN: readonly (readonly [id: string, what: string, lines: readonly string[]])[] = [
  ["one", "an unknown extension", ["x-touchstone"]],
  ["with-parameters", "an unknown extension with parameters", ['x-touchstone; a; b=1; c="d"']],
  ["several", "several unknown extensions", ["x-touchstone, x-other; a=1, x-third"]],
  ["several-lines", "unknown extensions in several fields", ["x-touchstone", "x-other"]],
  ["like-a-known-one", "extensions whose names begin like a known one", ["permessage-deflated, permessage-defl"]],
];

/** Lists with empty elements, which a recipient ignores if they are few (rfc9110#5.6.1.2). */
const GAPS: readonly (readonly [id: string, what: string, handshake: Handshake])[] = [
  ["extensions", "Sec-WebSocket-Extensions", offered("x-touchstone, , x-other; a=1")],
  ["extensions-at-the-ends", "Sec-WebSocket-Extensions, at its ends", offered(", x-touchstone,")],
  ["protocols", "Sec-WebSocket-Protocol", { more: ["Sec-WebSocket-Protocol: chat, , superchat"] }],
  ["connection", "Connection", { instead: { Connection: "keep-alive, , Upgrade" } }],
  ["connection-at-the-ends", "Connection, at its ends", { instead: { Connection: ", Upgrade," } }],
];

/** Malformed lists of extensions (rfc6455#9.1). */
const MALFORMED: readonly (readonly [id: string, what: string, line: string])[] = [
  ["empty", "an empty value", ""],
  ["commas-only", "only commas", ", ,"],
  ["name-missing", "a parameter without an extension", "; a=1"],
  ["no-token", "a name that is not a token", "x@touchstone"],
  ["two-words", "two names without a comma", "x-touchstone x-other"],
  ["quoted-name", "a quoted name", '"x-touchstone"'],
  ["parameter-empty", "a semicolon without a parameter", "x-touchstone;"],
  ["parameter-name-missing", "a value without a name", "x-touchstone; =1"],
  ["value-missing", "an equals sign without a value", "x-touchstone; a="],
  ["value-no-token", "a quoted value that is not a token", 'x-touchstone; a="b c"'],
  ["quote-open", "an unterminated quote", 'x-touchstone; a="b'],
];

export const cases: readonly Case[] = [
  {
    id: "websocket/extension-not-offered",
    spec: "rfc6455#4.2.2",
    covers: ["rfc6455#4.2.2/extensions", "rfc6455#4.2.2/extensions-chosen"],
    level: "MUST NOT",
    title: "The server sends no Sec-WebSocket-Extensions if the client offers no extension.",
    ...taken({}),
    allowed: comesBackWith(NO_EXTENSION),
  },
  ...UNKNOWN.map(([id, what, lines]): Case => ({
    id: `websocket/extension-unknown-${id}`,
    spec: "rfc6455#9.1",
    covers: ["rfc6455#9.1/unknown", "rfc6455#4.2.2/extensions"],
    level: "MUST",
    title: `The server opens the connection without ${what}.`,
    ...taken(offered(...lines)),
    allowed: comesBackWith(NO_EXTENSION),
  })),
  ...GAPS.map(([id, what, handshake]): Case => ({
    id: `websocket/list-with-gaps-${id}`,
    spec: "rfc9110#5.6.1.2",
    covers: ["rfc9110#5.6.1.2/empty-elements"],
    level: "MUST",
    title: `The server ignores the empty elements of a list in ${what}.`,
    role: "server",
    steps: [openForAnswer(handshake), send(text("touchstone"))],
    control: [open(), send(text("touchstone"))],
    // No sender may write such a list (rfc9110#5.6.1.1).
    allowed: [...comesBackWith(), permitted({ see: "handshake rejected", status: ["4xx"] }, "rfc9110#5.6.1.1", "warn")],
  })),
  ...MALFORMED.map(([id, what, line]): Case => ({
    id: `websocket/extension-malformed-${id}`,
    spec: "rfc6455#9.1",
    covers: ["rfc6455#9.1/syntax", ...(id === "value-no-token" ? (["rfc6455#4.3/quoted-parameter"] as const) : [])],
    level: "MUST",
    title: `The server rejects a handshake whose Sec-WebSocket-Extensions has ${what}.`,
    ...handshakeOf({ wrong: offered(line) }),
    allowed: badHandshake(
      // A server without extensions may not read the field.
      permitted(all({ see: "still open" }, NO_EXTENSION), "rfc6455#9.1", "warn"),
    ),
  })),
];
