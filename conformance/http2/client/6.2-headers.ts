import { answerWith, clientConnectionError, content, duringResponse, exchangeSucceeds, respond } from "../phrases.ts";
import type { Case } from "../vocabulary.ts";

const plain = answerWith(respond(), content());

/** HEADERS (rfc9113#6.2). */
export const cases: readonly Case[] = [
  {
    id: "http2/client-headers-on-stream-zero",
    spec: "rfc9113#6.2",
    covers: ["rfc9113#6.2/stream-zero"],
    level: "MUST",
    role: "client",
    title: "A client treats HEADERS on stream 0 as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: duringResponse({ type: "HEADERS", flags: ["END_HEADERS"], fields: [[":status", "200"]] }),
    control: plain,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-headers-padding-of-payload-length",
    spec: "rfc9113#6.2",
    covers: ["rfc9113#6.2/padding-too-long"],
    level: "MUST",
    role: "client",
    title: "A client treats HEADERS whose padding is as long as its payload as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: answerWith({ type: "HEADERS", stream: "request", flags: ["END_HEADERS", "PADDED"], hex: "0288" }, content()),
    control: answerWith({ type: "HEADERS", stream: "request", flags: ["END_HEADERS", "PADDED"], hex: "018800" }, content()),
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-headers-padded",
    spec: "rfc9113#6.2",
    covers: ["rfc9113#6.2/padded"],
    level: "MUST",
    role: "client",
    title: "A client accepts padded HEADERS.",
    fence: "exit",
    steps: answerWith({ ...respond(), pad: 255 }, content()),
    control: plain,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-headers-with-priority",
    spec: "rfc9113#6.2",
    covers: ["rfc9113#6.2/priority-fields"],
    level: "MUST",
    role: "client",
    title: "A client accepts padded HEADERS with the deprecated priority fields.",
    fence: "exit",
    steps: answerWith({ ...respond(), pad: 3, priority: { on: 0, weight: 256, exclusive: true } }, content()),
    control: plain,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-headers-too-short-for-priority",
    spec: "rfc9113#4.2",
    covers: ["rfc9113#4.2/too-small", "rfc9113#4.2/connection-state-altering"],
    level: "MUST",
    role: "client",
    title: "A client treats HEADERS too short for its priority fields as a connection error of type FRAME_SIZE_ERROR.",
    fence: "exit",
    steps: answerWith({ type: "HEADERS", stream: "request", flags: ["END_HEADERS", "PRIORITY"], hex: "00000000" }, content()),
    control: answerWith({ type: "HEADERS", stream: "request", flags: ["END_HEADERS", "PRIORITY"], hex: "000000000f88" }, content()),
    allowed: clientConnectionError("FRAME_SIZE_ERROR"),
  },
];
