import { createServer as createHttp1, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { listening, type RunningImpostor } from "../../../harness/impostors/listening.ts";
import { flawOf } from "../../../harness/impostors/named.ts";
import type { ReadField } from "../../../wire/http2/read.ts";
import { fromHex, join } from "../../../wire/octets.ts";
import {
  type Entry,
  fateReport,
  type Plan,
  type ReadRequest,
  type ReadResponse,
  readRequest,
  response,
} from "../../../wire/rpc/contract.ts";
import { envelope, readEnvelopes } from "../../../wire/rpc/envelopes.ts";
import { readRequestJson, responseJson } from "../../../wire/rpc/json.ts";
import { percentEncoded } from "../../../wire/rpc/percent.ts";
import { CODES, HTTP_OF_CODE } from "../../../wire/rpc/web-forms.ts";
import { WEB_FLAWS } from "./flaws.ts";
import type { Request, WebFlaw, Written } from "./flaw.ts";

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

const EMPTY: ReadRequest = { payload: new Uint8Array(), plan: {} };
/** A timer takes no longer ones. */
const MOST_MS = 2_000;
const value = (fields: readonly ReadField[], name: string): string | undefined => fields.find(([one]) => one === name)?.[1];

/** How a request says what it is. */
type Kind = { readonly is: "unary" | "stream" | "web"; readonly isJson: boolean; readonly isText: boolean; readonly type: string };
function kindOf({ verb, target, fields }: Request): Kind {
  const type = value(fields, "content-type") ?? "";
  if (verb === "GET") {
    const isJson = new URLSearchParams(target.split("?")[1] ?? "").get("encoding") === "json";
    return { is: "unary", isJson, isText: false, type: `application/${isJson ? "json" : "proto"}` };
  }
  const is = type.startsWith("application/grpc-web") ? "web" : type.startsWith("application/connect+") ? "stream" : "unary";
  return { is, isJson: type.endsWith("json"), isText: type.startsWith("application/grpc-web-text"), type };
}

const inflated = (octets: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(octets);
  } catch {
    return octets;
  }
};

/** The messages of a request, however damaged. */
function messagesOf(request: Request, { is, isText }: Kind, flaw: WebFlaw): Uint8Array[] {
  const { verb, target, fields, content } = request;
  if (verb === "GET") {
    const query = new URLSearchParams(target.split("?")[1] ?? "");
    const text = query.get("message") ?? "";
    const octets = query.get("base64") === "1" ? Buffer.from(text, "base64url") : Buffer.from(text);
    return [query.get("compression") === "gzip" && octets.length > 0 ? inflated(octets) : octets];
  }
  if (is === "unary") return [value(fields, "content-encoding") === "gzip" && content.length > 0 ? inflated(content) : content];
  const octets = isText ? Buffer.from(Buffer.from(content).toString("latin1"), "base64") : content;
  const { messages, left } = readEnvelopes(octets);
  if (left > 0 && flaw.strict !== undefined) return [];
  return messages.map(({ flags, octets: one }) => ((flags & 1) === 1 ? inflated(one) : one));
}

const OWN = /^:|^connect-|^grpc-|^content-|^accept|^host$|^x-grpc-web$|^transfer-encoding$|^connection$|^user-agent$/;
function metadataOf(fields: readonly ReadField[]): Entry[] {
  return fields
    .filter(([name]) => !OWN.test(name))
    .map(([name, one]) => [name, name.endsWith("-bin") ? Buffer.from(one, "base64").toString("hex") : one]);
}
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1 };
function timeoutOf(fields: readonly ReadField[]): number | undefined {
  const connect = value(fields, "connect-timeout-ms");
  const grpc = value(fields, "grpc-timeout");
  if (connect !== undefined) return Number.parseInt(connect, 10) || 1;
  return grpc === undefined ? undefined : Number(grpc.slice(0, -1)) * (UNITS[grpc.at(-1) ?? ""] ?? 1);
}

const encoded = (entries: readonly Entry[] = []): ReadField[] =>
  entries.map(([name, one]) => [name, name.endsWith("-bin") ? Buffer.from(fromHex(one)).toString("base64").replace(/=+$/, "") : one]);

/** One call in a handler that does what its plan says. */
class Call {
  readonly #request: Request;
  readonly #kind: Kind;
  readonly #flaw: WebFlaw;

  constructor(request: Request, flaw: WebFlaw) {
    this.#request = request;
    this.#kind = kindOf(request);
    this.#flaw = flaw;
  }

  #read(octets: Uint8Array): ReadRequest {
    return (this.#kind.isJson ? readRequestJson(octets) : readRequest(octets)) ?? EMPTY;
  }
  #write(one: ReadResponse): Uint8Array {
    return this.#kind.isJson ? responseJson(one) : response(one);
  }

  async answer(): Promise<Written> {
    const flaw = this.#flaw;
    const { fields, target } = this.#request;
    const method = target.split("?")[0]!.split("/").at(-1) ?? "";
    if (flaw.refuses !== undefined) return this.#written({ status: flaw.refuses, plan: {}, messages: [] });
    if (method === "Fate") return this.#written({ status: 0, plan: {}, messages: [fateReport({ state: "unknown", requests: 0 })] });
    const messages = messagesOf(this.#request, this.#kind, flaw);
    const requests = messages.map((octets) => this.#read(octets));
    const given = requests[0]?.plan ?? {};
    const plan = flaw.plan?.(given) ?? given;
    const timeout = timeoutOf(fields);
    if ((plan.delayMs ?? 0) > 0) await pause(Math.min(plan.delayMs ?? 0, MOST_MS));
    const payloads = requests.map(({ payload }) => payload);
    const seen = {
      metadata: flaw.metadata?.(metadataOf(fields)) ?? metadataOf(fields),
      ...leftOf(flaw.left === undefined ? timeout : flaw.left(timeout)),
    };
    const size = (payload: Uint8Array): Uint8Array => {
      const made = (plan.responseOctets ?? 0) > 0 ? new Uint8Array(plan.responseOctets ?? 0) : payload;
      return flaw.payload?.(made) ?? made;
    };
    const made = (payload: Uint8Array, number: number): ReadResponse => ({
      payload: size(payload),
      number: flaw.number?.(number) ?? number,
      ...(number === 1 || method === "ClientStream" ? { seen } : {}),
    });
    const responses =
      method === "ServerStream"
        ? Array.from({ length: plan.responses ?? 0 }, (_, at) => made(payloads[0] ?? new Uint8Array(), at + 1))
        : method === "BidiStream"
          ? payloads.map((payload, at) => made(payload, at + 1))
          : [made(method === "ClientStream" ? join(payloads) : (payloads[0] ?? new Uint8Array()), Math.max(1, payloads.length))];
    const due = plan.throws === true ? 2 : (plan.status ?? 0);
    const status = flaw.status?.(due) ?? due;
    const isSingle = method === "Unary" || method === "ClientStream";
    return this.#written({ status, plan, messages: isSingle && status !== 0 ? [] : responses.map((one) => this.#write(one)) });
  }

  #written(what: { readonly status: number; readonly plan: Plan; readonly messages: readonly Uint8Array[] }): Written {
    const { is } = this.#kind;
    const written = is === "unary" ? this.#unary(what) : is === "stream" ? this.#stream(what) : this.#web(what);
    return this.#flaw.written?.(written) ?? written;
  }
  #error(status: number, { message, details }: Plan): unknown {
    const error = {
      code: CODES[status] ?? "unknown",
      ...(message === undefined || message === "" ? {} : { message }),
      ...(details === undefined || details === "" ? {} : { details: [{ type: DETAIL.type, value: DETAIL.value }] }),
    };
    return this.#flaw.error === undefined ? error : this.#flaw.error(error);
  }
  #unary({ status, plan, messages }: { readonly status: number; readonly plan: Plan; readonly messages: readonly Uint8Array[] }): Written {
    const metadata = [...encoded(plan.headers), ...encoded(plan.trailers).map(([name, one]): ReadField => [`trailer-${name}`, one])];
    if (status !== 0)
      return {
        http: HTTP_OF_CODE[status] ?? 500,
        fields: [["content-type", "application/json"], ...metadata],
        content: [Buffer.from(JSON.stringify(this.#error(status, plan)))],
      };
    const [message = new Uint8Array()] = messages;
    const zip: ReadField[] = this.#flaw.zips === true ? [["content-encoding", "gzip"]] : [];
    return {
      http: 200,
      fields: [["content-type", this.#kind.type], ...zip, ...metadata],
      content: [this.#flaw.zips === true ? gzipSync(message) : message],
    };
  }
  #stream({ status, plan, messages }: { readonly status: number; readonly plan: Plan; readonly messages: readonly Uint8Array[] }): Written {
    const names = new Map<string, string[]>();
    for (const [name, one] of encoded(plan.trailers)) names.set(name, [...(names.get(name) ?? []), one]);
    const end = {
      ...(status === 0 ? {} : { error: this.#error(status, plan) }),
      ...(names.size === 0 ? {} : { metadata: Object.fromEntries(names) }),
    };
    const { flaw, zips } = { flaw: this.#flaw, zips: this.#flaw.zips === true };
    const envelopes = [
      ...messages.map((one) => envelope(one, zips ? { compress: "gzip" } : {})),
      envelope(Buffer.from(JSON.stringify(flaw.end === undefined ? end : flaw.end(end))), { flags: 2 }),
    ];
    const zip: ReadField[] = zips ? [["connect-content-encoding", "gzip"]] : [];
    return {
      http: 200,
      fields: [["content-type", this.#kind.type], ...zip, ...encoded(plan.headers)],
      content: flaw.envelopes?.(envelopes) ?? envelopes,
    };
  }
  #web({ status, plan, messages }: { readonly status: number; readonly plan: Plan; readonly messages: readonly Uint8Array[] }): Written {
    const own: ReadField[] = [
      ["grpc-status", String(status)],
      ...(plan.message ? [["grpc-message", percentEncoded(plan.message)] as const] : []),
    ];
    const lines = [...own, ...encoded(plan.trailers)].map(([name, one]) => `${name}: ${one}\r\n`).join("");
    const envelopes = [
      ...messages.map((one) => envelope(one)),
      envelope(Buffer.from(this.#flaw.trailers?.(lines) ?? lines), { flags: 0x80 }),
    ];
    const content = this.#flaw.envelopes?.(envelopes) ?? envelopes;
    return {
      http: 200,
      fields: [["content-type", this.#kind.type], ...encoded(plan.headers)],
      content: this.#kind.isText ? content.map((one) => Buffer.from(Buffer.from(one).toString("base64"))) : content,
    };
  }
}
const leftOf = (leftMs: number | undefined): { readonly leftMs?: number } => (leftMs === undefined ? {} : { leftMs });
const DETAIL = { type: "touchstone.conformance.v1.FateRequest", value: "CgF4" } as const;

/** Refuses what is wrong with a request as far as it looks. */
function isWrong({ verb, fields, content, target }: Request, { is, isText }: Kind): boolean {
  const encoding = value(fields, "content-encoding");
  if (verb === "GET") return /[?&](?:x|utm_source|messages)=/.test(target);
  return (
    encoding === "identity" || (is === "unary" && content.length === 0 && encoding !== undefined) || (isText && content.includes(0x3d))
  );
}

async function serve(incoming: Incoming, outgoing: Outgoing, flaw: WebFlaw): Promise<void> {
  if (flaw.slams === true) return void incoming.socket.destroy();
  const chunks: Uint8Array[] = [];
  // A stream of both: as soon as there is a message it answers those that are there, unless it is patient.
  const raw = incoming.rawHeaders;
  const all = Array.from({ length: raw.length / 2 }, (_, at): ReadField => [raw[2 * at]!.toLowerCase(), raw[2 * at + 1]!]);
  const verb = incoming.method ?? "";
  const target = incoming.url ?? "";
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const before: Request = { verb, target, fields: all, content: join(chunks), chunks };
  const request = flaw.request?.(before) ?? before;
  const call = new Call(request, flaw.strict !== undefined && isWrong(request, kindOf(request)) ? { ...flaw, refuses: flaw.strict } : flaw);
  const { http, fields, content } = await call.answer();
  outgoing.statusCode = http;
  const byName = new Map<string, string[]>();
  for (const [name, one] of fields) byName.set(name, [...(byName.get(name) ?? []), one]);
  for (const [name, values] of byName) outgoing.setHeader(name, values);
  for (const part of content) (outgoing as ServerResponse).write(part);
  outgoing.end();
}

/** The octets with which a client of HTTP/2 begins. */
const PREFACE = "PRI ";

/** Starts an impostor on a free port of the loopback interface: it speaks both versions of HTTP. */
export async function startWebImpostor(name: string): Promise<RunningImpostor> {
  const flaw = flawOf(WEB_FLAWS, name);
  const handle = (incoming: Incoming, outgoing: Outgoing): void => {
    outgoing.on("error", () => {});
    serve(incoming, outgoing, flaw).catch(() => incoming.socket?.destroy());
  };
  const http2 = createHttp2(handle);
  http2.on("sessionError", () => {});
  const behind = { http1: await listening(createHttp1(handle), "http"), http2: await listening(http2, "http") };
  const front = createServer((socket: Socket) => {
    socket.on("error", () => socket.destroy());
    if (flaw.mute === true) socket.resume();
    else
      socket.once("data", (first: Buffer) =>
        passOn(socket, first, first.toString("latin1", 0, PREFACE.length) === PREFACE ? behind.http2 : behind.http1),
      );
  });
  const { url, stop } = await listening(front, "http");
  const stopAll = async (): Promise<void> => {
    await Promise.all([stop(), behind.http1.stop(), behind.http2.stop()]);
  };
  return { url, stop: stopAll, [Symbol.asyncDispose]: stopAll };
}

/** Passes octets between a client and the server for its version. */
function passOn(socket: Socket, first: Uint8Array, { url }: RunningImpostor): void {
  const behind = connect(Number(new URL(url).port), "127.0.0.1");
  behind.on("error", () => socket.destroy());
  behind.on("close", () => socket.end());
  socket.on("close", () => behind.destroy());
  behind.write(first);
  socket.pipe(behind).pipe(socket);
}
