import { answerWith, clientConnectionError, content, exchangeSucceeds, respond } from "../phrases.ts";
import type { Case, FrameSpec } from "../vocabulary.ts";

const begun: FrameSpec = { ...respond(), flags: [] };
const part = (name: string, flags: FrameSpec["flags"] = []): FrameSpec => ({
  type: "CONTINUATION",
  stream: "request",
  flags,
  fields: [[name, "1"]],
});
const last = part("x-last", ["END_HEADERS"]);
const plain = answerWith(respond(), content());
const legal = answerWith(begun, last, content());

/** CONTINUATION (rfc9113#6.10). */
export const cases: readonly Case[] = [
  {
    id: "http2/client-continuation-several",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/any-number"],
    level: "MUST",
    role: "client",
    title: "A client takes a field block in HEADERS and five CONTINUATION frames, one of them empty.",
    fence: "exit",
    steps: answerWith(begun, part("x-a"), { type: "CONTINUATION", stream: "request" }, part("x-b"), part("x-c"), last, content()),
    control: plain,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-continuation-of-ended-stream",
    spec: "rfc9113#6.2",
    covers: ["rfc9113#6.2/end-stream-then-continuation"],
    level: "MUST",
    role: "client",
    title: "A client takes CONTINUATION after HEADERS that carries END_STREAM.",
    fence: "exit",
    steps: answerWith({ ...begun, flags: ["END_STREAM"] }, last),
    control: plain,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-continuation-without-headers",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/not-preceded"],
    level: "MUST",
    role: "client",
    title: "A client ends the connection for CONTINUATION that continues nothing with PROTOCOL_ERROR.",
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
    title: "A client ends the connection for CONTINUATION behind the last one with PROTOCOL_ERROR.",
    fence: "exit",
    steps: answerWith(begun, last, last, content()),
    control: legal,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-continuation-on-stream-zero",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/stream-zero"],
    level: "MUST",
    role: "client",
    title: "A client ends the connection for CONTINUATION on stream 0 with PROTOCOL_ERROR.",
    fence: "exit",
    steps: answerWith(begun, { ...last, stream: 0 }, last, content()),
    control: legal,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/client-continuation-on-other-stream",
    spec: "rfc9113#6.10",
    covers: ["rfc9113#6.10/followed-by-continuation"],
    level: "MUST",
    role: "client",
    title: "A client ends the connection for CONTINUATION on another stream than the block it interrupts with PROTOCOL_ERROR.",
    fence: "exit",
    steps: answerWith(begun, { ...last, stream: 0x7fff_ffff }, last, content()),
    control: legal,
    allowed: clientConnectionError("PROTOCOL_ERROR"),
  },
];
