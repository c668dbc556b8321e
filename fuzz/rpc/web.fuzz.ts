import { field } from "../../reference/core/index.ts";
import { Fields } from "../../reference/http/index.ts";
import { messageCompressors } from "../../reference/io/index.ts";
import {
  type AnyMethod,
  openConnect,
  openGrpcWeb,
  Status,
  webCaller,
  type WebAnswered,
  type WebDialectName,
  type WebOpening,
} from "../../reference/rpc/index.ts";
import type { Target } from "../lib/target.ts";

const LIMIT = 200;
const compressors = messageCompressors();
const octets: AnyMethod["request"] = { encode: (message) => message, decode: (message) => message, toJson: String, fromJson: String };
const methodOf = (requestStream: boolean, responseStream: boolean): AnyMethod => ({
  path: "/a.B/C",
  requestStream,
  responseStream,
  request: octets,
  response: octets,
  idempotency: "no-side-effects",
});
const METHODS = [methodOf(false, false), methodOf(true, true)];
const REQUEST_TYPES = [
  "application/proto",
  "application/json",
  "application/connect+proto",
  "application/grpc-web-text",
  "application/grpc-web",
];
const ANSWER_TYPES = ["application/proto", "application/connect+proto", "application/grpc-web+proto", "application/json"];
const ENCODINGS = ["identity", "gzip", "deflate", "other"];
const CUTS = [[1], [2, 3, 5, 1], [7, 400]];

function* cuts(all: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < all.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield all.slice(at, at + size);
    at += size;
  }
}

/** What a machine makes of pieces. What it gives may be a view, and a piece is used again by the next frame. */
function gathered(pieces: Iterable<Uint8Array>, receive: (piece: Uint8Array) => Uint8Array): Buffer {
  const parts: Buffer[] = [];
  for (const piece of pieces) {
    parts.push(Buffer.from(receive(piece)));
    piece.fill(0xee);
  }
  return Buffer.concat(parts);
}

/** Opens a call as a server and translates its content. Returns what the handler would read, as text. */
function served(open: () => WebOpening, pieces: Iterable<Uint8Array>): string {
  const opening = open();
  if (opening.is === "answer") return `answered with ${opening.answer.status}`;
  const { content, answer } = opening;
  const read = gathered(pieces, (piece) => content.receive(piece));
  const all = Buffer.concat([read, content.end()]).toString("hex");
  const failed = answer.refused({ code: Status.ABORTED, message: "no" });
  if (failed.status < 200 || failed.status > 599) throw new Error(`a refusal with ${failed.status}`);
  return `${all} ${opening.path} ${JSON.stringify(opening.fields.list)}`;
}

/** Reads an answer as a client does: the messages in their envelopes, and how the call ended. */
function called(answered: () => WebAnswered, pieces: Iterable<Uint8Array>): string {
  const answer = answered();
  const read = gathered(pieces, (piece) => answer.receive(piece));
  const { rest, trailers } = answer.end();
  return `${read.toString("hex")} ${Buffer.from(rest).toString("hex")} ${JSON.stringify(trailers.list)}`;
}

/** The same, wherever the content is cut. */
function mustNotDependOnCuts(content: Uint8Array, read: (pieces: Iterable<Uint8Array>) => string): void {
  const whole = read([content.slice()]);
  for (const sizes of CUTS) {
    const other = read(cuts(content, sizes));
    if (other !== whole) throw new Error(`what is read depends on the cuts: ${whole} or ${other}`);
  }
}

/** The first three octets of an input select the head, text up to an empty line is a field or the query, and the rest is content. */
export const target: Target = {
  name: "rpc/web",
  about: "any request or answer in the dialects connect and grpc-web is read without a throw, and the same wherever it is cut",
  run(input) {
    const [a = 0, b = 0, c = 0] = input;
    const at = input.indexOf(0x0a, 3);
    const text = Buffer.from(input.subarray(3, at < 0 ? 3 : at)).toString("latin1");
    const content = input.slice(at < 0 ? 3 : at + 1);
    const method = METHODS[a & 1]!;
    const encoding = ENCODINGS[(a >> 1) & 3]!;
    const type = REQUEST_TYPES[b % REQUEST_TYPES.length]!;
    const fields = new Fields([
      field("content-type", type),
      field(type.includes("connect") ? "connect-content-encoding" : "content-encoding", encoding),
      field("connect-timeout-ms", (c & 1) === 0 ? "5" : text),
      field("accept-encoding", text),
    ]);
    const head = (c & 2) === 0 ? { method: "POST", path: "/a.B/C", fields } : { method: "GET", path: `/a.B/C?${text}`, fields };
    mustNotDependOnCuts(content, (pieces) => served(() => openConnect(head, { compressors, limit: LIMIT }, () => method), pieces));
    mustNotDependOnCuts(content, (pieces) => served(() => openGrpcWeb(head), pieces));

    const dialect: WebDialectName = (c & 4) === 0 ? "connect" : "grpc-web";
    const caller = webCaller(dialect, method, {
      compressors,
      limit: LIMIT,
      format: (c & 8) === 0 ? "proto" : "json",
      get: false,
      text: false,
    });
    const answered = new Fields([
      field("content-type", ANSWER_TYPES[b % ANSWER_TYPES.length]!),
      field("content-encoding", encoding),
      field("connect-content-encoding", encoding),
      field("grpc-encoding", encoding),
      field("trailer-a", text),
    ]);
    mustNotDependOnCuts(content, (pieces) =>
      called(() => {
        const answer = caller.answered(200, answered);
        return answer === "error" ? caller.failed(200, answered, content) : answer;
      }, pieces),
    );
    called(() => caller.failed(200 + c, answered, content), []);
  },
  seeds: [
    "\x00\x00\x00\nhello",
    '\x00\x01\x00\n{"a":1}',
    "\x01\x02\x00gzip\n\0\0\0\0\x02hi\x02\0\0\0\x02{}",
    "\x00\x00\x02connect=v1&encoding=proto&base64=1&message=AQI\n",
    '\x01\x01\x00\n\0\0\0\0\x01x\x02\0\0\0\x24{"error":{"code":"aborted"},"metadata":{}}',
    "\x00\x03\x04\nAAAAAAJoaQ==gAAAAA9ncnBjLXN0YXR1czogMA0K",
    "\x01\x02\x04\n\0\0\0\0\x02hi\x80\0\0\0\x0fgrpc-status: 0\r\n",
    '\x00\x03\x00\n{"code":"not_found","message":"no","details":[{"type":"a.B","value":"CgF4"}]}',
  ].map((text) => new Uint8Array(Buffer.from(text, "latin1"))),
  dictionary: [
    "\0\0\0\0\x01",
    "\x02\0\0\0",
    "\x80\0\0\0",
    '{"error":',
    '"metadata":{"a":["b"]}',
    "grpc-status: 5\r\n",
    "AA==",
    "message=",
    "&base64=1",
  ].map((text) => new Uint8Array(Buffer.from(text, "latin1"))),
  maxLength: 400,
};
