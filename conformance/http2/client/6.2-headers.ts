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
    title: "A client ends the connection for HEADERS on stream 0 with PROTOCOL_ERROR.",
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
    title: "A client ends the connection for HEADERS whose padding is as long as its payload with PROTOCOL_ERROR.",
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
    title: "A client takes a padded HEADERS frame.",
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
    title: "A client takes a HEADERS frame with the deprecated priority fields, padded as well.",
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
    title: "A client ends the connection for HEADERS that is too short for the fields its flags announce with FRAME_SIZE_ERROR.",
    fence: "exit",
    steps: answerWith({ type: "HEADERS", stream: "request", flags: ["END_HEADERS", "PRIORITY"], hex: "00000000" }, content()),
    control: answerWith({ type: "HEADERS", stream: "request", flags: ["END_HEADERS", "PRIORITY"], hex: "000000000f88" }, content()),
    allowed: clientConnectionError("FRAME_SIZE_ERROR"),
  },
];
