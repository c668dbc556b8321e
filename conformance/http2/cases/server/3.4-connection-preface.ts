import { accepted, acceptedAndAnswered, get, handshake, holds, invalidPreface, permitted, send } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

const preface: Step = { do: "preface" };
const ACK: FrameSpec = { type: "SETTINGS", flags: ["ACK"] };

const wrongMagic = ({ magic, ...row }: Row & { readonly magic: string }): Case => ({
  spec: "rfc9113#3.4",
  covers: ["rfc9113#3.4/client-magic", "rfc9113#3.4/invalid-preface", "rfc9113#3.4/invalid-preface-goaway"],
  level: "MUST",
  role: "server",
  steps: [{ do: "preface", magic }],
  control: [preface],
  allowed: invalidPreface,
  ...row,
});

const wrongFirstFrame = ({ frame, ...row }: Row & { readonly frame: FrameSpec }): Case => ({
  spec: "rfc9113#3.4",
  covers: ["rfc9113#3.4/client-settings", "rfc9113#3.4/invalid-preface", "rfc9113#6.5/at-start"],
  level: "MUST",
  role: "server",
  steps: [{ do: "preface", settings: "none" }, send(frame, { type: "SETTINGS" })],
  control: [preface, send(frame)],
  allowed: invalidPreface,
  ...row,
});

/** Only what has arrived can be acknowledged. */
const theirSettings: Step = { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: false } } };

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
    title: "The server acknowledges an empty SETTINGS frame in the client's preface before its own SETTINGS is acknowledged.",
    steps: [preface, { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true } } }, theirSettings, send(ACK)],
    control: [preface, theirSettings, send(ACK)],
    allowed: accepted,
  },
  {
    id: "http2/preface-in-single-octets",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/client-magic", "rfc9113#3.4/client-settings"],
    level: "MUST",
    role: "server",
    title: "The server accepts a client preface that arrives one octet at a time.",
    steps: [{ do: "preface", cut: 1 }, theirSettings, send(ACK, get(1))],
    control: [preface, theirSettings, send(ACK, get(1))],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/preface-and-request-at-once",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/frames-before-server-preface"],
    level: "MUST",
    role: "server",
    title: "The server accepts a request sent right after the client's preface, before the server's own preface arrives.",
    steps: [preface, send(get(1), { type: "PING", hex: "6561726c79206f6e" }), theirSettings, send(ACK)],
    control: [handshake, send(get(1))],
    allowed: acceptedAndAnswered(1),
  },
  wrongMagic({
    id: "http2/preface-with-wrong-end",
    title: "The server ends a connection whose preface differs in its last octet.",
    magic: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r",
  }),
  wrongMagic({
    id: "http2/preface-of-other-version",
    title: "The server ends a connection whose preface names another HTTP version.",
    magic: "PRI * HTTP/2.1\r\n\r\nSM\r\n\r\n",
  }),
  wrongMagic({
    id: "http2/preface-missing",
    title: "The server ends a connection that starts with SETTINGS instead of the client's preface.",
    magic: "",
  }),
  wrongMagic({
    id: "http2/preface-in-lower-case",
    title: "The server ends a connection whose preface is in lower case.",
    magic: "pri * http/2.0\r\n\r\nsm\r\n\r\n",
  }),
  wrongFirstFrame({
    id: "http2/preface-then-ping",
    title: "The server ends a connection on which PING arrives before the SETTINGS of the client's preface.",
    frame: { type: "PING", hex: "746f756368737421" },
  }),
  wrongFirstFrame({
    id: "http2/preface-then-headers",
    title: "The server ends a connection on which HEADERS arrives before the SETTINGS of the client's preface.",
    frame: get(1),
  }),
  wrongFirstFrame({
    id: "http2/preface-then-window-update",
    title: "The server ends a connection on which WINDOW_UPDATE arrives before the SETTINGS of the client's preface.",
    frame: { type: "WINDOW_UPDATE", increment: 1000 },
  }),
  wrongFirstFrame({
    id: "http2/preface-then-priority",
    title: "The server ends a connection on which PRIORITY arrives before the SETTINGS of the client's preface.",
    frame: { type: "PRIORITY", stream: 1, priority: { on: 0, weight: 16 } },
  }),
  wrongFirstFrame({
    id: "http2/preface-then-unknown-frame",
    title: "The server ends a connection on which a frame of unknown type arrives before the SETTINGS of the client's preface.",
    frame: { type: 0xbe, hex: "00" },
  }),
  {
    id: "http2/http2-settings-field",
    spec: "rfc9113#3.1",
    covers: ["rfc9113#3.1/h2c-retired"],
    level: "SHOULD",
    role: "server",
    needs: ["body"],
    title: "The server ignores the obsolete HTTP2-Settings field.",
    // The value encodes INITIAL_WINDOW_SIZE of 0, which would block the response.
    steps: [handshake, send(get(1, ["http2-settings", "AAQAAAAA"]))],
    control: [handshake, send(get(1))],
    // RFC 7540 made the field connection-specific, and a request with such a field malformed.
    allowed: [
      { see: { see: "all", of: [{ see: "accepted" }, { see: "response", stream: 1, complete: true }] } },
      permitted({ see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" }, "rfc7540#8.1.2.2"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc7540#8.1.2.2"),
    ],
  },
];
