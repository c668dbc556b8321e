import type { CodecAnswer } from "../codec.ts";
import { about, ACCEPTED, type Question, type Questions, refusal, show, unexpected } from "../question.ts";
import type { AnyVector, FramesVector, RequestVector, ResponseVector } from "./source/craft.ts";

/** What a parser reported: messages, control frames and Close in order, or the response to a handshake; and why it refuses the octets after them. */
export type Reading = { readonly messages: readonly Readonly<Record<string, unknown>>[]; readonly error?: string };

/** What a codec is asked: to read frames, or a handshake as a server or a client. */
export type Asked =
  | ({ readonly op: "websocket-frames" } & Pick<FramesVector, "to" | "wire" | "deflate">)
  | ({ readonly op: "websocket-request" } & Pick<RequestVector, "octets" | "server">)
  | ({ readonly op: "websocket-response" } & Pick<ResponseVector, "octets" | "client">);
export type Kind = Asked["op"];

/** The questions about WebSocket, by kind. */
export const QUESTIONS: Questions = {
  "websocket-frames": about((vector: AnyVector) => websocketQuestion("websocket-frames", vector)),
  "websocket-request": about((vector: AnyVector) => websocketQuestion("websocket-request", vector)),
  "websocket-response": about((vector: AnyVector) => websocketQuestion("websocket-response", vector)),
};

function websocketQuestion(op: Kind, vector: AnyVector): Question {
  const { id: _id, note: _note, spec: _spec, flags: _flags, result: _result, messages: _messages, fault: _fault, ...asked } = vector;
  const { code: _code, at: _at, status: _status, ...request }: Readonly<Record<string, unknown>> = asked;
  return {
    request: { op, ...request },
    judge(answer: CodecAnswer) {
      if (answer.is === "error") return judgeReading(vector, { messages: [], error: answer.error });
      if (answer.is === "messages") return judgeReading(vector, answer);
      return unexpected(answer);
    },
  };
}

/** One line about what is wrong with the report of a parser; undefined if nothing is. A parser may leave out members, but not the content of a message. */
export function judgeReading(
  { result, messages: expected }: Pick<AnyVector, "result" | "messages">,
  { messages, error }: Reading,
): string | undefined {
  if (error !== undefined && result === "valid") return refusal(error);
  if (error === undefined && result === "invalid") return ACCEPTED;
  for (const [i, message] of messages.entries()) {
    const due: Readonly<Record<string, unknown>> | undefined = expected[i];
    if (due === undefined) return `message ${i + 1} is unexpected: ${show(message)}`;
    const [kind] = Object.keys(due);
    if (kind !== undefined && !(kind in message)) return `message ${i + 1} is ${show(message)}, not ${show(due)}`;
    for (const name of new Set([...Object.keys(due), ...Object.keys(message)])) {
      // A parser may leave out a reason; an unexpected subprotocol or extension is wrong.
      if (message[name] === undefined && name === "reason") continue;
      if (message[name] !== due[name]) return `message ${i + 1}: ${name} is ${show(message[name])}, not ${show(due[name])}`;
    }
  }
  return messages.length < expected.length ? `message ${messages.length + 1} is missing` : undefined;
}
