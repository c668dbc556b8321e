import type { ReadField } from "../../wire/http2/read.ts";
import type { Fields, Names, RpcFlaw } from "./flaw.ts";
import { STANDARD_FLAWS } from "./standard-flaws.ts";

/** Servers of calls that are wrong in one way. `silent` and `slams` must pass nothing. */

const set =
  (name: (names: Names) => string, value: (old: string | undefined) => string | undefined) =>
  (fields: Fields, names: Names): Fields => {
    const wanted = name(names);
    const old = fields.find(([one]) => one === wanted)?.[1];
    const next = value(old);
    const others = fields.filter(([one]) => one !== wanted);
    return next === undefined ? others : [...others, [wanted, next] as const];
  };
const status = (names: Names): string => names("status");
const twice =
  (name: (names: Names) => string) =>
  (fields: Fields, names: Names): Fields => [...fields, ...fields.filter(([one]) => one === name(names))];
const without =
  (test: (field: ReadField) => boolean) =>
  (fields: Fields): Fields =>
    fields.filter((field) => !test(field));
const isBinary = ([name]: ReadField): boolean => name.endsWith("-bin");
const isOwn = ([name]: ReadField): boolean => /^:|^content-type$|^(?:rpc|grpc)-/.test(name);

export const SERVER_FLAWS: Readonly<Record<string, RpcFlaw>> = {
  lenient: { about: "accepts everything" },
  silent: { about: "answers nothing", mute: true },
  slams: { about: "drops the connection at the first call", meets: (frame) => (frame.type === "HEADERS" ? "close" : undefined) },
  tires: { about: "answers nothing after 1,000 frames of a connection", tiresAfter: 1_000 },
  "slams large lists": {
    about: "drops the connection at a header list of more than 8 KB",
    meets: (frame) => (frame.type === "HEADERS" && frame.length > 8_192 ? "close" : undefined),
  },
  empty: { about: "returns no payloads", payload: () => new Uint8Array() },
  "loses octets": { about: "loses the last octet of a payload", payload: (octets) => octets.subarray(0, -1) },
  "by the frame": { about: "takes every DATA frame for whole messages", byFrame: true },
  hasty: { about: "answers after the first message", hasty: true },
  stops: { about: "stops after the first message", stops: true },
  "only ok": { about: "ends every call with OK, without reading it", refuses: 0 },
  "only internal": { about: "ends every call with INTERNAL, without reading it", refuses: 13 },
  unimplemented: { about: "implements nothing", refuses: 12 },
  ok: { about: "ends every call with OK", status: () => 0 },
  unknown: { about: "ends every call with UNKNOWN", status: () => 2 },
  internal: { about: "ends every call with INTERNAL", status: () => 13 },
  "not found": { about: "answers every call with 404", http: 404 },
  "no status": { about: "sends no status", trailers: set(status, () => undefined) },
  "status twice": { about: "sends the status twice", trailers: twice(status) },
  "status in headers": { about: "sends the status in the headers, too", head: set(status, () => "0") },
  "status 00": { about: "writes the status with zeros before it", trailers: set(status, (old) => `0${old}`) },
  "status 17": { about: "invents a status", trailers: set(status, () => "17") },
  "http 202": {
    about: "answers with HTTP status 202",
    head: set(
      () => ":status",
      () => "202",
    ),
  },
  "text/plain": {
    about: "has another content type",
    head: set(
      () => "content-type",
      () => "text/plain",
    ),
  },
  "ends with data": { about: "ends with DATA and without trailers", endsWithData: true },
  "three sections": {
    about: "sends its trailers twice",
    sends: (frame) =>
      frame.type === "HEADERS" && Array.isArray(frame.flags) && frame.flags.includes("END_STREAM")
        ? [{ ...frame, flags: ["END_HEADERS"] }, frame]
        : [frame],
  },
  "pseudo-fields": { about: "has :status in its trailers", trailers: (fields) => [[":status", "200"], ...fields] },
  "reserved flags": { about: "sets a reserved flag", envelope: (octets) => Uint8Array.from([octets[0]! | 4, ...octets.subarray(1)]) },
  "always compressed": {
    about: "says that its messages are compressed",
    envelope: (octets) => Uint8Array.from([1, ...octets.subarray(1)]),
  },
  "half messages": { about: "sends the beginning of another message", envelope: (octets) => Uint8Array.from([...octets, 0, 0]) },
  padded: {
    about: "pads binary values",
    head: (fields) => fields.map((one) => (isBinary(one) ? [one[0], `${one[1]}=`] : one)),
    trailers: (fields) => fields.map((one) => (isBinary(one) ? [one[0], `${one[1]}=`] : one)),
  },
  "raw octets": {
    about: "sends binary values as they are",
    head: (fields) => fields.map((one) => (isBinary(one) ? [one[0], Buffer.from(one[1], "base64").toString("latin1")] : one)),
    trailers: (fields) => fields.map((one) => (isBinary(one) ? [one[0], "\u00ff!"] : one)),
  },
  "raw messages": {
    about: "does not encode status messages",
    trailers: set(
      (names) => names("message"),
      (old) => (old === undefined ? undefined : decodeURIComponent(old.replaceAll(/%(?![0-9A-F]{2})/g, "%25"))),
    ),
  },
  "small digits": {
    about: "encodes with a to f",
    trailers: set(
      (names) => names("message"),
      (old) => old?.replaceAll(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()),
    ),
  },
  "no message": {
    about: "sends no status message",
    trailers: set(
      (names) => names("message"),
      () => undefined,
    ),
  },
  "no metadata": { about: "sends no metadata", head: without((one) => !isOwn(one)), trailers: without((one) => !isOwn(one)) },
  "sees no metadata": { about: "hands no metadata to handlers", metadata: () => [] },
  "last values": { about: "keeps the last value of a name", metadata: (all) => [...new Map(all)] },
  reversed: { about: "reverses values", metadata: (all) => all.toReversed() },
  "no deadline": { about: "knows no deadlines", left: () => undefined },
  "deadline now": { about: "takes each call for nearly over", left: () => 1 },
  "deadline always": { about: "has a deadline for every call", left: (ms) => ms ?? 1000 },
  "resets late": { about: "resets each stream with an error after its answer", resetsLate: true },
  "one by one": { about: "serves calls one after the other", oneByOne: true },
  collects: { about: "sends all responses at the end", collects: true },
  "whole answers": { about: "never sends trailers alone", wholeAnswers: true },
  "fate unknown": { about: "knows nothing of calls", fate: () => ({ state: "unknown", requests: 0 }) },
  ...STANDARD_FLAWS,
  "no pings": { about: "answers no PING", sends: (frame) => (frame.type === "PING" ? [] : [frame]) },
};
