import { answerWith, content, exchangeSucceeds, respond, send, untilRequest } from "../phrases.ts";
import type { Case, Step } from "../../vocabulary.ts";

/** The exchange after a valid preface, for controls. */
const answered: readonly Step[] = [{ do: "await", see: { see: "request" } }, send(respond(), content())];
const begins: Step = { do: "preface", settings: [] };
const acknowledge: Step = send({ type: "SETTINGS", flags: ["ACK"] });

/** The connection preface (rfc9113#3.4): the client's own, and the server's. */
export const cases: readonly Case[] = [
  {
    id: "http2/client-preface",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/client-magic", "rfc9113#3.4/client-settings"],
    level: "MUST",
    role: "client",
    title: "A client sends the 24-octet preface first, then SETTINGS.",
    fence: "exit",
    steps: answerWith(respond(), content()),
    control: answerWith(respond(), content()),
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "holds", monitor: "settings-first" },
            { see: "exit", ok: true },
          ],
        },
      },
    ],
  },
  {
    id: "http2/client-acknowledges-server-preface",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/preface-settings-acknowledged", "rfc9113#6.5.3/ack-immediately"],
    level: "MUST",
    role: "client",
    title: "A client acknowledges the SETTINGS of the server's preface.",
    fence: "exit",
    steps: [
      begins,
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true } } },
      acknowledge,
      { do: "await", see: { see: "request" } },
      send(respond(), content()),
    ],
    control: [begins, acknowledge, ...answered],
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-server-preface-without-settings",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/server-settings", "rfc9113#3.4/invalid-preface"],
    level: "MUST",
    role: "client",
    title: "A client treats a server preface without SETTINGS as a connection error of type PROTOCOL_ERROR.",
    fence: "ping",
    steps: [{ do: "preface", settings: "none" }, send({ type: "WINDOW_UPDATE", increment: 1 }, { type: "SETTINGS", settings: [] })],
    control: [begins, acknowledge, send({ type: "WINDOW_UPDATE", increment: 1 }), ...answered],
    allowed: [
      { see: { see: "GOAWAY", code: "PROTOCOL_ERROR" } },
      { see: { see: "closed" }, by: "rfc9113#3.4" },
      { see: { see: "GOAWAY", code: "INTERNAL_ERROR" }, by: "rfc9113#5.4", verdict: "warn" },
    ],
  },
  {
    id: "http2/client-server-answers-in-http11",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/invalid-preface"],
    level: "MUST",
    role: "client",
    title: "A client treats an HTTP/1.1 response as an invalid preface and reports a failure.",
    fence: "exit",
    steps: [
      { do: "preface", settings: "none" },
      {
        do: "bytes",
        hex: "485454502f312e31203430302042616420526571756573740d0a636f6e74656e742d6c656e6774683a20300d0a0d0a",
        note: "HTTP/1.1 400 Bad Request, content-length: 0",
      },
    ],
    control: [begins, acknowledge, ...answered],
    allowed: [
      { see: { see: "GOAWAY", code: ["PROTOCOL_ERROR", "FRAME_SIZE_ERROR"] } },
      { see: { see: "closed" }, by: "rfc9113#3.4" },
      { see: { see: "exit", ok: false }, by: "rfc9113#3.4" },
      { see: { see: "GOAWAY", code: "INTERNAL_ERROR" }, by: "rfc9113#5.4", verdict: "warn" },
    ],
  },
  {
    id: "http2/client-server-preface-in-single-octets",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/server-settings", "rfc9113#4.1/frame-header"],
    level: "MUST",
    role: "client",
    title: "A client accepts a server preface that arrives one octet at a time.",
    fence: "exit",
    steps: [
      { do: "preface", settings: "none" },
      { do: "send", frames: [{ type: "SETTINGS", settings: [["MAX_CONCURRENT_STREAMS", 100]] }], cut: 1 },
      acknowledge,
      ...answered,
    ],
    control: [begins, acknowledge, ...answered],
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-settings-after-first-request",
    spec: "rfc9113#3.4",
    covers: ["rfc9113#3.4/server-settings", "rfc9113#3.4/honour-settings"],
    level: "MUST",
    role: "client",
    title: "A client honours the settings of the server's preface when WINDOW_UPDATE for the connection follows.",
    fence: "exit",
    steps: [
      {
        do: "preface",
        settings: [
          ["INITIAL_WINDOW_SIZE", 16],
          ["MAX_FRAME_SIZE", 16_777_215],
          ["HEADER_TABLE_SIZE", 65_536],
        ],
      },
      send({ type: "WINDOW_UPDATE", increment: 1_000_000 }),
      { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true } } },
      acknowledge,
      ...answered,
    ],
    control: [...untilRequest, send(respond(), content())],
    allowed: exchangeSucceeds,
  },
];
