import { concatenated, field, type Field } from "../../core/index.ts";
import { Fields } from "../../http/index.ts";
import { type CallStatus, writeCallStatus } from "../call-status.ts";
import { type Compressors, IDENTITY } from "../compression.ts";
import { type Dialect, WEB_DIALECTS, type WebDialectName } from "../dialect.ts";
import type { AnyMethod } from "../service.ts";
import { Status } from "../status.ts";
import { parseTimeout } from "../timeout.ts";
import { Base64Decoder, toBase64 } from "./base64-stream.ts";
import { readError, statusOfAnswer } from "./connect-error.ts";
import { writeQuery } from "./connect-query.ts";
import { readEndOfStream } from "./end-of-stream.ts";
import { LastEnvelope } from "./last-envelope.ts";
import { NOTHING, type WebContent } from "./web-call.ts";
import { WholeContent } from "./whole-content.ts";

/**
 * The calls of a client in a web dialect: requests as HTTP/2 has them become those of the dialect, and its answers become answers with
 * messages in envelopes and with trailers. Messages are octets.
 */

/** An answer in the form of HTTP/2, whose content is still arriving. */
export type WebAnswered = {
  readonly status: number;
  readonly fields: Fields;
  receive(octets: Uint8Array): Uint8Array;
  /** What is left of the content at its end, and the trailers. */
  end(): { readonly rest: Uint8Array; readonly trailers: Fields };
};
export type WebCaller = {
  /** The fields of the request in the dialect. */
  fields(native: readonly Field[]): Field[];
  /** Whether the content of the request is one message without its envelope. */
  readonly isBare: boolean;
  /** The query of a GET, which has the message in place of content; a caller without it sends POST. */
  readonly query?: (native: readonly Field[], message: Uint8Array) => string;
  /** Writes a part of the content of the request; it stays as it is by default. */
  readonly written?: (octets: Uint8Array) => Uint8Array;
  /** How the answer is read: `error` if its whole content says why the call failed. */
  answered(status: number, fields: Fields): WebAnswered | "error";
  /** The answer of a call that failed, with its whole content. */
  failed(status: number, fields: Fields, content: Uint8Array): WebAnswered;
};
export type WebCallerSetup = {
  readonly compressors: Compressors;
  readonly limit: number;
  /** Of connect: the format of the messages, and whether calls without side effects are GET. */
  readonly format: MessageFormat;
  readonly get: boolean;
  /** Of grpc-web: content in Base64. */
  readonly text: boolean;
};
export type MessageFormat = "proto" | "json";

/** How calls of a method are made in a dialect. */
export function webCaller(
  name: WebDialectName,
  { requestStream, responseStream, idempotency }: AnyMethod,
  setup: WebCallerSetup,
): WebCaller {
  if (name === "grpc-web") return grpcWeb(setup);
  if (requestStream || responseStream) return connectStream(setup);
  return connectUnary(setup, setup.get && idempotency === "no-side-effects");
}

const CONNECT = WEB_DIALECTS.connect;
const GRPC_WEB = WEB_DIALECTS["grpc-web"];
const TRAILER = "trailer-";
const DECODER = new TextDecoder();

const isMetadata = ({ name }: Field, dialect: Dialect): boolean =>
  name !== "content-type" && name !== "te" && !name.startsWith(dialect.prefix) && name !== "accept-encoding" && name !== "content-encoding";
const valueOf = (native: readonly Field[], name: string): string | undefined => native.find((one) => one.name === name)?.value;
const NS_PER_MS = 1e6;
const LONGEST_MS = 9_999_999_999;

/** The fields that all forms of connect have. */
function connectFields(native: readonly Field[], own: readonly (Field | undefined)[]): Field[] {
  const timeout = valueOf(native, CONNECT.timeout);
  const ns = timeout === undefined ? undefined : parseTimeout(timeout);
  return [
    ...(ns === undefined ? [] : [field("connect-timeout-ms", String(Math.min(LONGEST_MS, Math.max(1, Math.ceil(ns / NS_PER_MS)))))]),
    ...own.filter((one) => one !== undefined),
    ...native.filter((one) => isMetadata(one, CONNECT)),
  ];
}
const renamed = (native: readonly Field[], from: string, to: string): Field | undefined => {
  const value = valueOf(native, from);
  return value === undefined ? undefined : field(to, value);
};
const statusFields = (status: CallStatus): Field[] => writeCallStatus(status, CONNECT);
const ended = (fields: readonly Field[]): WebAnswered => ({
  status: 200,
  fields: new Fields(fields),
  receive: () => NOTHING,
  end: () => ({ rest: NOTHING, trailers: Fields.empty }),
});

const version = (): Field => field("connect-protocol-version", "1");
/** The type of a success in the place of which another one came (rpc-connect#unary-response). */
const isType = (value: string | undefined, type: string): boolean => value?.split(";", 1)[0]!.trim().toLowerCase() === type;
const otherType = (fields: Fields, type: string): WebAnswered => {
  const message = `The response has the content type ${JSON.stringify(fields.get("content-type") ?? "")}, not ${type}.`;
  return ended(statusFields({ code: Status.UNKNOWN, message }));
};

function connectUnary({ compressors, limit, format }: WebCallerSetup, isGet: boolean): WebCaller {
  const own = `application/${format}`;
  const trailersOf = (fields: Fields): Field[] =>
    fields.list.flatMap(({ name, value }) => (name.startsWith(TRAILER) ? [field(name.slice(TRAILER.length), value)] : []));
  const leading = (fields: Fields): Field[] => fields.list.filter((one) => isMetadata(one, CONNECT) && !one.name.startsWith(TRAILER));
  return {
    isBare: true,
    fields: (native) =>
      connectFields(native, [
        ...(isGet ? [] : [version(), field("content-type", own), renamed(native, CONNECT.encoding, "content-encoding")]),
        renamed(native, CONNECT.acceptEncoding, "accept-encoding"),
      ]),
    ...(isGet && {
      query: (native: readonly Field[], message: Uint8Array) =>
        writeQuery({ format, message, encoding: valueOf(native, CONNECT.encoding), isText: format === "json" }),
    }),
    answered: (status, fields) => {
      if (status !== 200) return "error";
      if (!isType(fields.get("content-type"), own)) return otherType(fields, own);
      const encoding = fields.get("content-encoding") ?? IDENTITY;
      const content = new WholeContent(encoding !== IDENTITY, limit);
      return {
        status,
        fields: new Fields([field("content-type", CONNECT.contentType), field(CONNECT.encoding, encoding), ...leading(fields)]),
        receive: (octets) => content.receive(octets),
        end: () => ({
          rest: content.end(),
          trailers: new Fields([...statusFields({ code: Status.OK, message: "" }), ...trailersOf(fields)]),
        }),
      };
    },
    failed: (http, fields, content) => {
      const compressor = compressors.get(fields.get("content-encoding") ?? IDENTITY);
      const octets = compressor === undefined || content.length === 0 ? content : compressor.decompress(content, limit);
      const status = readError(octets instanceof Uint8Array ? parsed(octets) : undefined, http) ?? {
        code: statusOfAnswer(http),
        message: `The response has HTTP status ${http}, but no error of the protocol.`,
      };
      return ended([...statusFields(status), ...leading(fields), ...trailersOf(fields)]);
    },
  };
}

function parsed(content: Uint8Array): unknown {
  try {
    return JSON.parse(DECODER.decode(content));
  } catch {
    return undefined;
  }
}

/** An answer of another status than 200 has no content of this protocol. */
const foreign = (status: number): WebAnswered => ({ ...ended([]), status });

/** An answer whose last envelope says how the call ended. */
const streamed = (fields: Fields, last: LastEnvelope, trailersIn: (octets: Uint8Array) => Field[]): WebAnswered => ({
  status: 200,
  fields,
  receive: (octets) => last.receive(octets),
  end: () => {
    const octets = last.end();
    return { rest: last.rest, trailers: new Fields(octets === undefined ? [] : trailersIn(octets)) };
  },
});

function connectStream({ compressors, format }: WebCallerSetup): WebCaller {
  const type = `${CONNECT.contentType}+${format}`;
  return {
    isBare: false,
    fields: (native) =>
      connectFields(native, [
        version(),
        field("content-type", type),
        ...native.filter(({ name }) => name === CONNECT.encoding || name === CONNECT.acceptEncoding),
      ]),
    answered: (status, fields) => {
      if (status !== 200) return foreign(status);
      if (!isType(fields.get("content-type"), type)) return otherType(fields, type);
      const native = new Fields([
        field("content-type", CONNECT.contentType),
        ...fields.list.filter(({ name }) => name === CONNECT.encoding || (name !== "content-type" && !name.startsWith(CONNECT.prefix))),
      ]);
      return streamed(native, new LastEnvelope(2, { encoding: fields.get(CONNECT.encoding), compressors }), (octets) => {
        const end = readEndOfStream(octets);
        if (end === undefined) return [];
        return [...statusFields(end.status), ...end.metadata.list.filter(({ name }) => !name.startsWith(CONNECT.prefix))];
      });
    },
    failed: foreign,
  };
}

function grpcWeb({ compressors, text }: WebCallerSetup): WebCaller {
  const type = `${GRPC_WEB.contentType}${text ? "-text" : ""}+proto`;
  return {
    isBare: false,
    ...(text && { written: toBase64 }),
    fields: (native) => [
      field("content-type", type),
      ...(text ? [field("accept", type)] : []),
      field("x-grpc-web", "1"),
      ...native.filter(({ name }) => name !== "content-type" && name !== "te"),
    ],
    answered: (status, fields) => {
      if (status !== 200) return foreign(status);
      const last = new LastEnvelope(0x80, { encoding: fields.get(GRPC_WEB.encoding), compressors });
      const answer = streamed(fields, last, linesIn);
      const isText = (fields.get("content-type") ?? "").toLowerCase().startsWith(TEXT);
      return isText ? inText(answer) : answer;
    },
    failed: foreign,
  };
}
const TEXT = `${GRPC_WEB.contentType}-text`;

/** An answer whose content is Base64 (rpc-web#text). */
function inText(answer: WebAnswered): WebAnswered {
  const decoder: WebContent = new Base64Decoder();
  return {
    status: answer.status,
    fields: new Fields(
      answer.fields.list.map((one) =>
        one.name === "content-type" ? field("content-type", one.value.toLowerCase().replace(TEXT, GRPC_WEB.contentType)) : one,
      ),
    ),
    receive: (octets) => answer.receive(decoder.receive(octets)),
    end: () => {
      const passed = answer.receive(decoder.end());
      const { rest, trailers } = answer.end();
      return { rest: concatenated([passed, rest]), trailers };
    },
  };
}

/** Trailers as lines (rpc-web#framing). A line without a name and a colon is left out. */
const linesIn = (octets: Uint8Array): Field[] =>
  DECODER.decode(octets)
    .split(/\r?\n/)
    .flatMap((line) => {
      const at = line.indexOf(":");
      return at <= 0 ? [] : [field(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim())];
    });
