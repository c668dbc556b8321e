import { field, type Field } from "../../core/index.ts";
import { Fields } from "../../http/index.ts";
import { type CallStatus, readCallStatus, writeCallStatus } from "../call-status.ts";
import { WEB_DIALECTS } from "../dialect.ts";
import type { Envelope } from "../envelope.ts";
import { httpOf, writeError } from "./connect-error.ts";
import { writeEndOfStream } from "./end-of-stream.ts";
import type { WebAnswer, WholeAnswer } from "./web-call.ts";

/** Answers in the dialect connect (rpc-connect#unary-response, #streaming-response). */

const DIALECT = WEB_DIALECTS.connect;
const TRAILER = "trailer-";
const ENCODER = new TextEncoder();

const statusOf = (trailers: Fields): CallStatus => readCallStatus(trailers, 200, DIALECT);
/** The fields of metadata among those of HTTP/2. */
const metadataOf = (fields: Fields): Field[] =>
  fields.list.filter(({ name }) => name !== "content-type" && !name.startsWith(DIALECT.prefix));

/** What ends a call that never reached its method. */
const ended = (status: CallStatus): Fields => new Fields(writeCallStatus(status, DIALECT));

/** The answer to a unary call: one message, or an error in JSON with its HTTP status. Trailing metadata stands in the headers. */
export function unaryAnswer(format: string): WebAnswer {
  const common = (headers: Fields, trailers: Fields): Field[] => {
    const accepted = headers.get(DIALECT.acceptEncoding);
    return [
      ...(accepted === undefined ? [] : [field("accept-encoding", accepted)]),
      ...metadataOf(headers),
      ...metadataOf(trailers).map(({ name, value }) => field(`${TRAILER}${name}`, value)),
    ];
  };
  const failed = (headers: Fields, trailers: Fields): WholeAnswer => {
    const status = statusOf(trailers);
    return {
      status: httpOf(status.code),
      fields: new Fields([field("content-type", "application/json"), ...common(headers, trailers)]),
      body: ENCODER.encode(JSON.stringify(writeError(status))),
    };
  };
  return {
    is: "whole",
    failed,
    refused: (status) => failed(Fields.empty, ended(status)),
    ended,
    succeeded: (headers, { isCompressed, octets }: Envelope, trailers) => {
      const encoding = isCompressed ? headers.get(DIALECT.encoding) : undefined;
      const own = [
        field("content-type", `application/${format}`),
        ...(encoding === undefined ? [] : [field("content-encoding", encoding)]),
      ];
      return { status: 200, fields: new Fields([...own, ...common(headers, trailers)]), body: octets };
    },
  };
}

/** The answer to a streaming call: messages in envelopes, of which the last one says how the call ended. */
export function streamAnswer(format: string): WebAnswer {
  const begin = (headers: Fields): Fields =>
    new Fields([
      field("content-type", `${DIALECT.contentType}+${format}`),
      ...headers.list.filter(({ name }) => name === DIALECT.encoding || name === DIALECT.acceptEncoding),
      ...metadataOf(headers),
    ]);
  const end = (trailers: Fields): Uint8Array => writeEndOfStream(statusOf(trailers), metadataOf(trailers));
  const failed = (headers: Fields, trailers: Fields): WholeAnswer => ({ status: 200, fields: begin(headers), body: end(trailers) });
  return {
    is: "stream",
    headers: begin,
    messages: (envelopes) => envelopes,
    end,
    failed,
    refused: (status) => failed(Fields.empty, ended(status)),
    ended,
  };
}
