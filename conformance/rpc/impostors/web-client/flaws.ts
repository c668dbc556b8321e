import type { ReadField } from "../../../wire/http2/read.ts";
import type { CallReport } from "../../client-vocabulary.ts";
import { valueOf } from "../../driver/answers.ts";
import type { Got, WebClientFlaw } from "./flaw.ts";

/** Clients of the web dialects that are wrong in one way. `silent` and `slams` must pass nothing. */

type Change = NonNullable<WebClientFlaw["sent"]>;
const fields =
  (change: (field: ReadField) => ReadField | undefined): Change =>
  (sent) => ({
    ...sent,
    fields: sent.fields.flatMap((one): ReadField[] => {
      const next = change(one);
      return next === undefined ? [] : [next];
    }),
  });
const without = (...names: string[]): Change => fields((one) => (names.includes(one[0]) ? undefined : one));
const set = (pattern: RegExp, value: (old: string) => string): Change =>
  fields(([name, old]) => [name, pattern.test(name) ? value(old) : old]);
const query =
  (change: (parameters: string[]) => string[]): Change =>
  (sent) => {
    const [path, parameters] = sent.target.split("?");
    return parameters === undefined ? sent : { ...sent, target: `${path}?${change(parameters.split("&")).join("&")}` };
  };
const report =
  (change: (report: CallReport, got: Got) => Partial<CallReport>): NonNullable<WebClientFlaw["report"]> =>
  (one, got) => ({ ...one, ...change(one, got) });
const swap = (octets: Uint8Array): Uint8Array => Uint8Array.from(octets).reverse();
const own = /^(?:content-type|accept.*|x-grpc-web|connect-.*|content-encoding|grpc-timeout)$/;
const isPlain = ({ http, fields: all, isWhole }: Got): boolean =>
  http === 200 &&
  isWhole &&
  all.every(([name]) => ["content-type", "transfer-encoding", "connection", "keep-alive", "date"].includes(name));

export const WEB_CLIENT_FLAWS: Readonly<Record<string, WebClientFlaw>> = {
  lenient: { about: "reports OK for everything that has no error" },
  silent: { about: "never reports", silent: true },
  slams: { about: "reports UNAVAILABLE without a request", slams: true },
  // What it sends.
  "method PUT": { about: "sends PUT", sent: (sent) => ({ ...sent, verb: sent.verb === "POST" ? "PUT" : "POST" }) },
  "small path": { about: "sends paths in lower case", sent: (sent) => ({ ...sent, target: sent.target.toLowerCase() }) },
  "other type": { about: "sends another content type", sent: set(/^content-type$/, () => "application/octet-stream") },
  "other format": { about: "names the other format", sent: set(/^content-type$/, (old) => old.replace(/(?:proto|json)$/, "text")) },
  "no version": { about: "names no version", sent: without("connect-protocol-version") },
  qualities: { about: "lists encodings with quality values", sent: set(/accept-encoding$/, (old) => `${old};q=0.5`) },
  "odd timeout": { about: "sends timeouts as fractions", sent: set(/timeout/, (old) => `${Number.parseInt(old, 10)}.5`) },
  "no timeout": { about: "sends no timeout", sent: without("connect-timeout-ms", "grpc-timeout") },
  "no metadata": { about: "sends no metadata", sent: fields((one) => (own.test(one[0]) ? one : undefined)) },
  "reversed values": { about: "sends fields in the wrong order", sent: (sent) => ({ ...sent, fields: sent.fields.toReversed() }) },
  padded: {
    about: "pads binary values",
    sent: fields(([name, old]) => [name, name.endsWith("-bin") ? old.padEnd(Math.ceil(old.length / 4) * 4, "=") : old]),
  },
  "raw octets": {
    about: "sends binary values as they are",
    sent: fields(([name, old]) => [name, name.endsWith("-bin") ? `!${old}` : old]),
  },
  "always post": { about: "sends no GET", sent: (sent) => ({ ...sent, verb: "POST" }) },
  "always get": { about: "sends GET for every method", sent: (sent) => ({ ...sent, verb: "GET", content: new Uint8Array() }) },
  "query without base64": { about: "does not say that a query is Base64", sent: query((all) => all.filter((one) => one !== "base64=1")) },
  "query without format": { about: "names no format in a query", sent: query((all) => all.filter((one) => !one.startsWith("encoding="))) },
  "query without version": { about: "names no version in a query", sent: query((all) => all.filter((one) => one !== "connect=v1")) },
  "query reversed": { about: "orders a query otherwise", sent: query((all) => all.toReversed()) },
  "query raw": { about: "decodes the query before it sends it", sent: query((all) => all.map((one) => one.replaceAll(/%(?!20)/g, "%25"))) },
  "end flag": { about: "marks messages as the end", envelope: (octets) => Uint8Array.from([octets[0]! | 2, ...octets.subarray(1)]) },
  "reserved flags": { about: "sets a reserved flag", envelope: (octets) => Uint8Array.from([octets[0]! | 4, ...octets.subarray(1)]) },
  "always compressed": { about: "says that messages are compressed", envelope: (octets) => Uint8Array.from([1, ...octets.subarray(1)]) },
  "half messages": { about: "sends the beginning of another message", envelope: (octets) => Uint8Array.from([...octets, 0, 0]) },
  "short content": { about: "loses the last octet", sent: (sent) => ({ ...sent, content: sent.content.subarray(0, -1) }) },
  "short messages": { about: "loses the last octet of messages", messages: (all) => all.map((one) => one.subarray(0, -1)) },
  "reversed messages": { about: "sends messages in the wrong order", messages: (all) => all.toReversed() },
  "more messages": { about: "sends a message more", messages: (all) => [...all, new Uint8Array()] },
  "no messages": { about: "sends no messages", messages: () => [] },
  "swapped octets": { about: "sends messages backwards", messages: (all) => all.map(swap) },
  "names gzip": { about: "names an encoding, but does not compress", lies: true },
  "no accept": { about: "does not accept text", sent: without("accept") },
  // What it reads.
  ok: { about: "reports OK always", report: report(() => ({ status: 0 })) },
  unknown: { about: "reports UNKNOWN for every failure", report: report(({ status }) => ({ status: status === 0 ? 0 : 2 })) },
  internal: { about: "reports INTERNAL for every failure", report: report(({ status }) => ({ status: status === 0 ? 0 : 13 })) },
  "by HTTP": {
    about: "reports UNKNOWN for every other HTTP status",
    report: report(({ status }, { http }) => ({ status: http === 200 ? status : 2 })),
  },
  unavailable: {
    about: "reports UNAVAILABLE for every other HTTP status",
    report: report(({ status }, { http }) => ({ status: http === 200 ? status : 14 })),
  },
  "no message": { about: "reports no message", report: report(() => ({ message: "" })) },
  "raw message": { about: "reports messages encoded", report: report(({ message }) => ({ message: encodeURIComponent(message) })) },
  "no details": { about: "reports no details", report: report(() => ({ details: [] })) },
  "last detail": {
    about: "reports the last detail",
    report: report(({ details = [] }) => ({ details: details.slice(-1).map(([type]) => [type, "00"]) })),
  },
  "drops messages": { about: "reports no responses", report: report(() => ({ messages: [] })) },
  "first message": { about: "reports the first response", report: report(({ messages }) => ({ messages: messages.slice(0, 1) })) },
  "reversed responses": {
    about: "reports responses in the wrong order",
    report: report(({ messages }) => ({ messages: messages.toReversed() })),
  },
  "invents a response": {
    about: "reports a response if there is none",
    report: report(({ messages }) => ({ messages: messages.length === 0 ? ["0a0178"] : messages })),
  },
  "fills a response": {
    about: "reports an empty response as another",
    report: report(({ messages }) => ({ messages: messages.map((hex) => (hex === "" ? "0a0178" : hex)) })),
  },
  "loses octets": {
    about: "loses the last octet of responses",
    report: report(({ messages }) => ({ messages: messages.map((hex) => hex.slice(0, -2)) })),
  },
  "reads a part": { about: "reads the first part of the content", got: (got) => ({ ...got, content: got.parts[0] ?? got.content }) },
  "no leading": { about: "reports no headers", report: report(() => ({ headers: [] })) },
  "no trailing": { about: "reports no trailers", report: report(() => ({ trailers: [] })) },
  "no metadata at all": { about: "reports no metadata", report: report(() => ({ headers: [], trailers: [] })) },
  "mixes metadata": {
    about: "reports trailers as headers",
    report: report(({ headers, trailers }) => ({ headers: [...headers, ...trailers] })),
  },
  "upper names": {
    about: "keeps the case of trailers",
    report: report(({ trailers }) => ({ trailers: trailers.map(([name, value]) => [`X${name.slice(1)}`.replace("Xrpc", "grpc"), value]) })),
  },
  "last values": {
    about: "reports the last value of a name",
    report: report(({ headers, trailers }) => ({ headers: [...new Map(headers)], trailers: [...new Map(trailers)] })),
  },
  "odd colons": {
    about: "cuts values at colons",
    report: report(({ trailers }) => ({ trailers: trailers.map(([name, value]) => [name, value.split(":")[0] ?? ""]) })),
  },
  strict: {
    about: "fails every answer that has anything unusual",
    report: report(({ status }, got) => ({ status: isPlain(got) ? status : 13 })),
  },
  "one type": {
    about: "reads one content type only",
    report: report(({ status }, got) => ({
      status: /^application\/(?:proto|connect\+proto|grpc-web)$/.test(valueOf(got.fields, "content-type") ?? "") ? status : 13,
    })),
  },
  "inflates nothing": { about: "decompresses content of no octets", inflatesNothing: true },
  "inflates all": { about: "decompresses what looks compressed", inflatesAll: true },
  "gives up": { about: "makes no call after one that failed", givesUp: true },
  // Deadlines and cancellation.
  "late status": {
    about: "reports UNAVAILABLE at a deadline, and UNKNOWN of a call that is cancelled",
    deadline: 14,
    cancelled: 2,
    leaves: true,
  },
  stays: { about: "does not leave calls that are over", deadline: 4, cancelled: 1 },
};
