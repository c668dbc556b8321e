import { SUBPROTOCOL } from "../driver/performance.ts";
import type { Flaw, Json, Memory, Passing } from "./relay.ts";

/** Agents and clients that are wrong in one way. Each is our own behind a relay that makes the mistake: `out` is what it sends, `in` what the hub does. */

const typeOf = (message: Passing): unknown =>
  typeof message === "object" && !(message instanceof Uint8Array) ? message["type"] : undefined;
const isOctets = (message: Passing): message is Uint8Array => message instanceof Uint8Array;
const number = (value: unknown): number => Number(value);
type Change = (message: Passing, memory: Memory) => readonly Passing[];
const without =
  (...types: string[]): Change =>
  (message) =>
    types.includes(String(typeOf(message))) ? [] : [message];
const changes =
  (type: string, change: (message: Json) => Json): Change =>
  (message) =>
    typeOf(message) === type ? [change(message as Json)] : [message];
/** The hub's states are not those that it sends. */
const stateIs = (more: Json): Flaw => ({ in: changes("state", (state) => ({ ...state, ...more })) });
const otherOctets =
  (change: (octets: Uint8Array) => readonly Passing[]): Change =>
  (message) =>
    isOctets(message) ? change(message) : [message];
/** After the first state of a connection, and only once. */
const once =
  (type: string, change: (message: Json) => readonly Passing[]): Change =>
  (message, memory) => {
    if (typeOf(message) !== type || memory[type] === true) return [message];
    memory[type] = true;
    return change(message as Json);
  };
const EXIT: Json = { type: "exit", code: 1, signal: null, again: false };
/** The pings of a fence have large ids. */
const isFence = (message: Passing): boolean => number((message as Json)["id"]) > 1_000_000 && number((message as Json)["id"]) < 2_000_000;
let runs = 0;
const someName = (): string => `name${++runs}`;

/** Flaws of either. */
const SHARED: Readonly<Record<string, Flaw>> = {
  "has no window": stateIs({ window: 65_536 }),
  "has a larger window": { in: changes("state", (state) => ({ ...state, window: number(state["window"]) + 1 })) },
  "takes no acknowledgements": {
    in: (message, memory) =>
      typeOf(message) === "ack" && memory["begun"] === true ? [] : ((memory["begun"] = typeOf(message) === "ack"), [message]),
  },
  "begins at 0": stateIs({ from: 0 }),
  "asks nothing": { out: without("ping") },
  "asks all the time": { out: (message) => [message, { type: "ping", id: 7 }] },
  "acknowledges nothing": { out: without("ack") },
  "acknowledges 0": { out: changes("ack", () => ({ type: "ack", offset: 0 })) },
  "acknowledges too much": { out: changes("ack", ({ offset }) => ({ type: "ack", offset: number(offset) + 1 })) },
  "loses an octet": { out: otherOctets((octets) => [octets.subarray(0, -1)]) },
  "says it twice": { out: otherOctets((octets) => [octets, octets]) },
  "says it in one message": {
    out: (message, memory) => {
      if (!isOctets(message)) return [message];
      const all = Buffer.concat([(memory["kept"] as Buffer | undefined) ?? Buffer.alloc(0), message]);
      memory["kept"] = all.length > 30_000 && all.length < 100_000 ? all : undefined;
      return memory["kept"] === undefined ? [all] : [];
    },
  },
  "says nothing": { out: otherOctets(() => []) },
  "hears nothing": { in: otherOctets(() => []) },
  "hears it twice": { in: otherOctets((octets) => [octets, octets]) },
  "sends octets as UTF-8": { out: otherOctets((octets) => [Buffer.from(Buffer.from(octets).toString())]) },
  "answers no pings": { out: (message) => (typeOf(message) === "pong" && !isFence(message) ? [] : [message]) },
  "answers pings with 3": { out: (message) => (typeOf(message) === "pong" && !isFence(message) ? [{ type: "pong", id: 3 }] : [message]) },
  "answers pings twice": { out: (message) => (typeOf(message) === "pong" ? [message, message] : [message]) },
  "refuses unknown members": {
    in: (message) => (typeof message === "object" && !isOctets(message) && "pixels" in message ? ["{"] : [message]),
  },
  "says too little": { out: changes("ack", () => ({ type: "ack" })) },
  "has no token": {
    request: (target, fields) => (fields.delete("authorization"), fields.set("sec-websocket-protocol", SUBPROTOCOL), target),
  },
  "offers no subprotocol": {
    request: (target, fields) => {
      const others = (fields.get("sec-websocket-protocol") ?? "").split(",").filter((one) => one.trim() !== SUBPROTOCOL);
      fields.set("sec-websocket-protocol", ["other", ...others].join(","));
      return target;
    },
  },
  "drops what is too long": { in: otherOctets((octets) => (octets.length > 60_000 ? [] : [octets])) },
};

export const AGENT_FLAWS: Readonly<Record<string, Flaw>> = {
  ...SHARED,
  "begins with an acknowledgement": { out: once("offer", (offer) => [{ type: "ack", offset: 0 }, offer]) },
  "begins at once": { out: once("offer", (offer) => [offer, Buffer.from("early")]) },
  "forgets its input": { out: changes("offer", (offer) => ({ ...offer, input: 0 })) },
  "forgets its output": { out: changes("offer", (offer) => ({ ...offer, from: offer["end"] })) },
  "acknowledges before it types": { out: once("offer", (offer) => [offer]), in: otherOctets((octets) => [octets.subarray(1)]) },
  "never resizes": {
    in: (message) =>
      typeOf(message) === "resize" ? [] : typeOf(message) === "state" ? [{ ...(message as Json), cols: 80, rows: 24 }] : [message],
  },
  "resizes once": { in: once("resize", (resize) => [resize, { type: "resize", cols: 70, rows: 20 }]) },
  "keeps its exit": { out: without("exit") },
  "exits with 9": { out: changes("exit", (exit) => ({ ...exit, code: 9 })) },
  "exits twice": { out: changes("exit", (exit) => exit) },
  "exits too early": { out: otherOctets((octets) => (octets.includes(0x78) ? [octets, EXIT] : [octets])) },
  "ends for good": { in: without("start") },
  "offers the same run": { request: (target) => target.replace(/run=\w+/, "run=same") },
  "offers another run": { request: (target) => target.replace(/run=\w+/, () => `run=${someName()}`) },
  "starts another shell unasked": {
    in: (message, memory) => (typeOf(message) === "ping" && memory["exited"] === true ? [{ type: "start" }, message] : [message]),
    out: (message, memory) => ((memory["exited"] = memory["exited"] === true || typeOf(message) === "exit"), [message]),
  },
  "hangs up for a start": { in: (message) => (typeOf(message) === "start" ? ["{"] : [message]) },
  "never gives up": { refusal: () => 503 },
  "gives up at once": { refusal: () => 401 },
  "leaves after two seconds": {
    in: (message, memory) => {
      memory["since"] ??= Date.now();
      return Date.now() - number(memory["since"]) > 2_000 ? ["{"] : [message];
    },
  },
  "comes back once": { close: () => undefined },
};

export const CLIENT_FLAWS: Readonly<Record<string, Flaw>> = {
  ...SHARED,
  "counts the screen": stateIs({ screen: 0 }),
  "takes a watcher's window": { in: changes("state", (state) => (number(state["window"]) === 0 ? { ...state, window: 10 } : state)) },
  "types before its state": {
    in: (message, memory) => {
      memory["begun"] = memory["begun"] === true || typeOf(message) === "state";
      const early: Json = {
        type: "state",
        session: "s",
        run: "r1",
        agent: "here",
        from: 6,
        screen: 0,
        end: 6,
        input: 0,
        known: true,
        window: 100,
        cols: 80,
        rows: 24,
        clients: 1,
        owner: true,
      };
      return typeOf(message) === "ping" && memory["begun"] === false ? [early, message] : [message];
    },
  },
  "has no name": { request: (target) => target.replace(/client=\w+/, () => `client=${someName()}`) },
  "forgets its offset": { request: (target) => target.replace(/&from=\d+/, "&from=0") },
  "forgets its run": { request: (target) => target.replace(/&run=\w+/, "") },
  "sends everything again": { in: changes("state", (state) => ({ ...state, input: 0 })) },
  "sends nothing again": stateIs({ known: false }),
  "thinks that it is known": stateIs({ known: true }),
  "knows one run": stateIs({ run: "r1", known: true, input: 0 }),
};

/** Those that must pass nothing. */
export const MUTE_FLAWS: Readonly<Record<string, Flaw>> = {
  silent: { out: () => [] },
};
