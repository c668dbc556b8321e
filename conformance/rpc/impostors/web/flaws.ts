import type { ErrorJson, Fields, WebFlaw, Written } from "./flaw.ts";

/** Servers of the web dialects that are wrong in one way. `silent` and `slams` must pass nothing. */

const fields =
  (change: (fields: Fields) => Fields) =>
  (written: Written): Written => ({ ...written, fields: change(written.fields) });
const typed = (type: string) => fields((all) => all.map(([name, value]) => [name, name === "content-type" ? type : value]));
const isOwn = ([name]: readonly [string, string, ...unknown[]]): boolean => /^(?:content-|connect-|grpc-)/.test(name);
/** For errors of unary calls only. */
const ofErrors =
  (change: (written: Written) => Written) =>
  (written: Written): Written =>
    written.http === 200 ? written : change(written);
const flagged = (octets: Uint8Array, flags: number): Uint8Array => Uint8Array.from([flags, ...octets.subarray(1)]);

const without =
  (name: string) =>
  (json: ErrorJson): ErrorJson =>
    Object.fromEntries(Object.entries(json).filter(([one]) => one !== name));

export const WEB_FLAWS: Readonly<Record<string, WebFlaw>> = {
  lenient: { about: "accepts everything" },
  silent: { about: "answers nothing", mute: true },
  slams: { about: "drops the connection at the first request", slams: true },
  empty: { about: "returns no payloads", payload: () => new Uint8Array() },
  "loses octets": { about: "loses the last octet of a payload", payload: (octets) => octets.subarray(0, -1) },
  "adds octets": { about: "adds an octet to each payload", payload: (octets) => Uint8Array.from([...octets, 33]) },
  unimplemented: { about: "implements nothing", refuses: 12 },
  internal: { about: "fails every call", refuses: 13 },
  ok: { about: "ends every call with OK", status: () => 0 },
  unknown: { about: "ends every failed call with UNKNOWN", status: (status) => (status === 0 ? 0 : 2) },
  "data loss": { about: "ends every failed call with DATA_LOSS", status: (status) => (status === 0 ? 0 : 15) },
  "first piece": {
    about: "takes the first piece of content for all",
    request: (request) => ({ ...request, content: request.chunks[0] ?? request.content }),
  },
  strict: { about: "refuses what it has to accept", strict: 3 },
  "no query": { about: "reads no query", request: (request) => ({ ...request, target: request.target.split("?")[0]! }) },
  "no plan": { about: "does not heed its plan", plan: () => ({}) },
  late: { about: "knows no deadlines", left: () => undefined },
  "deadline now": { about: "takes each call for nearly over", left: () => 0 },
  "deadline always": { about: "has a deadline for every call", left: (ms) => ms ?? 1_000 },
  "sees no metadata": { about: "hands no metadata to handlers", metadata: () => [] },
  "last values": { about: "keeps the last value of a name", metadata: (all) => [...new Map(all)] },
  "no metadata": {
    about: "sends no metadata",
    written: fields((all) => all.filter(isOwn)),
    end: without("metadata"),
    trailers: (lines) =>
      lines
        .split("\r\n")
        .filter((line) => line.startsWith("grpc-"))
        .map((line) => `${line}\r\n`)
        .join(""),
  },
  "no prefix": {
    about: "sends trailing metadata as leading",
    written: fields((all) => all.map(([name, value]) => [name.replace(/^trailer-/, ""), value])),
  },
  "all prefixed": {
    about: "sends leading metadata as trailing",
    written: fields((all) => all.map((one) => (isOwn(one) ? one : [`trailer-${one[0].replace(/^trailer-/, "")}`, one[1]]))),
  },
  "always zipped": { about: "compresses every answer by gzip", zips: true },
  "zipped in name": { about: "says that its content is compressed", written: fields((all) => [...all, ["content-encoding", "gzip"]]) },
  "text/plain": { about: "has another content type", written: typed("text/plain") },
  "errors in text": { about: "has another content type for errors", written: ofErrors(typed("text/plain")) },
  "errors as octets": { about: "has the content type of messages for errors", written: ofErrors(typed("application/proto")) },
  "http 200": { about: "answers errors with HTTP status 200", written: (written) => ({ ...written, http: 200 }) },
  "http 500": { about: "answers errors with HTTP status 500", written: ofErrors((written) => ({ ...written, http: 500 })) },
  "http 202": { about: "answers everything with HTTP status 202", written: (written) => ({ ...written, http: 202 }) },
  "http 418": { about: "answers errors with HTTP status 418", written: ofErrors((written) => ({ ...written, http: 418 })) },
  "codes in capitals": {
    about: "writes codes in capitals",
    error: ({ code, ...error }) => ({ ...error, code: String(code).toUpperCase() }),
  },
  "codes as numbers": { about: "writes codes as numbers", error: (error) => ({ ...error, code: 5 }) },
  "no codes": { about: "leaves codes out", error: without("code") },
  "no messages": {
    about: "leaves messages out",
    error: without("message"),
    trailers: (lines) => lines.replace(/grpc-message: .*\r\n/, ""),
  },
  "ascii messages": {
    about: "replaces what is not ASCII",
    error: (error) => ({
      ...error,
      ...(error["message"] === undefined ? {} : { message: String(error["message"]).replaceAll(/[^ -~]|["\\]/g, "?") }),
    }),
  },
  "short messages": {
    about: "cuts messages short",
    error: (error) => ({ ...error, ...(error["message"] === undefined ? {} : { message: String(error["message"]).slice(0, 5) }) }),
    trailers: (lines) => lines.replace(/(grpc-message: .{5}).*\r\n/, "$1\r\n"),
  },
  "messages as lists": { about: "writes messages as lists", error: (error) => ({ ...error, message: [error["message"] ?? ""] }) },
  "no details": { about: "leaves details out", error: without("details") },
  "padded details": {
    about: "pads the octets of details",
    error: (error) => ({ ...error, ...withDetails(error, (value) => `${value}====`.slice(0, 8)) }),
  },
  "typed urls": {
    about: "writes types of details as addresses",
    error: (error) => ({
      ...error,
      ...(error["details"] === undefined ? {} : { details: [{ type: "type.googleapis.com/a.B", value: "CgF4" }] }),
    }),
  },
  "no end": { about: "ends streams without their last message", envelopes: (all) => all.slice(0, -1) },
  "end twice": { about: "sends the last message twice", envelopes: (all) => [...all, all.at(-1)!] },
  "end first": { about: "sends the last message first", envelopes: (all) => [all.at(-1)!, ...all.slice(0, -1)] },
  "end unflagged": { about: "sends the last message without its flag", envelopes: (all) => all.map((one) => flagged(one, 0)) },
  "all flagged": { about: "marks every message as the last", envelopes: (all) => all.map((one) => flagged(one, all.at(-1)![0]!)) },
  "reserved flags": { about: "sets a reserved flag", envelopes: (all) => all.map((one) => flagged(one, one[0]! | 4)) },
  "compressed flags": { about: "says that its messages are compressed", envelopes: (all) => all.map((one) => flagged(one, one[0]! | 1)) },
  "half envelopes": { about: "sends the beginning of another envelope", envelopes: (all) => [...all, Uint8Array.of(0, 0)] },
  "end in text": { about: "writes the last message as text", end: () => "fine" },
  "errors null": { about: "writes an error of null", end: (end) => ({ error: null, ...end }) },
  "errors empty": { about: "writes an error without members", end: (end) => ({ ...end, error: {} }) },
  "errors lost": { about: "leaves out errors of streams", end: without("error") },
  "metadata as texts": {
    about: "writes trailing metadata as texts",
    end: (end) => ({ ...end, ...(end["metadata"] === undefined ? {} : { metadata: { "x-t": "2" } }) }),
  },
  "first values": {
    about: "sends the first trailing value of a name",
    end: firstValues,
    trailers: (lines) =>
      [
        ...new Map(
          lines
            .split("\r\n")
            .filter((line) => line !== "")
            .toReversed()
            .map((line) => [line.split(":")[0], line]),
        ).values(),
      ]
        .map((line) => `${line}\r\n`)
        .join(""),
    written: fields((all) => [...new Map(all.toReversed())]),
  },
  "numbers from 0": { about: "counts responses from 0", number: (number) => number - 1 },
  "LF lines": { about: "ends lines of trailers with LF", trailers: (lines) => lines.replaceAll("\r\n", "\n") },
  capitals: {
    about: "writes trailers in capitals",
    trailers: (lines) => lines.replaceAll(/^[a-z-]+(?=:)/gm, (name) => name.toUpperCase()),
  },
  "no status": { about: "sends no status", trailers: (lines) => lines.replace(/grpc-status: .*\r\n/, "") },
  "status 00": { about: "writes the status with zeros before it", trailers: (lines) => lines.replace("grpc-status: ", "grpc-status: 0") },
  "raw messages": {
    about: "does not encode status messages",
    trailers: (lines) =>
      lines.replaceAll(/%([0-9A-F]{2})/g, (_, hex: string) =>
        hex === "0D" || hex === "0A" ? "" : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
  },
  "octets for text": {
    about: "answers text with octets",
    written: (written) => ({
      ...written,
      content: written.content.map((one) => (isBase64(written) ? Buffer.from(Buffer.from(one).toString(), "base64") : one)),
    }),
  },
};

const isBase64 = ({ fields: all }: Written): boolean => all.some(([name, value]) => name === "content-type" && value.includes("-text"));
function withDetails(error: ErrorJson, change: (value: string) => string): ErrorJson {
  const { details } = error;
  return Array.isArray(details)
    ? { details: (details as { type: string; value: string }[]).map(({ type, value }) => ({ type, value: change(value) })) }
    : {};
}
function firstValues(end: ErrorJson): unknown {
  const { metadata, ...others } = end as { readonly metadata?: Readonly<Record<string, readonly string[]>> };
  return metadata === undefined
    ? end
    : { ...others, metadata: Object.fromEntries(Object.entries(metadata).map(([name, values]) => [name, values.slice(0, 1)])) };
}
