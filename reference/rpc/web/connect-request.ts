import { field, type Field } from "../../core/index.ts";
import { Fields } from "../../http/index.ts";
import type { CallStatus } from "../call-status.ts";
import { type Compressors, IDENTITY, parseEncodings, writeEncodings } from "../compression.ts";
import { WEB_DIALECTS } from "../dialect.ts";
import type { RequestHead } from "../server-call.ts";
import { type AnyMethod, jsonCodec } from "../service.ts";
import { Status, type StatusCode } from "../status.ts";
import { writeTimeout } from "../timeout.ts";
import { streamAnswer, unaryAnswer } from "./connect-response.ts";
import { type ConnectQuery, readQuery } from "./connect-query.ts";
import { GivenContent, WholeContent } from "./whole-content.ts";
import { type FindMethod, NOTHING, pathOf, UNCHANGED, type WebAnswer, type WebOpening } from "./web-call.ts";

const DIALECT = WEB_DIALECTS.connect;
const STREAM = `${DIALECT.contentType}+`;
const UNARY = "application/";
const FORMATS: readonly string[] = ["proto", "json"];
/** The fields of the dialect that have no counterpart in HTTP/2 (rpc-connect#unary-request). */
const VERSION = { name: "connect-protocol-version", value: "1", query: "v1" } as const;
const TIMEOUT = "connect-timeout-ms";
const ENCODING = "content-encoding";
const ACCEPT = "accept-encoding";

export type ConnectSetup = {
  readonly compressors: Compressors;
  /** The most octets of a message. */
  readonly limit: number;
};
/** How a request says what it sends. */
type Form = { readonly isStream: boolean; readonly format: string; readonly query?: ConnectQuery };

/** Reads the head of a request in the dialect connect (rpc-connect#unary-request, #unary-get-request, #streaming-request). */
export function openConnect(head: RequestHead, setup: ConnectSetup, find: FindMethod): WebOpening {
  const path = pathOf(head.path);
  const method = find(path);
  const form = formOf(head);
  if (form === undefined || !canSpeak(method, form)) return unsupported();
  if (form.query !== undefined && method !== undefined && method.idempotency !== "no-side-effects") return wrongMethod("POST");
  if (head.method !== "POST" && form.query === undefined) return wrongMethod("POST");
  const encoding = form.query?.encoding ?? head.fields.get(form.isStream ? DIALECT.encoding : ENCODING) ?? IDENTITY;
  const answer = form.isStream ? streamAnswer(form.format) : unaryAnswer(form.format);
  const problem = problemOf(head.fields, form, encoding, setup);
  if (problem !== undefined) return failed(answer, problem);
  return {
    is: "call",
    path,
    fields: new Fields(translated(head.fields, form, encoding)),
    content: contentOf(form, encoding, setup),
    answer,
  };
}

function formOf({ method, path, fields }: RequestHead): Form | undefined {
  if (method === "GET") {
    const query = readQuery(path.slice(pathOf(path).length + 1));
    return query.format !== undefined && FORMATS.includes(query.format) ? { isStream: false, format: query.format, query } : undefined;
  }
  const type = (fields.get("content-type") ?? "").split(";", 1)[0]!.trimEnd().toLowerCase();
  const isStream = type.startsWith(STREAM);
  const format = type.startsWith(UNARY) ? type.slice((isStream ? STREAM : UNARY).length) : "";
  return FORMATS.includes(format) ? { isStream, format } : undefined;
}

/** A unary method has no streams, a streaming one nothing else; and not every service has JSON. */
function canSpeak(method: AnyMethod | undefined, { isStream, format }: Form): boolean {
  if (method === undefined) return true;
  if (isStream !== (method.requestStream || method.responseStream)) return false;
  return format !== "json" || (jsonCodec(method.request) !== undefined && jsonCodec(method.response) !== undefined);
}

/** Why a call fails before its method is looked for. */
function problemOf(fields: Fields, { query }: Form, encoding: string, { compressors }: ConnectSetup): CallStatus | undefined {
  const version = query === undefined ? fields.get(VERSION.name) : query.version;
  const known = query === undefined ? VERSION.value : VERSION.query;
  if (version !== undefined && version !== known)
    return status(Status.INVALID_ARGUMENT, `The server knows version ${known} of the protocol, not ${JSON.stringify(version)}.`);
  if (query !== undefined && query.message === undefined)
    return status(Status.INVALID_ARGUMENT, "The query has no message, or one that is not Base64 for URLs although it says so.");
  const timeout = fields.get(TIMEOUT);
  if (timeout !== undefined && !/^[0-9]{1,10}$/.test(timeout))
    return status(Status.INVALID_ARGUMENT, `The field ${TIMEOUT} must have one to ten digits, not ${JSON.stringify(timeout)}.`);
  if (encoding !== IDENTITY && !compressors.has(encoding))
    return status(Status.UNIMPLEMENTED, `The server does not know the encoding ${encoding}: it knows ${writeEncodings(compressors)}.`);
  return undefined;
}
const status = (code: StatusCode, message: string): CallStatus => ({ code, message });

const NS_PER_MS = 1e6;

/** The fields of the request as HTTP/2 has them. */
function translated(fields: Fields, form: Form, encoding: string): Field[] {
  const { isStream, format } = form;
  const timeout = fields.get(TIMEOUT);
  const listed = fields.get(isStream ? DIALECT.acceptEncoding : ACCEPT);
  // Without a list, a client accepts what it sends (rpc-connect#unary-request).
  const accepted = listed === undefined ? [encoding] : parseEncodings(listed).flatMap(acceptable);
  return [
    field("content-type", `${STREAM}${format}`),
    field(DIALECT.encoding, encoding),
    field(DIALECT.acceptEncoding, accepted.join(",")),
    ...(timeout === undefined ? [] : [field(DIALECT.timeout, Number(timeout) === 0 ? "0m" : writeTimeout(Number(timeout) * NS_PER_MS))]),
    ...fields.list.filter(({ name }) => !OWN.has(name) && !name.startsWith(DIALECT.prefix)),
  ];
}
const OWN: ReadonlySet<string> = new Set(["content-type", ENCODING, ACCEPT, "accept"]);

/** The encoding that a member names. General clients of HTTP add a weight, of which 0 forbids it (rfc9110#12.4.2). */
function acceptable(member: string): string[] {
  const [name = "", ...parameters] = member.split(";").map((part) => part.trim());
  return parameters.some((one) => /^q=0(?:\.0*)?$/.test(one)) ? [] : [name];
}

function contentOf({ isStream, query }: Form, encoding: string, { limit }: ConnectSetup): WholeContent | GivenContent | typeof UNCHANGED {
  const isCompressed = encoding !== IDENTITY;
  if (query?.message !== undefined) return new GivenContent(query.message, isCompressed);
  return isStream ? UNCHANGED : new WholeContent(isCompressed, limit);
}

const unsupported = (): WebOpening => {
  const types = FORMATS.flatMap((format) => [`${UNARY}${format}`, `${STREAM}${format}`]);
  return { is: "answer", answer: { status: 415, fields: new Fields([field("accept-post", types.join(", "))]), body: NOTHING } };
};
const wrongMethod = (allow: string): WebOpening => ({
  is: "answer",
  answer: { status: 405, fields: new Fields([field("allow", allow)]), body: NOTHING },
});
const failed = (answer: WebAnswer, why: CallStatus): WebOpening => ({ is: "answer", answer: answer.refused(why) });
