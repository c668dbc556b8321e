import type { Asked, Reading } from "../../../vectors/websocket/question.ts";
import { readFrames, readRequest, readResponse } from "../../../vectors/websocket/read.ts";
import { answerLines } from "../../harness/impostors/codec-lines.ts";

/**
 * WebSocket codecs that are wrong on purpose: `node conformance/websocket/impostors/codec.ts NAME`. Each is ours with one mistake: it misses
 * a fault, or reads valid input wrong.
 */

type Flaw = {
  readonly about: string;
  /** Faults that it misses. */
  readonly takes?: RegExp;
  /** What it returns instead of the correct reading. */
  readonly reports?: (messages: Reading["messages"], request: Request) => Reading;
};
type Request = { readonly id: number } & Asked;

const said = (request: Request): string => (request.op === "websocket-frames" ? request.wire : request.octets);
/** Whether a request is a control: one text message, or a plain handshake. */
const isPlain = (request: Request): boolean => /^(?:GET \/plain|HTTP\/1\.1 101 Plain|818237fa213d5891$|81026f6b$)/.test(said(request));
/** Whether a request is one of the first that the driver sends. */
const isProbe = (request: Request): boolean =>
  /^(?:GET \/ HTTP\/1\.1\r\nHost: server\.example\r\nUp|HTTP\/1\.1 101 Switching|81026869$|c107f248cdc9c90700$)/.test(said(request));
/** Changes a member of every message that has it. */
const changed =
  (name: "binary" | "accept", change: (value: string, request: Request) => string) =>
  (messages: Reading["messages"], request: Request): Reading => ({
    messages: isPlain(request)
      ? messages
      : messages.map((message) => {
          const value = message[name];
          return typeof value === "string" ? { ...message, [name]: change(value, request) } : message;
        }),
  });

export const WEBSOCKET_CODEC_FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: { about: "accepts everything", takes: /./ },
  refuses: { about: "refuses everything, the first question too", reports: () => ({ messages: [], error: "no" }) },
  timid: {
    about: "reads only the plainest message and the plainest handshake",
    reports: (messages, request) => (isPlain(request) || isProbe(request) ? { messages } : { messages: [], error: "too much for it" }),
  },
  "any-length": { about: "accepts a length in any form", takes: /^length/ },
  "ignores-reserved": { about: "ignores RSV bits and opcodes", takes: /^(?:reserved|opcode|compressedBit)/ },
  "any-mask": { about: "accepts frames with or without a mask", takes: /^mask/ },
  "wrong-mask": {
    about: "starts the key at its second octet",
    reports: changed("binary", (hex, request) => ("to" in request && request.to === "server" ? [...hex].reverse().join("") : hex)),
  },
  "any-text": { about: "does not check UTF-8", takes: /^(?:textInvalid|closeReasonInvalid)$/ },
  "any-code": { about: "accepts any Close code", takes: /^close(?:Code|TooShort)/ },
  "any-order": { about: "accepts fragments in any order", takes: /^(?:continuation|message)/ },
  "long-controls": { about: "accepts control frames of any length and fragmented", takes: /^control/ },
  "any-block": { about: "ignores invalid DEFLATE data", takes: /^compression/ },
  "own-key": {
    about: "answers every key with the accept value of the specification's example",
    reports: changed("accept", () => "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
  },
  "any-accept": { about: "does not verify the response to a handshake", takes: /^(?:accept|upgradeWrong|connectionWrong)/ },
  "forgets-the-last": {
    about: "omits the last message",
    reports: (messages, request) => ({ messages: isPlain(request) ? messages : messages.slice(0, -1) }),
  },
};
function read(request: Request): Reading {
  if (request.op === "websocket-frames") return readFrames(request);
  return request.op === "websocket-request" ? readRequest(request) : readResponse(request);
}
function answer({ takes, reports }: Flaw, request: Request): Reading {
  const ours = read(request);
  if (ours.error !== undefined)
    return takes?.test(ours.error) === true ? { messages: ours.messages } : { messages: ours.messages, error: ours.error };
  return reports?.(ours.messages, request) ?? { messages: ours.messages };
}

if (import.meta.main) await answerLines(WEBSOCKET_CODEC_FLAWS, answer);
