import type { Vector } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/** What a program does with its connection. */
export type Action =
  | { readonly do: "text"; readonly text: string }
  | { readonly do: "binary" | "ping" | "pong"; readonly octets: string }
  | { readonly do: "part"; readonly kind: "text" | "binary"; readonly octets: string; readonly end: boolean }
  | { readonly do: "close"; readonly code?: number; readonly reason?: string }
  | { readonly do: "abort" | "ended" };
type Message = { readonly text: string } | { readonly binary: string } | { readonly ping: string } | { readonly pong: string };
type Close = { readonly close: number | null; readonly reason: string };
/** What the program learns. */
export type Event = Message | Close | { readonly closed: number; readonly reason: string; readonly clean: boolean };
/** A frame that the peer gets. */
export type Sent = Message | Close | { readonly part: "text" | "binary" | "continuation"; readonly octets: string; readonly end: boolean };
export type Step = ({ readonly receive: string } | Action) & {
  readonly misuse?: true;
  readonly events?: readonly Event[];
  readonly sends?: readonly Sent[];
};
/** Schema: websocket-connection-v1. */
export type ConnectionVector = Vector & { readonly side: "client" | "server"; readonly steps: readonly Step[] };

type Row = VectorSource<ConnectionVector>["vectors"][number];
type Side = Row["side"];
type What = readonly [note: string, spec: string, flag: string];
type Steps = (frame: (head: number, payload?: string) => string) => readonly Step[];

const hex = (text: string): string => Buffer.from(text).toString("hex");
const octet = (value: number): string => value.toString(16).padStart(2, "0");
/** A frame to this side with fewer than 126 octets (rfc6455#5.2); that of a client is masked with a key of zeros (rfc6455#5.3). */
const frameTo =
  (side: Side) =>
  (head: number, payload = ""): string =>
    octet(head) + octet(payload.length / 2 + (side === "server" ? 0x80 : 0)) + (side === "server" ? "00000000" : "") + payload;

const row = (side: Side, [note, spec, flag]: What, steps: Steps, result: Row["result"] = "valid"): Row => ({
  note: `${note}, of a ${side}`,
  spec,
  side,
  steps: steps(frameTo(side)),
  result,
  flags: [flag],
});
const both = (what: What, steps: Steps, result?: Row["result"]): Row[] => (["server", "client"] as const).map((side) => row(side, what, steps, result));
const server = (what: What, steps: Steps, result?: Row["result"]): Row => row("server", what, steps, result);
const client = (what: What, steps: Steps, result?: Row["result"]): Row => row("client", what, steps, result);

const [CONT, TEXT, BINARY, CLOSE, PING, PONG] = [0x80, 0x81, 0x82, 0x88, 0x89, 0x8a];
const code = (value: number, reason = ""): string => value.toString(16).padStart(4, "0") + hex(reason);
const got = (receive: string, events: readonly Event[] = [], sends: readonly Sent[] = []): Step => ({
  receive,
  ...(events.length > 0 && { events }),
  ...(sends.length > 0 && { sends }),
});
const does = (action: Action, sends: readonly Sent[] = [], events: readonly Event[] = []): Step => ({
  ...action,
  ...(events.length > 0 && { events }),
  ...(sends.length > 0 && { sends }),
});
/** What a program must not do. */
const wrong = (action: Action): Step => ({ ...action, misuse: true });
const says = (text: string): Step => does({ do: "text", text }, [{ text }]);
const SAID = hex("hé");

/** What a connection tells its program, and what it sends for it. */
export const source: VectorSource<ConnectionVector> = {
  about: "What the program of a connection learns, and what its peer gets when the program acts",
  spec: "rfc6455#5.1",
  flags: {
    Message: { why: "whole messages and messages in parts", bug: "WRONG_ORDER" },
    Control: { why: "Ping and Pong, and their sizes", bug: "OFF_BY_ONE" },
    Close: { why: "the closing handshake, from either side", bug: "WRONG_ORDER" },
    Report: { why: "the code, the reason and the cleanness of an end", bug: "WRONG_VALUE" },
    Wrong: { why: "what a program must not send", bug: "MISSING_CHECK" },
  },
  vectors: [
    ...both(["messages in both directions", "rfc6455#5.6", "Message"], (frame) => [
      got(frame(TEXT, SAID), [{ text: "hé" }]),
      says("hé"),
      got(frame(BINARY, "00ff"), [{ binary: "00ff" }]),
      does({ do: "binary", octets: "00ff" }, [{ binary: "00ff" }]),
      got(frame(TEXT), [{ text: "" }]),
      says(""),
      does({ do: "binary", octets: "" }, [{ binary: "" }]),
    ]),
    ...both(["a message of 125, 126 and 127 octets", "rfc6455#5.2", "Message"], () => [says("a".repeat(125)), says("a".repeat(126)), says("b".repeat(127))]),
    ...both(["a message in parts, with a Ping between them", "rfc6455#5.4", "Message"], (frame) => [
      does({ do: "part", kind: "text", octets: "68c3", end: false }, [{ part: "text", octets: "68c3", end: false }]),
      does({ do: "ping", octets: "01" }, [{ ping: "01" }]),
      got(frame(PING, "02"), [{ ping: "02" }], [{ pong: "02" }]),
      does({ do: "part", kind: "text", octets: "a9", end: true }, [{ part: "continuation", octets: "a9", end: true }]),
      says("a"),
    ]),
    ...both(["a binary message in three parts, one of them empty", "rfc6455#5.4", "Message"], () => [
      does({ do: "part", kind: "binary", octets: "01", end: false }, [{ part: "binary", octets: "01", end: false }]),
      does({ do: "part", kind: "binary", octets: "", end: false }, [{ part: "continuation", octets: "", end: false }]),
      does({ do: "part", kind: "binary", octets: "02", end: true }, [{ part: "continuation", octets: "02", end: true }]),
    ]),
    ...both(["a message before another has ended", "rfc6455#5.4", "Wrong"], () => [
      does({ do: "part", kind: "text", octets: "68", end: false }, [{ part: "text", octets: "68", end: false }]),
      wrong({ do: "text", text: "a" }),
      wrong({ do: "binary", octets: "01" }),
      does({ do: "part", kind: "text", octets: "69", end: true }, [{ part: "continuation", octets: "69", end: true }]),
      says("a"),
    ], "invalid"),
    ...both(["a text part that is not UTF-8", "rfc6455#5.6", "Wrong"], () => [
      wrong({ do: "part", kind: "text", octets: "c328", end: true }),
      does({ do: "part", kind: "text", octets: "c3", end: false }, [{ part: "text", octets: "c3", end: false }]),
      wrong({ do: "part", kind: "text", octets: "28", end: false }),
      wrong({ do: "part", kind: "text", octets: "", end: true }),
      does({ do: "part", kind: "text", octets: "a9", end: true }, [{ part: "continuation", octets: "a9", end: true }]),
    ], "invalid"),

    ...both(["a Ping and a Pong of the program, up to 125 octets", "rfc6455#5.5", "Control"], () => [
      does({ do: "ping", octets: "" }, [{ ping: "" }]),
      does({ do: "ping", octets: "0a".repeat(125) }, [{ ping: "0a".repeat(125) }]),
      does({ do: "pong", octets: "0b".repeat(125) }, [{ pong: "0b".repeat(125) }]),
    ]),
    ...both(["a Ping and a Pong of 126 octets", "rfc6455#5.5", "Wrong"], () => [wrong({ do: "ping", octets: "0a".repeat(126) }), wrong({ do: "pong", octets: "0b".repeat(126) }), says("a")], "invalid"),
    ...both(["a Pong that answers nothing", "rfc6455#5.5.3", "Control"], (frame) => [got(frame(PONG, "07"), [{ pong: "07" }]), says("a")]),
    ...both(["a Ping of 125 octets and its answer", "rfc6455#5.5.3", "Control"], (frame) => [got(frame(PING, "0c".repeat(125)), [{ ping: "0c".repeat(125) }], [{ pong: "0c".repeat(125) }])]),
    ...both(["two Pings and their answers, in order", "rfc6455#5.5.2", "Control"], (frame) => [got(frame(PING, "01") + frame(PING, "02"), [{ ping: "01" }, { ping: "02" }], [{ pong: "01" }, { pong: "02" }])]),

    server(["a Close of the peer with code and reason", "rfc6455#5.5.1", "Close"], (frame) => [
      got(frame(CLOSE, code(1000, "bye")), [{ close: 1000, reason: "bye" }, { closed: 1000, reason: "bye", clean: true }], [{ close: 1000, reason: "" }]),
      does({ do: "text", text: "late" }),
      does({ do: "ping", octets: "01" }),
      does({ do: "close", code: 1000 }),
      does({ do: "abort" }),
      does({ do: "ended" }),
    ]),
    server(["a Close of the peer without a code", "rfc6455#7.1.5", "Report"], (frame) => [
      got(frame(CLOSE), [{ close: 1005, reason: "" }, { closed: 1005, reason: "", clean: true }], [{ close: null, reason: "" }]),
    ]),
    client(["a Close of the server, and the end of its transport", "rfc6455#7.1.1", "Close"], (frame) => [
      got(frame(CLOSE, code(4000, "x")), [{ close: 4000, reason: "x" }], [{ close: 4000, reason: "" }]),
      does({ do: "text", text: "late" }),
      does({ do: "ended" }, [], [{ closed: 4000, reason: "x", clean: true }]),
    ]),
    client(["a Close of the server without a code, and the end of its transport", "rfc6455#7.1.5", "Report"], (frame) => [
      got(frame(CLOSE), [{ close: 1005, reason: "" }], [{ close: null, reason: "" }]),
      does({ do: "ended" }, [], [{ closed: 1005, reason: "", clean: true }]),
    ]),
    server(["a Close of the program, and the answer of the client", "rfc6455#7.1.2", "Close"], (frame) => [
      does({ do: "close", code: 1000, reason: "done" }, [{ close: 1000, reason: "done" }]),
      got(frame(TEXT, "61"), [{ text: "a" }]),
      got(frame(CLOSE, code(1000)), [{ close: 1000, reason: "" }, { closed: 1000, reason: "", clean: true }]),
    ]),
    client(["a Close of the program, the answer of the server and the end of its transport", "rfc6455#7.1.2", "Close"], (frame) => [
      does({ do: "close", code: 3999 }, [{ close: 3999, reason: "" }]),
      got(frame(CLOSE, code(3999)), [{ close: 3999, reason: "" }]),
      does({ do: "ended" }, [], [{ closed: 3999, reason: "", clean: true }]),
    ]),
    ...both(["a Close without a code", "rfc6455#5.5.1", "Close"], () => [does({ do: "close" }, [{ close: null, reason: "" }])]),
    ...both(["a second Close of the program", "rfc6455#5.5.1", "Close"], () => [
      does({ do: "close", code: 1001 }, [{ close: 1001, reason: "" }]),
      does({ do: "close", code: 1000 }),
    ]),
    ...both(["messages after the Close of the program", "rfc6455#5.5.1", "Wrong"], () => [
      does({ do: "close", code: 1000 }, [{ close: 1000, reason: "" }]),
      wrong({ do: "text", text: "a" }),
      wrong({ do: "binary", octets: "01" }),
      wrong({ do: "part", kind: "text", octets: "61", end: true }),
    ], "invalid"),
    ...both(["a Ping after the Close of the program is answered or not, and a Pong is reported", "rfc6455#5.5.2", "Close"], (frame) => [
      does({ do: "close", code: 1000 }, [{ close: 1000, reason: "" }]),
      got(frame(PONG, "01"), [{ pong: "01" }]),
    ]),
    ...both(["a reason of 123 octets", "rfc6455#5.5", "Close"], () => [does({ do: "close", code: 1000, reason: "r".repeat(123) }, [{ close: 1000, reason: "r".repeat(123) }])]),
    ...both(["a reason of 124 octets", "rfc6455#5.5", "Wrong"], () => [wrong({ do: "close", code: 1000, reason: "r".repeat(124) }), wrong({ do: "close", code: 1000, reason: "é".repeat(62) }), says("a")], "invalid"),
    ...both(["codes that must not be sent, and a reason without a code", "rfc6455#7.4.1", "Wrong"], () => [
      ...[999, 1004, 1005, 1006, 1015, 2999, 5000].map((value) => wrong({ do: "close", code: value })),
      wrong({ do: "close", reason: "why" }),
      does({ do: "close", code: 4999, reason: "ü" }, [{ close: 4999, reason: "ü" }]),
    ], "invalid"),
    ...both(["the end of the transport without a Close", "rfc6455#7.1.5", "Report"], () => [does({ do: "ended" }, [], [{ closed: 1006, reason: "", clean: false }])]),
    ...both(["the end of the transport after the Close of the program alone", "rfc6455#7.1.5", "Report"], () => [
      does({ do: "close", code: 1000 }, [{ close: 1000, reason: "" }]),
      does({ do: "ended" }, [], [{ closed: 1006, reason: "", clean: false }]),
    ]),
    ...both(["the program drops the connection", "rfc6455#7.1.7", "Report"], () => [
      does({ do: "abort" }, [], [{ closed: 1006, reason: "", clean: false }]),
      does({ do: "abort" }),
      does({ do: "text", text: "late" }),
      does({ do: "ended" }),
    ]),
    ...both(["the program drops a connection that it has closed", "rfc6455#7.1.7", "Report"], () => [
      does({ do: "close", code: 1000 }, [{ close: 1000, reason: "" }]),
      does({ do: "abort" }, [], [{ closed: 1006, reason: "", clean: false }]),
    ]),
    client(["the program drops a connection after both have sent a Close", "rfc6455#7.1.4", "Report"], (frame) => [
      got(frame(CLOSE, code(1000)), [{ close: 1000, reason: "" }], [{ close: 1000, reason: "" }]),
      does({ do: "abort" }, [], [{ closed: 1000, reason: "", clean: true }]),
    ]),
    client(["frames after the Close of the server are not read", "rfc6455#5.5.1", "Close"], (frame) => [
      got(frame(CLOSE, code(1000)) + frame(TEXT, "61") + frame(PING, "01"), [{ close: 1000, reason: "" }], [{ close: 1000, reason: "" }]),
      got(frame(TEXT, "61")),
    ]),
    ...both(["a Close in a message in parts", "rfc6455#5.4", "Close"], (frame) => [
      got(frame(0x01, "61")),
      does({ do: "close", code: 1000 }, [{ close: 1000, reason: "" }]),
      got(frame(CONT, "62"), [{ text: "ab" }]),
    ]),
  ],
};
