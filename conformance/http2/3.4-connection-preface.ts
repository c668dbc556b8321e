import { accepted, get, handshake, holds, invalidPreface, permitted, send, acceptedAndAnswered } from "./phrases.ts";
import type { Case, FrameSpec, Step } from "./vocabulary.ts";

const preface: Step = { do: "preface" };
const ACK: FrameSpec = { type: "SETTINGS", flags: ["ACK"] };

const wrongMagic = (id: Case["id"], magic: string, title: string): Case => ({
  id,
  spec: "rfc9113#3.4",
  covers: ["rfc9113#3.4/client-magic", "rfc9113#3.4/invalid-preface", "rfc9113#3.4/invalid-preface-goaway"],
  level: "MUST",
  role: "server",
  title,
  steps: [{ do: "preface", magic }],
  control: [preface],
  allowed: invalidPreface,
});

const wrongFirstFrame = (words: string, frame: FrameSpec, name: string): Case => ({
  id: `http2/preface-then-${words}`,
  spec: "rfc9113#3.4",
  covers: ["rfc9113#3.4/client-settings", "rfc9113#3.4/invalid-preface", "rfc9113#6.5/at-start"],
  level: "MUST",
  role: "server",
  title: `The server ends a connection on which ${name} comes before the SETTINGS of the preface.`,
  steps: [{ do: "preface", settings: "none" }, send(frame, { type: "SETTINGS" })],
  control: [preface, send(frame)],
  allowed: invalidPreface,
});

/** Prior knowledge (rfc9113#3.3) and the connection preface (rfc9113#3.4). */
export const cases: readonly Case[] = [
  {
    id: "http2/server-preface-first",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/server-settings", "rfc9113#3.3/server-preface", "rfc9113#6.5/at-start"],
    level: "MUST",
    role: "server",
    title: "The server's first frame is SETTINGS.",
    steps: [handshake, send(get(1))],
    control: [handshake, send(get(1))],
    allowed: holds("settings-first"),
  },
  {
    id: "http2/preface-settings-acknowledged",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/preface-settings-acknowledged", "rfc9113#3.4/client-settings-empty", "rfc9113#6.5.3/ack-immediately"],
    level: "MUST",
    role: "server",
    title: "The server acknowledges the SETTINGS of a client's preface, though they are empty and its own are not acknowledged yet.",
    steps: [preface, { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true } } }, send(ACK)],
    control: [preface, send(ACK)],
    allowed: accepted,
  },
  {
    id: "http2/preface-in-single-octets",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/client-magic", "rfc9113#3.4/client-settings"],
    level: "MUST",
    role: "server",
    title: "The server takes a preface that arrives one octet at a time.",
    steps: [{ do: "preface", cut: 1 }, send(ACK, get(1))],
    control: [preface, send(ACK, get(1))],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/preface-and-request-at-once",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/frames-before-server-preface"],
    level: "MUST",
    role: "server",
    title: "The server takes a request that follows the client's preface without waiting for its own.",
    steps: [preface, send(get(1), { type: "PING", hex: "6561726c79206f6e" }, ACK)],
    control: [handshake, send(get(1))],
    allowed: acceptedAndAnswered(1),
  },
  wrongMagic(
    "http2/preface-with-wrong-end",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r",
    "The server ends a connection whose preface differs in its last octet.",
  ),
  wrongMagic(
    "http2/preface-of-other-version",
    "PRI * HTTP/2.1\r\n\r\nSM\r\n\r\n",
    "The server ends a connection whose preface names another version.",
  ),
  wrongMagic("http2/preface-missing", "", "The server ends a connection that begins with SETTINGS in place of the client's preface."),
  wrongMagic(
    "http2/preface-in-lower-case",
    "pri * http/2.0\r\n\r\nsm\r\n\r\n",
    "The server ends a connection whose preface is written in lower case.",
  ),
  wrongFirstFrame("ping", { type: "PING", hex: "746f756368737421" }, "PING"),
  wrongFirstFrame("headers", get(1), "HEADERS"),
  wrongFirstFrame("window-update", { type: "WINDOW_UPDATE", increment: 1000 }, "WINDOW_UPDATE"),
  wrongFirstFrame("priority", { type: "PRIORITY", stream: 1, priority: { on: 0, weight: 16 } }, "PRIORITY"),
  wrongFirstFrame("unknown-frame", { type: 0xbe, hex: "00" }, "a frame of an unknown type"),
  {
    id: "http2/http2-settings-field",
    spec: "rfc9113#3.1",
    covers: ["rfc9113#3.1/h2c-retired"],
    level: "SHOULD",
    role: "server",
    needs: ["body"],
    title: "The server changes no setting for the HTTP2-Settings field, which is of no use any more.",
    // The value is that of a SETTINGS frame that shuts the windows of streams.
    steps: [handshake, send(get(1, ["http2-settings", "AAQAAAAA"]))],
    control: [handshake, send(get(1))],
    // The document that defined the field called it connection-specific, and a message with such a field malformed.
    allowed: [
      { see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1, complete: true }] } },
      permitted({ see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" }, "rfc7540#8.1.2.2"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc7540#8.1.2.2"),
    ],
  },
];
