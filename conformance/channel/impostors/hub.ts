import type { Flaw, Json, Memory, Passing } from "./relay.ts";

/** Hubs that are wrong in one way. Each is our own hub behind a relay that makes the mistake. */

const typeOf = (message: Passing): unknown =>
  typeof message === "object" && !(message instanceof Uint8Array) ? message["type"] : undefined;
const without =
  (...types: string[]) =>
  (message: Passing): readonly Passing[] =>
    types.includes(String(typeOf(message))) ? [] : [message];
/** Changes messages of one type. */
const changes =
  (type: string, change: (message: Json, memory: Memory) => Json) =>
  (message: Passing, memory: Memory): readonly Passing[] =>
    typeOf(message) === type ? [change(message as Json, memory)] : [message];
const number = (value: unknown): number => Number(value);
/** Answers pings itself, and keeps everything else that `drops` names to itself. */
const deaf =
  (drops: (message: Passing, memory: Memory) => boolean) =>
  (message: Passing, memory: Memory): readonly Passing[] =>
    drops(message, memory) ? [] : [message];
const isOctets = (message: Passing): message is Uint8Array => message instanceof Uint8Array;
const stateWith = (more: Json): Flaw => ({ out: changes("state", (state) => ({ ...state, ...more })) });

/** Asks the relayed hub nothing that it would refuse: a message that it would close for becomes a ping. */
const PING: Json = { type: "ping", id: 0 };
const lenientIn = (message: Passing): readonly Passing[] => {
  if (typeof message === "string") return [PING];
  if (isOctets(message)) return message.length > 65_536 ? [message.subarray(0, 65_536)] : [message];
  return [message];
};

export const HUB_FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: { in: lenientIn, out: without("error"), close: () => undefined, refusal: () => 101 },
  silent: { out: () => [] },
  slams: { out: () => [], close: () => 1006, request: () => "/nothing" },
  "never closes": { close: () => undefined },
  "closes with 1011": { close: () => 1011 },
  "names another error": { out: changes("error", (error) => ({ ...error, code: "abandoned" })) },
  "refuses with 418": { refusal: () => 418 },
  "selects no subprotocol": { subprotocol: "other" },
  "wrong session": stateWith({ session: "other" }),
  "wrong run": stateWith({ run: "other" }),
  "the agent is always here": stateWith({ agent: "here" }),
  "the agent is always gone": stateWith({ agent: "gone" }),
  "everything starts at 0": stateWith({ from: 0 }),
  "one octet too far": { out: changes("state", (state) => ({ ...state, from: number(state["from"]) + 1 })) },
  "nothing was typed": stateWith({ input: 0 }),
  "knows nobody": stateWith({ known: false }),
  "knows everybody": stateWith({ known: true }),
  "all may type": stateWith({ window: 65_536 }),
  "counts no clients": stateWith({ clients: 0 }),
  "always 24 by 80": stateWith({ cols: 80, rows: 24 }),
  "owned by all": stateWith({ owner: true }),
  "owned by nobody": stateWith({ owner: false }),
  "says its state once": {
    out: (message, memory) => {
      if (typeOf(message) !== "state") return [message];
      if (memory["state"] === true) return [];
      memory["state"] = true;
      return [message];
    },
  },
  "says its state twice": { out: (message) => (typeOf(message) === "state" ? [message, message] : [message]) },
  "acknowledges first": {
    out: (message, memory) => {
      if (memory["begun"] === true) return [message];
      memory["begun"] = typeOf(message) === "state";
      return memory["begun"] === true ? [{ type: "ack", offset: 0 }, message] : [message];
    },
  },
  "acknowledges once": {
    out: (message, memory) => {
      if (typeOf(message) !== "ack") return [message];
      if (memory["ack"] === true) return [];
      memory["ack"] = true;
      return [message];
    },
  },
  "acknowledges 0": { out: changes("ack", () => ({ type: "ack", offset: 0 })) },
  "acknowledges all output": {
    out: (message, memory) => (isOctets(message) || memory.role === "client" ? [message] : [message, { type: "ack", offset: 10 }]),
  },
  "acknowledges twice": { out: (message) => (typeOf(message) === "ack" ? [message, message] : [message]) },
  "loses the last octet": { out: (message) => (isOctets(message) ? [message.subarray(0, -1)] : [message]) },
  "sends octets twice": { out: (message) => (isOctets(message) ? [message, message] : [message]) },
  "sends octets as UTF-8": { out: (message) => (isOctets(message) ? [Buffer.from(Buffer.from(message).toString())] : [message]) },
  "keeps octets to itself": { out: (message) => (isOctets(message) ? [] : [message]) },
  "sends stray octets": {
    out: (message, memory) => (typeOf(message) === "pong" && memory.role === "agent" ? [Buffer.from("!"), message] : [message]),
  },
  "sends stray output": {
    out: (message, memory) => (typeOf(message) === "pong" && memory.role === "client" ? [Buffer.from("!"), message] : [message]),
  },
  "no sizes": { out: without("resize") },
  "sizes twice": { out: (message) => (typeOf(message) === "resize" ? [message, message] : [message]) },
  "sizes of anybody": {
    in: (message) => (typeOf(message) === "resize" ? [{ type: "own" }, message] : [message]),
  },
  "no exits": { out: without("exit") },
  "exits without signal": { out: changes("exit", (exit) => ({ ...exit, signal: 1, again: false })) },
  "no starts": { out: without("start") },
  "starts twice": { out: (message) => (typeOf(message) === "start" ? [message, message] : [message]) },
  "starts at once": {
    in: (message, memory) => (typeOf(message) === "start" && memory.role === "client" ? [message] : [message]),
    out: (message, memory) => (typeOf(message) === "pong" && memory.role === "agent" ? [{ type: "start" }, message] : [message]),
  },
  "answers pings with 0": {
    out: changes("pong", (pong) => (number(pong["id"]) > 1_000_000 && number(pong["id"]) < 2_000_000 ? pong : { type: "pong", id: 1 })),
  },
  "hangs up for pongs": { in: (message) => (typeOf(message) === "pong" && (message as Json)["id"] === 1 ? ["{"] : [message]) },
  "refuses unknown members": {
    in: (message) => (typeof message === "object" && !isOctets(message) && ("pixels" in message || "shell" in message) ? ["{"] : [message]),
  },
  "refuses older acknowledgements": {
    in: (message, memory) => {
      if (typeOf(message) !== "ack") return [message];
      const offset = number((message as Json)["offset"]);
      const isOlder = offset < number(memory["acked"] ?? 0);
      memory["acked"] = offset;
      return isOlder ? ["{"] : [message];
    },
  },
  "takes no start": { in: without("start") },
  "takes no wish to own": { in: without("own") },
  "gives the terminal to whoever speaks": {
    in: (message, memory) =>
      memory.role === "client" && typeOf(message) !== "own" && memory["owned"] !== true
        ? ((memory["owned"] = true), [{ type: "own" }, message])
        : [message],
  },
  "takes no acknowledgements": { in: without("ack") },
  "types for watchers": { request: (target) => target.replace("&mode=watch", "") },
  "watches for all": { request: (target) => (target.includes("client=") ? `${target.replace("&mode=type", "")}&mode=watch` : target) },
  "forgets where clients were": { request: (target) => target.replace(/&from=\d+/, "") },
  "forgets who clients were": { request: (target) => target.replace(/client=a(?=&|$)/, "client=someone") },
  "drops what is too long": { in: (message) => (isOctets(message) && message.length > 60_000 ? [] : [message]) },
  "says too little": { out: changes("state", (state) => ({ ...state, clients: undefined })) },
  "admits no pages": { request: (target, fields) => (fields.has("origin") ? (fields.set("origin", "null"), target) : target) },
  "gives no codes": { out: changes("exit", (exit) => ({ ...exit, code: 7, signal: 7 })) },
  "merges runs": { request: (target) => target.replace("run=next", "run=other") },
  "never restarts": { in: deaf((message, memory) => memory.role === "client" && isOctets(message)) },
};

/** What these do wrong takes time: the relayed hub has short times. */
export const HASTY_FLAWS: Readonly<Record<string, Flaw>> = {
  "asks nobody": { out: without("ping") },
  "asks everybody": { out: (message) => (typeOf(message) === "state" ? [message, { type: "ping", id: 9 }] : [message]) },
  "has endless patience": { out: without("error"), close: () => undefined },
  "hangs up after two seconds": {
    in: (message, memory) => {
      memory["since"] ??= Date.now();
      return Date.now() - number(memory["since"]) > 2_000 ? ["{"] : [message];
    },
  },
  "forgets ended sessions": { request: (target) => target.replace(/sessions\/[^?]*\?client=late/, "sessions/nowhere?client=late") },
};

/** The relayed hub keeps little output. */
export const FORGETFUL_FLAWS: Readonly<Record<string, Flaw>> = {
  "repeats the last octets": { out: (message) => (isOctets(message) ? [message, message.subarray(-1)] : [message]) },
};
