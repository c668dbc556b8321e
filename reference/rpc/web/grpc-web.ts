import { field } from "../../core/index.ts";
import { Fields } from "../../http/index.ts";
import { type CallStatus, writeCallStatus } from "../call-status.ts";
import { WEB_DIALECTS } from "../dialect.ts";
import type { RequestHead } from "../server-call.ts";
import { Base64Decoder, toBase64 } from "./base64-stream.ts";
import { framed } from "./end-of-stream.ts";
import { pathOf, NOTHING, UNCHANGED, type WebAnswer, type WebOpening, type WholeAnswer } from "./web-call.ts";

const DIALECT = WEB_DIALECTS["grpc-web"];
const TEXT = `${DIALECT.contentType}-text`;
/** The flag of the message with the trailers (rpc-web#framing). */
const TRAILERS = 0x80;
const ENCODER = new TextEncoder();

/** Reads the head of a request in the dialect grpc-web, whose content is octets or text (rpc-web#content-type). */
export function openGrpcWeb({ method, path, fields }: RequestHead): WebOpening {
  const [type = "", ...parameters] = (fields.get("content-type") ?? "").split(";");
  const bare = type.trim().toLowerCase();
  const isText = isOf(bare, TEXT);
  const format = bare.slice((isText ? TEXT : DIALECT.contentType).length);
  if (!isText && !isOf(bare, DIALECT.contentType))
    return refusal(415, "accept-post", [DIALECT.contentType, `${DIALECT.contentType}+proto`, TEXT, `${TEXT}+proto`].join(", "));
  if (method !== "POST") return refusal(405, "allow", "POST");
  // A client asks for text in the answer by Accept; one that sends text cannot read anything else (rpc-web#text).
  const wantsText = isText || (fields.get("accept") ?? "").split(",").some((one) => isOf(one.split(";", 1)[0]!.trim().toLowerCase(), TEXT));
  const answered = `${wantsText ? TEXT : DIALECT.contentType}${format}`;
  return {
    is: "call",
    path: pathOf(path),
    fields: new Fields([
      field("content-type", [`${DIALECT.contentType}${format}`, ...parameters].join(";")),
      ...fields.list.filter(({ name }) => !OWN.has(name)),
    ]),
    content: isText ? new Base64Decoder() : UNCHANGED,
    answer: answerIn(answered, wantsText),
  };
}
/** Fields that browsers and libraries for them add. */
const OWN: ReadonlySet<string> = new Set(["content-type", "accept", "x-grpc-web", "x-user-agent"]);

const isOf = (type: string, bare: string): boolean => type === bare || type.startsWith(`${bare}+`);
const refusal = (status: number, name: string, value: string): WebOpening => ({
  is: "answer",
  answer: { status, fields: new Fields([field(name, value)]), body: NOTHING },
});

/** Messages in their envelopes; the last envelope has the trailers. A call without a message may have them in its headers. */
function answerIn(contentType: string, isText: boolean): WebAnswer {
  const written = isText ? toBase64 : (octets: Uint8Array): Uint8Array => octets;
  const begin = (headers: Fields): Fields =>
    new Fields([field("content-type", contentType), ...headers.list.filter(({ name }) => name !== "content-type")]);
  const failed = (headers: Fields, trailers: Fields): WholeAnswer => ({
    status: 200,
    fields: begin(new Fields([...headers.list, ...trailers.list])),
    body: NOTHING,
  });
  const ended = (status: CallStatus): Fields => new Fields(writeCallStatus(status, DIALECT));
  return {
    is: "stream",
    headers: begin,
    messages: written,
    end: (trailers) => written(framed(TRAILERS, ENCODER.encode(trailers.list.map(({ name, value }) => `${name}: ${value}\r\n`).join("")))),
    failed,
    refused: (status) => failed(Fields.empty, ended(status)),
    ended,
  };
}
