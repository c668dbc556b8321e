import { inflated } from "../../wire/websocket/deflate.ts";
import type { OddityKind } from "../../wire/websocket/read.ts";
import { membersOf, valuesOf } from "../../wire/http1/read.ts";
import { toHex } from "../../wire/octets.ts";
import type { Conversation } from "./connection.ts";
import { acceptOf } from "./connection.ts";

/** Properties of everything that a server sends. Each returns its violation in words. */

type Monitor = (conversations: readonly Conversation[]) => string | undefined;

const without =
  (...kinds: readonly OddityKind[]): Monitor =>
  (conversations) =>
    conversations.flatMap(({ theirs }) => theirs.oddities).find(({ kind }) => kinds.length === 0 || kinds.includes(kind))?.words;

const firstOf =
  (look: (one: Conversation) => string | undefined): Monitor =>
  (conversations) => {
    for (const one of conversations) {
      const broken = look(one);
      if (broken !== undefined) return broken;
    }
    return undefined;
  };

const extensionOf = ({ response }: Conversation): string | undefined =>
  membersOf(response?.fields ?? [], "sec-websocket-extensions").find((one) => one.startsWith("permessage-deflate"));

/** The value of a parameter in a response to an offer; "" for one without a value. */
export const parameterOf = (extension: string, name: string): string | undefined =>
  extension
    .split(";")
    .map((part) => part.trim().split("="))
    .find(([found]) => found?.trim() === name)
    ?.slice(1)
    .join("=")
    .replaceAll('"', "")
    .trim();

const MONITORS: Readonly<Record<string, Monitor>> = {
  "no masked frames": without("masked"),
  "valid frames": without(),
  "text in UTF-8": without("utf-8"),
  "nothing after a Close frame": without("after close"),
  "short unfragmented control frames": without("control"),
  "minimal lengths": without("length"),
  "correct Sec-WebSocket-Accept": firstOf(({ response, key }) => {
    const values = valuesOf(response?.fields ?? [], "sec-websocket-accept");
    if (values.length !== 1) return `there are ${values.length} Sec-WebSocket-Accept fields`;
    return values[0] === acceptOf(key) ? undefined : `Sec-WebSocket-Accept is "${values[0] ?? ""}" where it should be "${acceptOf(key)}"`;
  }),
  "single Sec-WebSocket fields": firstOf(({ response }) => {
    const twice = SINGLE.find((name) => valuesOf(response?.fields ?? [], name).length > 1);
    return twice === undefined ? undefined : `there is more than one ${twice} field`;
  }),
  "connections end in order": firstOf(({ ended }) => (ended === "reset" ? "the connection was reset" : undefined)),
  "a challenge in each 401": firstOf(({ response }) =>
    response?.status === 401 && valuesOf(response.fields, "www-authenticate").length === 0
      ? "401 came without WWW-Authenticate (rfc9110#15.5.2)"
      : undefined,
  ),
  "SETTINGS_ENABLE_CONNECT_PROTOCOL sent": firstOf((one) => one.broken?.("announced")),
  "stream ended with END_STREAM": firstOf((one) => one.broken?.("ended in order")),
  "no compressed messages": firstOf(({ theirs }) =>
    theirs.frames.some(({ rsv }) => (rsv & 4) !== 0) ? "a frame has RSV1 set, although no compression was agreed" : undefined,
  ),
  "inflatable messages": without("deflate"),
  "no context takeover": firstOf(({ theirs }) => {
    const frames = theirs.frames.filter(({ opcode, rsv }) => opcode < 3 && (rsv & 4) !== 0);
    // A message in one frame is inflated again, without anything before it.
    for (const { payload, fin } of frames) {
      const problem = fin ? inflated(payload, new Uint8Array()).problem : undefined;
      if (problem !== undefined) return `a message refers to earlier messages: ${problem}`;
    }
    return undefined;
  }),
  "server window respected": firstOf((one) => {
    const extension = extensionOf(one);
    const said = extension === undefined ? undefined : parameterOf(extension, "server_max_window_bits");
    if (said === undefined) return undefined;
    const window = 2 ** Number(said);
    const far = one.theirs.messages.find(({ inflated: read }) => (read?.distance ?? 0) > window);
    return far === undefined ? undefined : `a message refers ${far.inflated?.distance} octets back, where ${window} were agreed`;
  }),
  "valid permessage-deflate response": firstOf((one) => {
    const extension = extensionOf(one);
    if (extension === undefined) return undefined;
    const parts = extension.split(";").map((part) => part.trim());
    const names = parts.slice(1).map((part) => part.split("=")[0]?.trim() ?? "");
    if (new Set(names).size < names.length) return `a parameter occurs twice: ${extension}`;
    const stranger = names.find((name) => !KNOWN_PARAMETERS.includes(name));
    if (stranger !== undefined) return `${stranger} is not a parameter of permessage-deflate`;
    for (const name of ["server_no_context_takeover", "client_no_context_takeover"])
      if ((parameterOf(extension, name) ?? "") !== "") return `${name} has a value: ${extension}`;
    for (const name of ["server_max_window_bits", "client_max_window_bits"]) {
      const value = parameterOf(extension, name);
      if (value !== undefined && !/^(?:[89]|1[0-5])$/.test(value)) return `${name} is "${value}": ${extension}`;
    }
    return undefined;
  }),
  "Pongs repeat Ping payloads": firstOf(({ ours, theirs }) => {
    const sent = ours.of(9).map(({ payload }) => toHex(payload));
    const stranger = theirs.of(10).find(({ payload }) => !sent.includes(toHex(payload)));
    return stranger === undefined ? undefined : `a PONG with ${stranger.length} octets answers no PING`;
  }),
};

/** Fields that a response has once at most (rfc6455#11.3.2, rfc6455#11.3.4). */
const SINGLE = ["sec-websocket-extensions", "sec-websocket-protocol"];
const KNOWN_PARAMETERS = ["server_no_context_takeover", "client_no_context_takeover", "server_max_window_bits", "client_max_window_bits"];

/** Every name that a `holds` sight may use. */
export const monitorNames: readonly string[] = Object.keys(MONITORS);

/** What broke the property of this name; undefined if it held. */
export function monitor(name: string, conversations: readonly Conversation[]): string | undefined {
  const found = MONITORS[name];
  if (found === undefined) throw new RangeError(`There is no monitor "${name}". Known: ${monitorNames.join(", ")}.`);
  return found(conversations);
}
