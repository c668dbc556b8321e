import { all, badHandshake, comesBackWith, handshakeOf, open, permitted, send, text } from "./phrases.ts";
import type { Case, FieldSight, Handshake, Sight } from "./vocabulary.ts";

const NONE: FieldSight = { name: "sec-websocket-extensions", absent: true };
const offered = (...lines: readonly string[]): Handshake => ({ more: lines.map((line) => `Sec-WebSocket-Extensions: ${line}`) });
const NO_EXTENSION: Sight = { see: "handshake", fields: [NONE] };

const taken = (handshake: Handshake): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [open(handshake), send(text("touchstone"))],
  control: [open(), send(text("touchstone"))],
});

/** Lists of extensions that are well formed, and that nobody knows. */
const UNKNOWN: readonly (readonly [id: string, what: string, lines: readonly string[]])[] = [
  ["one", "an extension that nobody knows", ["x-touchstone"]],
  ["with-parameters", "an unknown extension with parameters", ['x-touchstone; a; b=1; c="d"']],
  ["several", "several unknown extensions", ["x-touchstone, x-other; a=1, x-third"]],
  ["several-lines", "unknown extensions in several fields", ["x-touchstone", "x-other"]],
  ["like-a-known-one", "an extension whose name begins like that of a known one", ["permessage-deflated, permessage-defl"]],
];

/** What is no list of extensions (rfc6455#9.1). */
const MALFORMED: readonly (readonly [id: string, what: string, line: string])[] = [
  ["empty", "nothing in it", ""],
  ["commas-only", "commas only", ", ,"],
  ["name-missing", "a parameter without an extension", "; a=1"],
  ["no-token", "a name that is no token", "x@touchstone"],
  ["two-words", "two names without a comma", "x-touchstone x-other"],
  ["quoted-name", "a name in quotation marks", '"x-touchstone"'],
  ["parameter-empty", "a semicolon with nothing behind it", "x-touchstone;"],
  ["parameter-name-missing", "a value without a name", "x-touchstone; =1"],
  ["value-missing", "an equals sign with nothing behind it", "x-touchstone; a="],
  ["value-no-token", "a quoted value that is no token", 'x-touchstone; a="b c"'],
  ["quote-open", "quotation marks that do not close", 'x-touchstone; a="b'],
];

export const cases: readonly Case[] = [
  {
    id: "websocket/extension-not-offered",
    spec: "rfc6455#4.2.2",
    covers: ["rfc6455#4.2.2/extensions"],
    level: "MUST NOT",
    title: "Where no extension is offered the answer lists none.",
    ...taken({}),
    allowed: comesBackWith(NO_EXTENSION),
  },
  ...UNKNOWN.map(([id, what, lines]): Case => ({
    id: `websocket/extension-unknown-${id}`,
    spec: "rfc6455#9.1",
    covers: ["rfc6455#9.1/unknown", "rfc6455#4.2.2/extensions"],
    level: "MUST",
    title: `Where ${what} ${lines.length > 1 || what.startsWith("several") ? "are" : "is"} offered the connection is opened without.`,
    ...taken(offered(...lines)),
    allowed: comesBackWith(NO_EXTENSION),
  })),
  ...MALFORMED.map(([id, what, line]): Case => ({
    id: `websocket/extension-malformed-${id}`,
    spec: "rfc6455#9.1",
    covers: ["rfc6455#9.1/syntax"],
    level: "MUST",
    title: `A Sec-WebSocket-Extensions field with ${what} fails the handshake.`,
    ...handshakeOf(offered(line)),
    allowed: badHandshake(
      // Whoever knows no extension at all has no use for the field, and may not read it.
      permitted(all({ see: "still open" }, NO_EXTENSION), "rfc6455#9.1", "warn"),
    ),
  })),
];
