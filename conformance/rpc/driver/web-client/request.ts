import { gunzipSync } from "node:zlib";
import { type ReadEnvelope, readEnvelopes } from "../../../wire/rpc/envelopes.ts";
import { readRequest } from "../../../wire/rpc/contract.ts";
import { readRequestJson } from "../../../wire/rpc/json.ts";
import type { ReadField } from "../../../wire/http2/read.ts";
import { valueOf } from "../answers.ts";
import type { WebRequest } from "./connection.ts";

/** A request of a web dialect, read leniently. */
export type ReadWebRequest = {
  readonly path: string;
  /** The parameters of a GET in order, decoded. */
  readonly query: readonly ReadField[];
  readonly form: WebRequestForm;
  /** Its messages, whole ones only, with what their flags or fields say of compression. */
  readonly messages: readonly { readonly encoding: string | false; readonly payload: Uint8Array | undefined }[];
  readonly envelopes: readonly ReadEnvelope[];
  /** Octets behind the last whole envelope. */
  readonly left: number;
  /** Text that is not Base64. */
  readonly isDamagedText: boolean;
};
/** What the fields of a request say of it. */
export type WebRequestForm = {
  readonly kind: "unary" | "get" | "stream" | "web" | "text";
  readonly format: "proto" | "json";
  /** The content type of its answer. */
  readonly contentType: string;
};

/** The type without its parameters. */
export const typeOf = (fields: readonly ReadField[]): string =>
  (valueOf(fields, "content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();

const queryOf = (target: string): ReadField[] =>
  [...new URLSearchParams(target.includes("?") ? target.slice(target.indexOf("?") + 1) : "")].map(([name, value]) => [name, value]);

export function formOf({ verb, target, fields }: Pick<WebRequest, "verb" | "target" | "fields">): WebRequestForm {
  const type = typeOf(fields);
  const format = type.endsWith("json") ? "json" : "proto";
  if (type.startsWith("application/grpc-web-text")) return { kind: "text", format, contentType: type };
  if (type.startsWith("application/grpc-web")) return { kind: "web", format, contentType: type };
  if (type.startsWith("application/connect+")) return { kind: "stream", format, contentType: type };
  if (verb !== "GET") return { kind: "unary", format, contentType: type };
  const asked = valueOf(queryOf(target), "encoding") === "json" ? "json" : "proto";
  return { kind: "get", format: asked, contentType: `application/${asked}` };
}

const inflated = (octets: Uint8Array, encoding: string | false): Uint8Array | undefined => {
  if (encoding === false) return octets;
  try {
    return encoding === "gzip" ? gunzipSync(octets) : undefined;
  } catch {
    return undefined;
  }
};
const named = (encoding: string | undefined): string | false => (encoding === undefined || encoding === "identity" ? false : encoding);

/** What has come of a request. */
export function readWebRequest(request: WebRequest): ReadWebRequest {
  const { target, fields, content } = request;
  const form = formOf(request);
  const path = target.split("?", 1)[0]!;
  const query = queryOf(target);
  const read = (octets: Uint8Array, encoding: string | false) => {
    const whole = inflated(octets, encoding);
    const message = whole === undefined ? undefined : (form.format === "json" ? readRequestJson : readRequest)(whole);
    return { encoding, payload: message?.payload };
  };
  const common = { path, query, form, envelopes: [], left: 0, isDamagedText: false };
  if (form.kind === "get") {
    const value = valueOf(query, "message");
    const octets = value === undefined ? undefined : Buffer.from(value, valueOf(query, "base64") === "1" ? "base64url" : "utf8");
    return { ...common, messages: octets === undefined ? [] : [read(octets, named(valueOf(query, "compression")))] };
  }
  if (form.kind === "unary")
    return { ...common, messages: request.isWhole ? [read(content, named(valueOf(fields, "content-encoding")))] : [] };
  const text = form.kind === "text" ? Buffer.from(content).toString("latin1") : "";
  const isDamagedText = !/^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)*$/.test(text);
  const octets =
    form.kind === "text" ? Buffer.concat((text.match(/[^=]+={0,2}/g) ?? []).map((one) => Buffer.from(one, "base64"))) : content;
  const { messages: envelopes, left } = readEnvelopes(octets);
  const encoding = named(valueOf(fields, form.kind === "stream" ? "connect-content-encoding" : "grpc-encoding"));
  const messages = envelopes.map((one) => read(one.octets, (one.flags & 1) === 1 ? encoding || "unnamed" : false));
  return { ...common, messages, envelopes, left, isDamagedText };
}
