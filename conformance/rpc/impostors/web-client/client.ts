import { request as send } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { flawOf } from "../../../harness/impostors/named.ts";
import type { InProcessClient } from "../../../harness/subject/subject.ts";
import type { ReadField } from "../../../wire/http2/read.ts";
import { fromHex, join, toHex } from "../../../wire/octets.ts";
import { envelope, readEnvelopes } from "../../../wire/rpc/envelopes.ts";
import { isObject, objectIn } from "../../../wire/rpc/json.ts";
import { CODES } from "../../../wire/rpc/web-forms.ts";
import { valueOf } from "../../driver/answers.ts";
import { FENCE_PATH } from "../../driver/client-connection.ts";
import { WEB_CLIENT_FEATURES } from "../../driver/web-client/features.ts";
import type { CallReport } from "../../client-vocabulary.ts";
import type { WebCallSpec, WebChannelSpec } from "../../web-client-vocabulary.ts";
import type { Got, Sent, WebClientFlaw } from "./flaw.ts";
import { WEB_CLIENT_FLAWS } from "./flaws.ts";

/** Clients of the dialects connect and grpc-web that are wrong on purpose, over HTTP/1.1. */

type Setting = { readonly dialect: string; readonly target: string; readonly channel: WebChannelSpec };
/** An impostor does not wait for longer ones. */
const MOST_MS = 5_000;

const unpadded = (hex: string): string => Buffer.from(hex, "hex").toString("base64").replace(/=+$/, "");
const isBinary = (name: string): boolean => name.endsWith("-bin");

/** The request of a call, right but for the flaw. */
function requestOf(spec: WebCallSpec, { dialect, channel }: Setting, flaw: WebClientFlaw): Sent {
  const { format = "proto", text } = channel;
  const isGzip = spec.encoding === "gzip";
  const zipped = (octets: Uint8Array): Uint8Array => (isGzip && flaw.lies !== true ? gzipSync(octets) : octets);
  const given = spec.messages.map(fromHex);
  const messages = flaw.messages?.(given) ?? given;
  const metadata = (spec.metadata ?? []).map(([name, value]): ReadField => [name, isBinary(name) ? unpadded(value) : value]);
  const framed = (): Uint8Array =>
    join(
      messages.map((message) => {
        const one = envelope(zipped(message), isGzip ? { flags: 1 } : {});
        return flaw.envelope?.(one) ?? one;
      }),
    );
  const ms = spec.timeoutMs === undefined ? undefined : Math.max(1, Math.round(spec.timeoutMs));
  if (dialect === "grpc-web") {
    const type = `application/grpc-web${text === true ? "-text" : ""}+proto`;
    const fields: ReadField[] = [
      ["content-type", type],
      ["accept", type],
      ["x-grpc-web", "1"],
      ...(ms === undefined ? [] : [["grpc-timeout", ms < 1e8 ? `${ms}m` : `${Math.floor(ms / 1_000)}S`] as const]),
      ...metadata,
    ];
    const content = text === true ? Buffer.from(Buffer.from(framed()).toString("base64")) : framed();
    return { verb: "POST", target: spec.path, fields, content };
  }
  const timeout: ReadField[] = ms === undefined ? [] : [["connect-timeout-ms", String(ms)]];
  const version = ["connect-protocol-version", "1"] as const;
  if (spec.kind !== "unary") {
    const fields: ReadField[] = [
      ["content-type", `application/connect+${format}`],
      version,
      ...timeout,
      ...(isGzip ? [["connect-content-encoding", "gzip"] as const] : []),
      ["connect-accept-encoding", "gzip"],
      ...metadata,
    ];
    return { verb: "POST", target: spec.path, fields, content: framed() };
  }
  const octets = zipped(messages[0] ?? new Uint8Array());
  if (spec.get === true) {
    const isText = format === "json" && !isGzip;
    const message = isText ? encodeURIComponent(Buffer.from(octets).toString()) : Buffer.from(octets).toString("base64url");
    const query = ["connect=v1", ...(isText ? [] : ["base64=1"]), ...(isGzip ? ["compression=gzip"] : []), `encoding=${format}`];
    const target = `${spec.path}?${[...query, `message=${message}`].join("&")}`;
    return { verb: "GET", target, fields: [...timeout, ["accept-encoding", "gzip"], ...metadata], content: new Uint8Array() };
  }
  const fields: ReadField[] = [
    ["content-type", `application/${format}`],
    version,
    ...timeout,
    ...(isGzip ? [["content-encoding", "gzip"] as const] : []),
    ["accept-encoding", "gzip"],
    ...metadata,
  ];
  return { verb: "POST", target: spec.path, fields, content: octets };
}

/** Sends a request; the answer as far as it came before `over`. */
function exchange(sent: Sent, { spec, setting, over, leaves }: Exchange): Promise<Got> {
  const [hostname, port] = setting.target.split(":");
  const grouped = new Map<string, string[]>();
  for (const [name, value] of sent.fields) grouped.set(name, [...(grouped.get(name) ?? []), value]);
  return new Promise((resolve) => {
    let http = 0;
    let fields: readonly ReadField[] = [];
    const parts: Uint8Array[] = [];
    const settle = (isWhole: boolean): void => resolve({ http, fields, content: join(parts), isWhole, parts });
    const outgoing = send({ hostname, port, path: sent.target, method: sent.verb, headers: Object.fromEntries(grouped), agent: false });
    outgoing.on("error", () => settle(false));
    outgoing.on("response", (incoming) => {
      http = incoming.statusCode ?? 0;
      const raw = incoming.rawHeaders;
      fields = raw.flatMap((name, at): ReadField[] => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1]!]] : []));
      incoming.on("data", (part: Buffer) => {
        parts.push(part);
        if (spec.cancel !== undefined && "afterMessages" in spec.cancel && readEnvelopes(join(parts)).messages.length > 0) cut();
      });
      incoming.on("end", () => settle(true));
      incoming.on("error", () => settle(false));
      incoming.on("close", () => settle(false));
    });
    const cut = (): void => {
      if (leaves) outgoing.destroy();
      settle(false);
    };
    void over.then(cut);
    if (sent.content.length > 0) outgoing.write(sent.content);
    // A request that stays open is ended with its call: the connection is its own.
    if (spec.open !== true) outgoing.end();
  });
}
type Exchange = { readonly spec: WebCallSpec; readonly setting: Setting; readonly over: Promise<void>; readonly leaves: boolean };

const inflated = (octets: Uint8Array, flaw: WebClientFlaw): Uint8Array | "broken" => {
  if (octets.length === 0) return flaw.inflatesNothing === true ? "broken" : octets;
  try {
    return gunzipSync(octets);
  } catch {
    return octets;
  }
};

type Read = Omit<CallReport, "headers">;
const OK: Read = { status: 0, message: "", messages: [], trailers: [] };

function errorIn(json: unknown): Required<Pick<Read, "status" | "message" | "details">> {
  const { code, message, details } = isObject(json) ? json : {};
  const at = CODES.indexOf(code as (typeof CODES)[number]);
  const read = (Array.isArray(details) ? details : []).flatMap((one): [string, string][] =>
    isObject(one) ? [[String(one["type"]), Buffer.from(String(one["value"]), "base64").toString("hex")]] : [],
  );
  return { status: Math.max(0, at), message: typeof message === "string" ? message : "", details: read };
}

function readUnary({ http, fields, content }: Got, flaw: WebClientFlaw): Read {
  const trailers = fields.flatMap(([name, value]): [string, string][] => (name.startsWith("trailer-") ? [[name.slice(8), value]] : []));
  const isGzip = valueOf(fields, "content-encoding") === "gzip" || flaw.inflatesAll === true;
  const octets = isGzip ? inflated(content, flaw) : content;
  if (octets === "broken") return { ...OK, status: 13 };
  if (http === 200) return { ...OK, messages: [toHex(octets)], trailers };
  const failed = errorIn(objectIn(octets));
  return { ...OK, ...failed, trailers };
}
function readStream({ content }: Got, mark: number, flaw: WebClientFlaw): Read {
  const { messages } = readEnvelopes(content);
  const plain = messages.map(({ flags, octets }) => ({ flags, octets: (flags & 1) === 1 ? inflated(octets, flaw) : octets }));
  const hexes = plain
    .filter(({ flags }) => (flags & mark) === 0)
    .map(({ octets }) => toHex(octets === "broken" ? new Uint8Array() : octets));
  const end = plain.find(({ flags }) => (flags & mark) !== 0)?.octets;
  if (end === undefined || end === "broken") return { ...OK, messages: hexes };
  if (mark === 2) {
    const json = objectIn(end) ?? {};
    const { metadata } = json;
    const trailers = Object.entries(isObject(metadata) ? metadata : {}).flatMap(([name, values]) =>
      (Array.isArray(values) ? values : []).map((value): [string, string] => [name, String(value)]),
    );
    return { ...OK, ...errorIn(json["error"]), messages: hexes, trailers };
  }
  return { ...ofTrailers(linesIn(Buffer.from(end).toString("latin1"))), messages: hexes };
}
const linesIn = (text: string): ReadField[] =>
  text.split("\r\n").flatMap((line): ReadField[] => {
    const at = line.indexOf(":");
    return at <= 0 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]];
  });
function ofTrailers(fields: readonly ReadField[]): Read {
  const status = Number(valueOf(fields, "grpc-status") ?? "0");
  const message = Buffer.from(
    (valueOf(fields, "grpc-message") ?? "").replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    "latin1",
  ).toString();
  return {
    ...OK,
    status: Number.isInteger(status) && status >= 0 && status <= 16 ? status : 0,
    message,
    trailers: fields.map(([name, value]) => [name, value]),
  };
}

const decoded = (content: Uint8Array): Uint8Array =>
  Buffer.concat(
    (
      Buffer.from(content)
        .toString("latin1")
        .match(/[^=]+={0,2}/g) ?? []
    ).map((part) => Buffer.from(part, "base64")),
  );

/** What the base makes of anything: OK, unless an error that it understands says otherwise. */
function reportOf(came: Got, spec: WebCallSpec, { dialect, channel }: Setting, flaw: WebClientFlaw): CallReport {
  const text = channel.text === true ? { ...came, content: decoded(came.content) } : came;
  const got = flaw.got?.(text) ?? text;
  const isWeb = dialect === "grpc-web";
  const alone = isWeb && valueOf(got.fields, "grpc-status") !== undefined ? ofTrailers(got.fields) : undefined;
  const read = alone ?? (isWeb ? readStream(got, 0x80, flaw) : spec.kind === "unary" ? readUnary(got, flaw) : readStream(got, 2, flaw));
  const pairs = (fields: readonly (readonly [string, string])[]): [string, string][] =>
    fields.map(([name, value]) => [name, isBinary(name) ? Buffer.from(value, "base64").toString("hex") : value]);
  const headers = pairs(got.fields.filter(([name]) => !name.startsWith("trailer-")));
  const report = { ...read, headers, trailers: pairs(read.trailers) };
  return flaw.report?.(report, got) ?? report;
}

/** What it is on the last call of a description. */
const RIGHT: WebClientFlaw = { about: "nothing" };

/** A client with this flaw, in this process. */
export const wrongWebClient = (name: string): InProcessClient => {
  const wrong = flawOf(WEB_CLIENT_FLAWS, name);
  return async (_url, signal, { description }) => {
    if (description?.["features"] === true) return { features: Object.keys(WEB_CLIENT_FEATURES) };
    const {
      rounds,
      channel = {},
      ...setting
    } = description as unknown as Setting & {
      readonly rounds: readonly (readonly WebCallSpec[])[];
    };
    if (wrong.silent === true) return new Promise(() => {});
    if (wrong.slams === true) return { calls: rounds.flat().map(() => ({ status: 14 })) };
    const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    const call = async (spec: WebCallSpec): Promise<CallReport> => {
      // It is right about the last call: it has to fail a case by the case itself.
      const flaw = spec.path === FENCE_PATH ? RIGHT : wrong;
      const right = requestOf(spec, { ...setting, channel }, flaw);
      let isLate = false;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        const ms = spec.timeoutMs ?? (spec.cancel !== undefined && "afterMs" in spec.cancel ? spec.cancel.afterMs : undefined);
        if (ms === undefined) return;
        timer = setTimeout(
          () => {
            isLate = true;
            resolve();
          },
          Math.min(ms, MOST_MS),
        );
      });
      const over = Promise.race([late, stopped]);
      const exchanged = { spec, setting: { ...setting, channel }, over, leaves: flaw.leaves === true };
      const got = await exchange(flaw.sent?.(right, spec) ?? right, exchanged);
      clearTimeout(timer);
      const report = reportOf(got, spec, { ...setting, channel }, flaw);
      if (spec.cancel !== undefined && !got.isWhole) return { ...report, status: flaw.cancelled ?? 0 };
      return isLate ? { ...report, status: flaw.deadline ?? 0 } : report;
    };
    const calls: CallReport[] = [];
    for (const round of rounds) {
      const hasFailed = calls.some(({ status }) => status !== 0);
      const gives = wrong.givesUp === true && hasFailed && round[0]?.path !== FENCE_PATH;
      calls.push(...(gives ? round.map(() => ({ ...OK, headers: [], status: 14 })) : await Promise.all(round.map(call))));
    }
    return { calls };
  };
};
