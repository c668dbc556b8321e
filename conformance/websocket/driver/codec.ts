import type { CodecAnswer } from "../../../vectors/codec.ts";
import { judgeReading } from "../../../vectors/websocket/question.ts";
import { type CodecOptions, type CodecWords, OneQuestionDriver, short } from "../../harness/subject/codec.ts";
import type { CodecCase, Sight, Step } from "../codec-vocabulary.ts";

/** Optional features that cases need of a codec. */
export const CODEC_FEATURES: Readonly<Record<string, string>> = {
  frames: "the codec knows websocket-frames",
  deflate: "the codec knows the compression of messages",
  requests: "the codec knows websocket-request",
  responses: "the codec knows websocket-response",
};
const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
const FIELDS = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
/** One request for each feature. */
const FIRST: Readonly<Record<string, Step>> = {
  frames: { do: "websocket-frames", to: "client", wire: "81026869" },
  deflate: { do: "websocket-frames", to: "client", wire: "c107f248cdc9c90700", deflate: { bits: 15, takeover: true } },
  requests: {
    do: "websocket-request",
    octets: `GET / HTTP/1.1\r\nHost: server.example\r\n${FIELDS}Sec-WebSocket-Key: ${KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    server: {},
  },
  responses: {
    do: "websocket-response",
    octets: `HTTP/1.1 101 Switching Protocols\r\n${FIELDS}Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n`,
    client: { key: KEY },
  },
};

const WORDS: CodecWords<Step, Sight, CodecCase> = {
  features: CODEC_FEATURES,
  first: FIRST,
  knowsNothing: "The codec knows none of websocket-frames, websocket-request, websocket-response.",
  startFactor: 10,
  shown: (members) => members,
  answered: inWords,
  unlike,
  refusal: (c, answer) => unlike({ see: "read", messages: c.controlReads }, answer),
  allowed: ({ see, messages }) => {
    const said = messages.length === 0 ? "" : see === "read" ? ` as ${short(messages)}` : ` after ${short(messages)}`;
    return `${see}${said}`;
  },
};

/** Performs cases on a WebSocket codec. */
export class CodecDriver extends OneQuestionDriver<Step, Sight, CodecCase> {
  constructor(options: CodecOptions) {
    super(WORDS, options);
  }
}

/** Why the answer differs from the sight; undefined if it does not. */
function unlike(see: Sight, answer: CodecAnswer): string | undefined {
  const expected = { result: see.see === "read" ? "valid" : "invalid", messages: see.messages } as const;
  if (answer.is === "messages") return judgeReading(expected, answer);
  if (answer.is === "error") return judgeReading(expected, { messages: [], error: answer.error });
  return answer.is === "trouble" ? answer.why : `it answered with ${answer.is === "unknown" ? "unknown" : answer.is}`;
}

function inWords(answer: CodecAnswer): string {
  if (answer.is === "messages")
    return (
      `${answer.messages.length === 0 ? "" : `read ${short(answer.messages)}`}${answer.error === undefined ? "" : ` refused: ${answer.error}`}`.trim() ||
      "read nothing"
    );
  if (answer.is === "error") return `refused: ${answer.error}`;
  return answer.is === "trouble" ? answer.why : `answered with ${answer.is}`;
}
