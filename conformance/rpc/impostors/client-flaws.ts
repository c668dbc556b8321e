import type { FieldSpec } from "../../wire/http2/frame-spec.ts";
import type { CallReport } from "../client-vocabulary.ts";
import type { Received, RpcClientFlaw } from "./client-flaw.ts";
import type { Names } from "./flaw.ts";

/** Clients of calls that are wrong in one way. `silent` and `slams` must pass nothing. */

type Change = NonNullable<RpcClientFlaw["fields"]>;
const set =
  (name: string, value: (old: string) => string | undefined): Change =>
  (fields, names) =>
    fields.flatMap((field): FieldSpec[] => {
      if (field[0] !== name.replace("{rpc}-", names(""))) return [field];
      const next = value(field[1]);
      return next === undefined ? [] : [[field[0], next]];
    });
const add =
  (...more: readonly FieldSpec[]): Change =>
  (fields, names) => [...fields, ...more.map(([name, value]): FieldSpec => [name.replace("{rpc}-", names("")), value])];
const isOwn = (name: string, names: Names): boolean => /^:|^(?:te|content-type|user-agent)$/.test(name) || name.startsWith(names(""));
const ofMetadata =
  (change: (fields: readonly FieldSpec[]) => readonly FieldSpec[]): Change =>
  (fields, names) => [...fields.filter(([name]) => isOwn(name, names)), ...change(fields.filter(([name]) => !isOwn(name, names)))];
const binary = (value: (old: string) => string): Change =>
  ofMetadata((all) => all.map(([name, old]) => [name, name.endsWith("-bin") ? value(old) : old]));
const status =
  (change: (status: number) => number): NonNullable<RpcClientFlaw["report"]> =>
  (report) => ({ ...report, status: change(report.status) });
const message = (change: (message: string) => string): NonNullable<RpcClientFlaw["report"]> => {
  return (report) => ({ ...report, message: change(report.message) });
};
const messages = (change: (messages: CallReport["messages"]) => CallReport["messages"]): NonNullable<RpcClientFlaw["report"]> => {
  return (report) => ({ ...report, messages: change(report.messages) });
};

export const RPC_CLIENT_FLAWS: Readonly<Record<string, RpcClientFlaw>> = {
  lenient: { about: "reports OK for everything that has no other status" },
  silent: { about: "never reports", silent: true },
  slams: { about: "reports UNAVAILABLE without a request", slams: true },
  "only ok": { about: "reports OK without a request", only: 0 },
  "only internal": { about: "reports INTERNAL without a request", only: 13 },
  "no health": { about: "asks for no health", noHealth: true },
  spreads: { about: "calls its addresses in turn, whatever its policy is", spreads: true },
  weighs: { about: "calls its addresses by the rates of requests that they report alone", spreads: true, weighs: true },
  "asks load": { about: "asks for streams of reports whatever its config says, and ignores them", spreads: true, asksLoad: true },
  "gives up": { about: "calls its addresses in turn, but none again where a call has failed", spreads: true, givesUp: true },
  leaks: { about: "leaves its connection open", leaks: true },
  // What it sends.
  "method PUT": { about: "sends PUT", fields: set(":method", () => "PUT") },
  "other scheme": { about: "sends another scheme", fields: set(":scheme", (old) => (old === "http" ? "https" : "http")) },
  "no te": { about: "sends no te", fields: set("te", () => undefined) },
  "content type": { about: "sends another content type", fields: set("content-type", () => "application/octet-stream") },
  "empty authority": { about: "sends an empty authority", fields: set(":authority", () => "") },
  "late path": {
    about: "sends :path last",
    fields: (fields) => [...fields.filter(([name]) => name !== ":path"), ...fields.filter(([name]) => name === ":path")],
  },
  "keeps alive": { about: "sends keep-alive", fields: add(["keep-alive", "1"]) },
  "odd names": { about: "sends a name with another character", fields: add(["x~y", "1"]) },
  "odd values": { about: "sends a value that is not ASCII", fields: add(["x-odd", "caf\u00e9"]) },
  "ends with headers": { about: "ends requests with HEADERS", endsWithHeaders: true },
  "ends at head": { about: "ends a request without messages at its headers", endsAtHead: true },
  "reserved flags": { about: "sets a reserved flag", envelope: (octets) => Uint8Array.from([octets[0]! | 4, ...octets.subarray(1)]) },
  "always compressed": { about: "says that messages are compressed", envelope: (octets) => Uint8Array.from([1, ...octets.subarray(1)]) },
  "half messages": { about: "sends the beginning of another message", envelope: (octets) => Uint8Array.from([...octets, 0, 0]) },
  "short messages": { about: "loses the last octet of messages", messages: (all) => all.map((hex) => hex.slice(2)) },
  "first message": { about: "sends the first message only", messages: (all) => all.slice(0, 1) },
  "more messages": { about: "sends an empty message behind the others", messages: (all) => [...all, ""] },
  "reversed messages": { about: "sends messages in the wrong order", messages: (all) => all.toReversed() },
  "odd encodings": { about: "lists encodings wrongly", fields: set("{rpc}-accept-encoding", () => "gzip;deflate") },
  "no user agent": { about: "names no user agent", fields: set("user-agent", () => undefined) },
  "odd user agent": { about: "names a user agent without a version", fields: set("user-agent", () => "impostor") },
  "counts attempts": { about: "numbers its first attempt", fields: add(["{rpc}-previous-rpc-attempts", "0"]) },
  "metadata first": {
    about: "sends metadata before the fields of the call",
    fields: (fields, names) => [
      ...fields.filter(([name]) => name.startsWith(":")),
      ...fields.filter(([name]) => !isOwn(name, names)),
      ...fields.filter(([name]) => !name.startsWith(":") && isOwn(name, names)),
    ],
  },
  "timeout last": {
    about: "sends the timeout last",
    fields: (fields, names) => [
      ...fields.filter(([name]) => name !== names("timeout")),
      ...fields.filter(([name]) => name === names("timeout")),
    ],
  },
  "small path": { about: "sends paths in lower case", fields: set(":path", (old) => old.toLowerCase()) },
  "one path": { about: "calls another method", fields: set(":path", () => "/touchstone.conformance.v1.Conformance/Other") },
  "nine digits": { about: "sends timeouts in nanoseconds", fields: set("{rpc}-timeout", (old) => `${Number.parseInt(old, 10)}000000n`) },
  "no timeout": { about: "sends no timeout", fields: set("{rpc}-timeout", () => undefined) },
  "always timeout": {
    about: "sends a timeout without a deadline",
    fields: (fields, names) => (fields.some(([name]) => name === names("timeout")) ? fields : [...fields, [names("timeout"), "20S"]]),
  },
  "no metadata": { about: "sends no metadata", fields: ofMetadata(() => []) },
  "last values": {
    about: "sends the last value of a name",
    fields: ofMetadata((all) => [...new Map(all.map(([name, value]) => [name, value]))]),
  },
  "reversed values": { about: "sends values in the wrong order", fields: ofMetadata((all) => all.toReversed()) },
  padded: { about: "pads binary values", fields: binary((old) => old.padEnd(Math.ceil(old.length / 4) * 4, "=")) },
  "raw octets": { about: "sends binary values as they are", fields: binary((old) => `!${old}`) },
  "one by one": { about: "makes the calls of a channel one after the other", oneByOne: true },
  // What it reads.
  ok: { about: "reports OK always", report: status(() => 0) },
  unknown: { about: "reports UNKNOWN for every failure", report: status((code) => (code === 0 ? 0 : 2)) },
  internal: { about: "reports INTERNAL for every failure", report: status((code) => (code === 0 ? 0 : 13)) },
  "no message": { about: "reports no message", report: message(() => "") },
  "raw message": { about: "reports messages encoded", report: message((text) => encodeURIComponent(text)) },
  "drops messages": { about: "reports no responses", report: messages(() => []) },
  "reads by frame": { about: "takes every DATA frame for whole messages", byFrame: true },
  "loses octets": { about: "loses the last octet of responses", report: messages((all) => all.map((hex) => hex.slice(2))) },
  "invents a response": { about: "reports an empty response if there is none", report: messages((all) => (all.length === 0 ? [""] : all)) },
  "reverses responses": { about: "reports responses in the wrong order", report: messages((all) => all.toReversed()) },
  "no headers": { about: "reports no metadata", report: (report) => ({ ...report, headers: [], trailers: [] }) },
  "fails every content type": {
    about: "reads no other content type than its own",
    report: (report, { sections }) =>
      sections[0]?.some(([name, value]) => name === "content-type" && value.includes("+")) === true ? { ...report, status: 13 } : report,
  },
  "fails on messages of OK": {
    about: "fails calls that end with OK and a message",
    report: (report, { sections }) =>
      sections.at(-1)?.some(([name]) => name.endsWith("-message")) === true && report.status === 0 ? { ...report, status: 13 } : report,
  },
  "by HTTP": {
    about: "prefers the HTTP status",
    report: (report, { sections }) =>
      sections[0]?.some(([name, value]) => name === ":status" && value !== "200") === true ? { ...report, status: 2 } : report,
  },
  strict: {
    about: "fails every call whose response has anything unusual",
    report: (report, received) => (isPlain(received) ? report : { ...report, status: 13 }),
  },
  unavailable: {
    about: "reports UNAVAILABLE for every failure",
    report: (report, received) => ({ ...report, status: isPlain(received) ? report.status : 14 }),
  },
  "first message only": { about: "reports the first response only", report: messages((all) => all.slice(0, 1)) },
  "ends of headers": { about: "takes the first header section for the last", noInterim: true },
  "fails on resets": {
    about: "reports CANCELLED for every reset",
    report: (report, { broken }) => (broken === undefined ? report : { ...report, status: 1 }),
  },
  "metadata of trailers": { about: "reports trailers as headers", report: (report) => ({ ...report, headers: report.trailers }) },
  "last of a name": {
    about: "reports the last value of a name",
    report: (report) => ({ ...report, headers: [...new Map(report.headers)], trailers: [...new Map(report.trailers)] }),
  },
  "first of a list": {
    about: "reports the first of joined values",
    report: (report) => ({
      ...report,
      headers: report.headers.map(([name, value]) => [name, value.split(",")[0] ?? ""]),
      trailers: report.trailers.map(([name, value]) => [name, value.split(",")[0] ?? ""]),
    }),
  },
  "reversed metadata": {
    about: "reports metadata in the wrong order",
    report: (report) => ({ ...report, headers: report.headers.toReversed(), trailers: report.trailers.toReversed() }),
  },
  "shows interim": {
    about: "reports metadata of interim responses",
    report: (report) => ({ ...report, headers: [...report.headers, ["x-early", "1"]] }),
  },
  "lists nothing": { about: "lists no encoding", fields: set("{rpc}-accept-encoding", () => undefined) },
  "names no encoding": { about: "compresses without naming the encoding", fields: set("{rpc}-encoding", () => undefined) },
  // Deadlines and cancellation.
  "late status": { about: "reports UNAVAILABLE at a deadline, and CANCELLED as UNKNOWN", deadline: 14, cancelled: 2, resets: "CANCEL" },
  "no reset": { about: "does not reset calls that are over", deadline: 4, cancelled: 1 },
  "other reset": { about: "resets calls that are over with INTERNAL_ERROR", deadline: 4, cancelled: 1, resets: "INTERNAL_ERROR" },
  "drops what it has": {
    about: "reports no responses of calls that end early",
    deadline: 4,
    cancelled: 1,
    resets: "CANCEL",
    report: (report) => (report.status === 0 ? report : { ...report, messages: [] }),
  },
  // Attempts.
  "always again": { about: "sends a call again after every failure, at once", retries: 6 },
  "again twice": {
    about: "sends a call again twice, without numbers",
    retries: 2,
    fields: set("{rpc}-previous-rpc-attempts", () => undefined),
  },
};

/** A response as most are. */
function isPlain({ sections, endedBy, broken }: Received): boolean {
  return sections.length === 2 && endedBy === "HEADERS" && broken === undefined && sections.every((fields) => fields.length <= 2);
}
