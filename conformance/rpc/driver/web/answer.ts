import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import type { ReadField } from "../../../wire/http2/read.ts";
import { type ReadResponse, readResponse } from "../../../wire/rpc/contract.ts";
import { type ReadEnvelope, readEnvelopes } from "../../../wire/rpc/envelopes.ts";
import { isObject, objectIn, readResponseJson } from "../../../wire/rpc/json.ts";
import { CODES, HTTP_OF_CODE, isText, STATUS_OF_HTTP, WEB_FORMS, type WebForm } from "../../../wire/rpc/web-forms.ts";
import { binary, valueOf } from "../answers.ts";
import type { Received } from "./carrier.ts";

/** The answer of a call, read leniently. `problems` says what is wrong with it, by the name of a monitor. */
export type WebAnswer = {
  readonly http: number | undefined;
  readonly isWhole: boolean;
  readonly isOver: boolean;
  readonly leading: readonly ReadField[];
  readonly trailing: readonly ReadField[];
  readonly responses: readonly (ReadResponse | undefined)[];
  /** The status of the call; undefined while there is none. */
  readonly status: number | undefined;
  readonly message: string;
  readonly details: readonly (readonly [type: string, hex: string])[];
  readonly problems: ReadonlyMap<string, string>;
};
/** What is known of the request. */
export type Asked = { readonly form: WebForm; readonly contentType: string | undefined; readonly accepted: readonly string[] };

const INFLATE: Readonly<Record<string, (octets: Uint8Array) => Uint8Array>> = {
  gzip: (octets) => gunzipSync(octets),
  deflate: (octets) => inflateSync(octets),
  br: (octets) => brotliDecompressSync(octets),
  zstd: (octets) => zstdDecompressSync(octets),
};
function inflated(octets: Uint8Array, encoding: string): Uint8Array | undefined {
  if (octets.length === 0) return octets;
  try {
    return INFLATE[encoding]?.(octets);
  } catch {
    return undefined;
  }
}

type Note = (monitor: string, words: string) => void;
type Parts = Omit<WebAnswer, "http" | "isWhole" | "isOver" | "problems">;
type Reading = { readonly received: Received; readonly asked: Asked; readonly note: Note };

export function readAnswer(received: Received, asked: Asked): WebAnswer {
  const problems = new Map<string, string>();
  const note: Note = (monitor, words) => void (problems.has(monitor) || problems.set(monitor, words));
  const { dialect, isStream } = WEB_FORMS[asked.form];
  const reading = { received, asked, note };
  const parts = dialect === "grpc-web" ? readWeb(reading) : isStream ? readStream(reading) : readUnary(reading);
  const { status: http, isWhole, isOver } = received;
  return { http, isWhole, isOver, ...parts, problems };
}

const typeOf = ({ fields }: Received): string => (valueOf(fields, "content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
const responseIn = (octets: Uint8Array, form: WebForm): ReadResponse | undefined =>
  WEB_FORMS[form].format === "json" ? readResponseJson(octets) : readResponse(octets);

function noteEncoding({ received, asked, note }: Reading, name: string): string | undefined {
  const encoding = valueOf(received.fields, name);
  if (encoding === undefined || encoding === "identity") return undefined;
  if (!asked.accepted.includes(encoding)) note("encoding-accepted", `it is compressed with ${encoding}, which the client does not accept`);
  return encoding;
}

const TRAILER = "trailer-";

function readUnary(reading: Reading): Parts {
  const { received, asked, note } = reading;
  const { status: http, fields, isWhole } = received;
  const trailing = fields.flatMap(([name, value]): ReadField[] => (name.startsWith(TRAILER) ? [[name.slice(TRAILER.length), value]] : []));
  const leading = fields.filter(([name]) => !name.startsWith(TRAILER));
  const nothing = { leading, trailing, responses: [], message: "", details: [] };
  if (http === undefined || !isWhole) return { ...nothing, status: undefined };
  const encoding = noteEncoding(reading, "content-encoding");
  const content = encoding === undefined ? received.content : inflated(received.content, encoding);
  if (content === undefined) note("content-readable", `its content is not valid ${encoding}`);
  const type = typeOf(received);
  if (http === 200) {
    if (type !== asked.contentType) note("success-type", `its content type is ${type}, not ${asked.contentType}`);
    return { ...nothing, status: 0, responses: [content === undefined ? undefined : responseIn(content, asked.form)] };
  }
  if (type !== "application/json") note("error-type", `the content type of its error is ${type === "" ? "missing" : type}`);
  const json = content === undefined ? undefined : objectIn(content);
  if (json === undefined) note("error-json", "its error is not an object in JSON");
  const error = readError(json ?? {}, http, note);
  if (error.known && http !== HTTP_OF_CODE[error.status])
    note("error-http", `its code is ${CODES[error.status]}, but its HTTP status ${http}, not ${HTTP_OF_CODE[error.status]}`);
  return { ...nothing, ...error };
}

/** An error in JSON (rpc-connect#error-end-stream). */
function readError(json: Readonly<Record<string, unknown>>, http: number, note: Note) {
  const { code, message, details } = json;
  const at = CODES.indexOf(code as (typeof CODES)[number]);
  if (at <= 0) note("error-json", `the code of its error is ${JSON.stringify(code)}`);
  if (message !== undefined && typeof message !== "string") note("error-json", "the message of its error is no text");
  if (details !== undefined && !Array.isArray(details)) note("error-details", "the details of its error are no list");
  const read = (Array.isArray(details) ? details : []).map((one: unknown): readonly [string, string] => {
    const { type, value } = isObject(one) ? one : {};
    if (typeof type !== "string" || type.includes("/")) note("error-details", `a detail has the type ${JSON.stringify(type)}`);
    const hex = typeof value === "string" ? binary(value) : undefined;
    if (hex === undefined || String(value).includes("=")) note("error-details", `a detail has the value ${JSON.stringify(value)}`);
    return [String(type), hex ?? "?"];
  });
  return {
    known: at > 0,
    status: at > 0 ? at : (STATUS_OF_HTTP[http] ?? 2),
    message: typeof message === "string" ? message : "",
    details: read,
  };
}

const [COMPRESSED, END, TRAILERS] = [1, 2, 0x80];

/** Messages without compression, read. */
function responsesIn(
  messages: readonly ReadEnvelope[],
  encoding: string | undefined,
  { asked, note }: Reading,
): (ReadResponse | undefined)[] {
  return messages.map(({ flags, octets }) => {
    if ((flags & COMPRESSED) === 0) return responseIn(octets, asked.form);
    if (encoding === undefined) note("stream-compressed", "a message is compressed, but its headers name no encoding");
    const content = encoding === undefined ? undefined : inflated(octets, encoding);
    return content === undefined ? undefined : responseIn(content, asked.form);
  });
}

function readStream(reading: Reading): Parts {
  const { received, asked, note } = reading;
  const { status: http, fields, content, isWhole } = received;
  const nothing = { leading: fields, trailing: [], responses: [], message: "", details: [], status: undefined };
  if (http === undefined) return nothing;
  if (http !== 200) {
    note("stream-status", `its HTTP status is ${http}, not 200`);
    return { ...nothing, ...(isWhole ? { status: STATUS_OF_HTTP[http] ?? 2 } : {}) };
  }
  const type = typeOf(received);
  if (type !== asked.contentType) note("stream-type", `its content type is ${type}, not ${asked.contentType}`);
  const { messages, left } = readEnvelopes(content);
  const encoding = noteEncoding(reading, "connect-content-encoding");
  const isEnd = ({ flags }: ReadEnvelope): boolean => (flags & END) !== 0;
  const data = messages.filter((one) => !isEnd(one));
  const responses = responsesIn(data, encoding, reading);
  const odd = messages.find(({ flags }) => flags > (COMPRESSED | END));
  if (odd !== undefined) note("stream-flags", `a message has the flags ${odd.flags}`);
  if (!isWhole) return { ...nothing, responses };
  if (left > 0) note("stream-whole", `its last ${left} octets are not a whole message`);
  const ends = messages.filter(isEnd);
  if (ends.length !== 1) note("stream-end", `it has ${ends.length} messages with the flag of the end`);
  if (ends.length > 0 && !isEnd(messages.at(-1)!)) note("stream-end", "a message follows the one with the flag of the end");
  const [last] = ends;
  if (last === undefined) return { ...nothing, responses };
  return { ...nothing, responses, ...readEnd(last, encoding, note) };
}

function readEnd({ flags, octets }: ReadEnvelope, encoding: string | undefined, note: Note): Partial<Parts> {
  const content = (flags & COMPRESSED) === 0 ? octets : inflated(octets, encoding ?? "");
  const json = content === undefined ? undefined : objectIn(content);
  if (json === undefined) {
    note("stream-end-json", "the message of the end is not an object in JSON");
    return {};
  }
  const { error, metadata } = json;
  if (metadata !== undefined && !isObject(metadata)) note("stream-metadata", "the trailing metadata is no object");
  const trailing = Object.entries(isObject(metadata) ? metadata : {}).flatMap(([name, values]): ReadField[] => {
    const isList = Array.isArray(values) && values.every((value) => typeof value === "string");
    if (!isList) note("stream-metadata", `the values of ${name} are no list of texts`);
    return isList ? (values as string[]).map((value) => [name.toLowerCase(), value] as const) : [];
  });
  if (!Object.hasOwn(json, "error")) return { status: 0, trailing };
  if (!isObject(error) || typeof error["code"] !== "string") note("stream-error", `the member error is ${JSON.stringify(error)}`);
  const { status, message, details } = readError(isObject(error) ? error : {}, 0, note);
  return { status, message, details, trailing };
}

/** Base64 with padding anywhere at the end of a group; what is wrong is noted. */
function decoded(content: Uint8Array, note: Note): Uint8Array {
  const text = Buffer.from(content).toString("latin1");
  if (!/^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)*$/.test(text)) note("web-base64", "its content is not Base64");
  return Buffer.concat((text.match(/[^=]+={0,2}/g) ?? []).map((part) => Buffer.from(part, "base64")));
}

function readWeb(reading: Reading): Parts {
  const { received, asked, note } = reading;
  const { status: http, fields, isWhole } = received;
  const nothing = { leading: fields, trailing: [], responses: [], message: "", details: [], status: undefined };
  if (http === undefined) return nothing;
  if (http !== 200) return { ...nothing, ...(isWhole ? { status: STATUS_OF_HTTP[http] ?? 2 } : {}) };
  const type = typeOf(received);
  const wanted = isText(asked.form) ? /^application\/grpc-web-text(?:\+proto)?$/ : /^application\/grpc-web(?:\+proto)?$/;
  if (!wanted.test(type)) note("web-type", `its content type is ${type}`);
  const content = isText(asked.form) && isWhole ? decoded(received.content, note) : received.content;
  const { messages, left } = readEnvelopes(content);
  const data = messages.filter(({ flags }) => (flags & TRAILERS) === 0);
  const responses = data.map(({ flags, octets }) => {
    if (flags !== 0) note("web-flags", `a message has the flags ${flags}`);
    return responseIn(octets, asked.form);
  });
  if (!isWhole) return { ...nothing, responses };
  if (left > 0) note("web-whole", `its last ${left} octets are not a whole envelope`);
  const blocks = messages.filter(({ flags }) => (flags & TRAILERS) !== 0);
  if (blocks.length > 1) note("web-trailers-last", `it has ${blocks.length} envelopes with trailers`);
  if (blocks.length > 0 && (messages.at(-1)!.flags & TRAILERS) === 0) note("web-trailers-last", "a message follows the trailers");
  const isTrailersOnly = blocks.length === 0 && data.length === 0 && valueOf(fields, "grpc-status") !== undefined;
  if (blocks.length === 0 && !isTrailersOnly) note("web-trailers", "it has no envelope with trailers");
  const trailing = isTrailersOnly ? fields : blocks.flatMap(({ octets }) => trailersIn(octets, note));
  const value = valueOf(trailing, "grpc-status");
  if (blocks.length > 0 && !/^(?:0|[1-9][0-9]?)$/.test(value ?? "")) note("web-status", `its status is ${JSON.stringify(value ?? null)}`);
  const raw = valueOf(trailing, "grpc-message") ?? "";
  if (!/^(?:[ -$&-~]|%[0-9A-Fa-f]{2})*$/.test(raw)) note("web-message", `its status message ${JSON.stringify(raw)} is not percent-encoded`);
  const message = Buffer.from(
    raw.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();
  const status = value !== undefined && /^[0-9]+$/.test(value) ? Number(value) : undefined;
  return { leading: isTrailersOnly ? [] : fields, trailing, responses, message, details: [], status };
}

/** The lines of a block of trailers (rpc-web#framing). */
function trailersIn(octets: Uint8Array, note: Note): ReadField[] {
  const text = Buffer.from(octets).toString("latin1");
  if (text !== "" && !text.endsWith("\r\n")) note("web-trailers-form", "the last line of its trailers does not end in CR LF");
  return text
    .split("\r\n")
    .filter((line) => line !== "")
    .flatMap((line): ReadField[] => {
      const at = line.indexOf(":");
      if (at <= 0 || /[\r\n]/.test(line)) note("web-trailers-form", `its trailers have the line ${JSON.stringify(line)}`);
      const name = line.slice(0, Math.max(0, at));
      if (name !== name.toLowerCase()) note("web-names", `its trailers have the name ${name}`);
      return at <= 0 ? [] : [[name.toLowerCase(), line.slice(at + 1).trim()]];
    });
}

/** All values of a name, joined; those of a name in -bin as octets in hex. */
export function joinedValues(fields: readonly ReadField[], name: string): string | undefined {
  const found = fields.filter(([one]) => one === name).flatMap(([, value]) => value.split(",").map((one) => one.trim()));
  if (found.length === 0) return undefined;
  return name.endsWith("-bin") ? found.map((one) => binary(one) ?? "?").join(",") : found.join(",");
}
export const payloadText = (payload: Uint8Array): string => Buffer.from(payload).toString();
