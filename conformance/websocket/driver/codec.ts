import { createHash } from "node:crypto";
import { CodecProcess, type CodecAnswer } from "../../../vectors/codec.ts";
import { judgeReading } from "../../../vectors/websocket/question.ts";
import type { AnyVector } from "../../../vectors/websocket/source/craft.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import { printable } from "../../wire/octets.ts";
import type { CodecCase, Sight, Step } from "../codec/vocabulary.ts";

export type CodecOptions = {
  /** Reads requests on standard input and answers on standard output, a line of JSON each, until its input ends. */
  readonly command: string;
  /** The longest that one answer is waited for, in milliseconds. */
  readonly timeout: number;
};

/** What cases may need of a codec, and how it is found out. */
export const CODEC_FEATURES: Readonly<Record<string, string>> = {
  frames: "the codec reads a first message",
  deflate: "the codec reads a first compressed message",
  requests: "the codec answers a first handshake",
  responses: "the codec takes a first answer to a handshake",
};
/** A program that has to start, on a machine that has much to do, may take so many times as long as for an answer. */
const START_FACTOR = 10;
const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
const FIELDS = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
/** One question for each feature. */
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

/** Performs cases on a codec of WebSocket: one child for all of them, one request at a time. */
export class CodecDriver implements Driver<CodecCase> {
  readonly role = "codec";
  readonly steady = true;
  readonly #child: CodecProcess;
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ command, timeout }: CodecOptions) {
    this.#child = new CodecProcess(command, timeout, START_FACTOR);
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const features = new Map<string, Feature>();
    for (const [name, step] of Object.entries(FIRST)) {
      const { answer } = await this.#ask(step);
      if (answer.is === "trouble")
        throw new Unreachable(`A first request (${name}): ${answer.why}. vectors/README.md shows what is asked.`);
      const has = answer.is === "messages" && answer.error === undefined;
      features.set(name, { has, how: has ? CODEC_FEATURES[name]! : `it did not at the first request: ${inWords(answer)}` });
    }
    if ([...features.values()].every(({ has }) => !has))
      throw new Unreachable(
        "The codec knows none of websocket-frames, websocket-request, websocket-response. vectors/README.md shows what is asked.",
      );
    return { features };
  }

  async play(c: CodecCase): Promise<Played> {
    const { answer, transcript } = await this.#ask(c.steps[0]!);
    const observed = inWords(answer);
    const wrong = c.allowed.map(({ see }) => unlike(see, answer));
    const index = wrong.indexOf(undefined);
    if (index >= 0) return { is: "allowed", index, reason: "", observed, transcript };
    return { is: "other", reason: `${sentence(wrong[0] ?? observed)}.`, observed, transcript };
  }

  async control(c: CodecCase): Promise<Twin> {
    const { answer, transcript } = await this.#ask(c.control[0]!);
    const wrong = unlike({ see: "read", messages: c.controlReads }, answer);
    return { is: wrong === undefined ? "accepted" : "refused", reason: wrong ?? "", transcript };
  }

  controlKey(c: CodecCase): string {
    return createHash("sha256").update(JSON.stringify(c.control)).digest("hex");
  }

  expected(c: CodecCase): string[] {
    return c.allowed.map(({ see, by }) => {
      const said = see.messages.length === 0 ? "" : see.see === "read" ? ` as ${short(see.messages)}` : ` behind ${short(see.messages)}`;
      return `${see.see}${said}${by === undefined ? "" : ` (${by})`}`;
    });
  }

  close(): Promise<void> {
    this.#child.stop();
    return Promise.resolve();
  }

  /** Asks when everything before has been answered. */
  #ask(step: Step): Promise<{ answer: CodecAnswer; transcript: TranscriptLine[] }> {
    const turn = this.#queue.then(async () => {
      const { do: op, ...members } = step;
      const began = performance.now();
      const answer = await this.#child.ask({ op, ...members });
      const at = Math.round((performance.now() - began) * 10) / 10;
      const transcript: TranscriptLine[] = [
        { at: 0, way: "->", means: `${op} ${JSON.stringify(members).slice(0, 2_000)}` },
        { at, way: "<-", means: inWords(answer) },
      ];
      return { answer, transcript };
    });
    this.#queue = turn.catch(() => {});
    return turn;
  }
}

/** Why the answer is not what the sight says; undefined where it is. */
function unlike(see: Sight, answer: CodecAnswer): string | undefined {
  const expected = { result: see.see === "read" ? "valid" : "invalid", messages: see.messages } as unknown as AnyVector;
  if (answer.is === "messages") return judgeReading(expected, answer);
  if (answer.is === "error") return judgeReading(expected, { messages: [], error: answer.error });
  return answer.is === "trouble" ? answer.why : `it answered with ${answer.is === "unknown" ? "unknown" : answer.is}`;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const short = (value: unknown): string => printable(JSON.stringify(value), 160);
function inWords(answer: CodecAnswer): string {
  if (answer.is === "messages")
    return (
      `${answer.messages.length === 0 ? "" : `read ${short(answer.messages)}`}${answer.error === undefined ? "" : ` refused: ${answer.error}`}`.trim() ||
      "read nothing"
    );
  if (answer.is === "error") return `refused: ${answer.error}`;
  return answer.is === "trouble" ? answer.why : `answered with ${answer.is}`;
}
