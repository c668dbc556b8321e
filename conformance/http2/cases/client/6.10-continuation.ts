import { answerWith, clientConnectionError, content, exchangeSucceeds, plainExchange, respond } from "../phrases.ts";
import type { Case, FrameSpec } from "../../vocabulary.ts";

const headersWithoutEnd: FrameSpec = { ...respond(), flags: [] };
const part = (name: string, flags: FrameSpec["flags"] = []): FrameSpec => ({
  type: "CONTINUATION",
  stream: "request",
  flags,
  fields: [[name, "1"]],
});
const last = part("x-last", ["END_HEADERS"]);
const legal = answerWith(headersWithoutEnd, last, content());

/** CONTINUATION (rfc9113#6.10). */
export const cases: readonly Case[] = [
  {
    id: "http2/client-continuation-several",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/any-number"],
    level: "MUST",
    role: "client",
    title: "A client accepts a field block in HEADERS and five CONTINUATION frames, one of them empty.",
    fence: "exit",
    steps: answerWith(
      headersWithoutEnd,
      part("x-a"),
      { type: "CONTINUATION", stream: "request" },
      part("x-b"),
      part("x-c"),
      last,
      content(),
    ),
    control: plainExchange,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-continuation-of-ended-stream",
    spec: "rfc9113#6.2",
    covers: ["rfc9113#6.2/end-stream-then-continuation"],
    level: "MUST",
    role: "client",
    title: "A client accepts CONTINUATION after HEADERS with END_STREAM.",
    fence: "exit",
    steps: answerWith({ ...headersWithoutEnd, flags: ["END_STREAM"] }, last),
    control: plainExchange,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-continuation-without-headers",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/not-preceded"],
    level: "MUST",
    role: "client",
    title: "A client treats CONTINUATION without a field block as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: answerWith(respond(), last, content()),
    control: legal,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-continuation-after-last",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/not-preceded"],
    level: "MUST",
    role: "client",
    title: "A client treats CONTINUATION after the one with END_HEADERS as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: answerWith(headersWithoutEnd, last, last, content()),
    control: legal,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-continuation-on-stream-zero",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/stream-zero"],
    level: "MUST",
    role: "client",
    title: "A client treats CONTINUATION on stream 0 as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: answerWith(headersWithoutEnd, { ...last, stream: 0 }, last, content()),
    control: legal,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-continuation-on-other-stream",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/followed-by-continuation"],
    level: "MUST",
    role: "client",
    title: "A client treats CONTINUATION on another stream inside a field block as a connection error of type PROTOCOL_ERROR.",
    fence: "exit",
    steps: answerWith(headersWithoutEnd, { ...last, stream: 0x7fff_ffff }, last, content()),
    control: legal,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
];
