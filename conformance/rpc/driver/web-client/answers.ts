import { fromHex, join } from "../../../wire/octets.ts";
import { request as response } from "../../../wire/rpc/contract.ts";
import { compressed, envelope } from "../../../wire/rpc/envelopes.ts";
import { requestJson } from "../../../wire/rpc/json.ts";
import type { WebClientStep } from "../../web-client-vocabulary.ts";
import type { WebMessage } from "../../web-vocabulary.ts";
import { payloadOf } from "../payloads.ts";
import type { WebRequest } from "./connection.ts";
import { formOf, type WebRequestForm } from "./request.ts";

/** Our answers, in the form that a request asks for. A Response and a Request write their payload alike. */

const END_STREAM = 2;
const TRAILERS = 0x80;

const contentOf = ({ hex, text, ...spec }: WebMessage, { format }: WebRequestForm): Uint8Array => {
  if (hex !== undefined) return fromHex(hex);
  if (text !== undefined) return Buffer.from(text);
  const payload = payloadOf(spec);
  return format === "json" ? Buffer.from(requestJson(payload)) : response(payload);
};
const isBare = ({ kind }: WebRequestForm): boolean => kind === "unary" || kind === "get";

function written(messages: readonly WebMessage[], form: WebRequestForm): Uint8Array {
  return join(
    messages.map((message) => {
      const octets = contentOf(message, form);
      if (!isBare(form)) return envelope(octets, message);
      return (message.compress === undefined ? octets : compressed(octets, message.compress)).subarray(0, message.keep);
    }),
  );
}
const lastOf = ({ text, compress, keep }: Extract<WebClientStep, { do: "last" }>, { kind }: WebRequestForm): Uint8Array => {
  const mark = kind === "stream" ? END_STREAM : TRAILERS;
  return envelope(Buffer.from(text), {
    flags: mark | (compress === undefined ? 0 : 1),
    ...(compress && { compress }),
    ...(keep && { keep }),
  });
};

/** Sends content; text of grpc-web is padded behind each piece. */
async function send(request: WebRequest, octets: Uint8Array, cut = octets.length): Promise<void> {
  const { kind } = formOf(request);
  for (let from = 0; from < octets.length; from += cut) {
    const piece = octets.subarray(from, from + cut);
    await request.say(kind === "text" ? Buffer.from(Buffer.from(piece).toString("base64")) : piece);
  }
}

/** Performs a step of an answer. */
export async function answer(step: Exclude<WebClientStep, { do: "ask" | "await" | "wait" }>, request: WebRequest): Promise<void> {
  const form = formOf(request);
  switch (step.do) {
    case "head": {
      const { status = 200, fields = [], type = form.contentType } = step;
      const all = [...(type === false ? [] : [["content-type", type] as const]), ...fields];
      return request.head(
        status,
        all.map(([name, value]) => [name, value]),
      );
    }
    case "say":
      return send(request, written(step.messages, form), step.cut);
    case "content": {
      const octets = step.hex === undefined ? Buffer.from(step.text ?? "") : fromHex(step.hex);
      const content = step.compress === undefined ? octets : compressed(octets, step.compress);
      // Content of another protocol is not in Base64.
      for (let from = 0; from < content.length; from += step.cut ?? content.length)
        await request.say(content.subarray(from, from + (step.cut ?? content.length)));
      return undefined;
    }
    case "last":
      return send(request, lastOf(step, form), step.cut);
    case "close":
      return request.close();
    case "drop":
      return request.drop();
  }
}

/** Answers a request that no step mentions with OK, when all of it has come. */
export async function answerWell(
  request: WebRequest,
  payload: string | undefined,
  stage: { readonly timeout: number; until(test: () => boolean, ms: number): Promise<boolean> },
): Promise<void> {
  await stage.until(() => request.isWhole || request.hasLeft, stage.timeout);
  if (request.hasLeft) return;
  const form = formOf(request);
  await answer({ do: "head" }, request);
  await answer({ do: "say", messages: [payload === undefined ? {} : { payload }] }, request);
  if (!isBare(form)) await answer({ do: "last", text: form.kind === "stream" ? "{}" : "grpc-status: 0\r\n" }, request);
  await answer({ do: "close" }, request);
}
