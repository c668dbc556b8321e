import { reading, type Rule, type Source, writing } from "./craft.ts";

const FORM: readonly [Rule] = ["rpc-http2#requests/content-type-form"];
const OTHER: readonly [Rule] = ["rpc-http2#requests/content-type-415"];
const PUSH: readonly [Rule] = ["rpc-retries#pushback/form"];
const STOP: readonly [Rule] = ["rpc-retries#pushback/stop"];
const STRICT: readonly [Rule] = ["rpc-retries#pushback/strict"];
const CHOICE: readonly [Rule, Rule] = ["rpc-compression#asymmetry/not-supported", "rpc-http2#requests/encoding-names"];

const format = (text: string, name: string, note: string) =>
  reading("content-type", text, { note, rules: FORM, messages: [{ format: name }], flag: "Format" });
const foreign = (text: string, note: string) =>
  reading("content-type", text, { note, rules: OTHER, fault: "contentTypeForeign", flag: "Foreign" });
/** The grammar has no parameters: they may be refused, or belong to the format. */
const open = (text: string, name: string, note: string, ...others: readonly string[]) => {
  const or = others.map((other) => ({ messages: [{ format: other }], by: "rpc-http2#requests" as const }));
  return reading("content-type", text, { note, rules: FORM, messages: [{ format: name }], ...(or.length === 0 ? {} : { or }), by: "rpc-http2#requests", flag: "Open" });
};

export const contentTypes: Source = {
  kind: "rpc-read",
  about: "content types of requests: the format of the messages, or 415",
  spec: "rpc-http2#requests",
  flags: {
    Format: { why: "the content type of the protocol", bug: "TOO_STRICT" },
    Foreign: { why: "another content type", bug: "MISSING_CHECK" },
    Open: { why: "a content type that begins with that of the protocol", bug: "TOO_STRICT" },
  },
  vectors: [
    format("application/rpc", "proto", "the content type alone"),
    format("application/rpc+proto", "proto", "protocol buffers"),
    format("application/rpc+json", "json", "JSON"),
    format("application/rpc+x-own", "x-own", "a format of one's own"),
    foreign("", "no content type"),
    foreign("application/json", "JSON without the protocol"),
    foreign("application/octet-stream", "octets"),
    foreign("text/html; charset=utf-8", "a page"),
    foreign("application/proto", "protocol buffers without the protocol"),
    foreign("text/application/rpc", "the content type inside another"),
    foreign("application/rp", "the first letters of the content type"),
    foreign("application/grpc", "the content type of the other dialect"),
    open("application/rpc;charset=utf-8", "proto", "a parameter", "charset=utf-8"),
    open("application/rpc+json; a=b", "json", "a format and a parameter", "json; a=b"),
    open("Application/RPC+Proto", "proto", "capitals"),
  ],
};

const push = (text: string, ms: number, note: string) => reading("push-back", text, { note, rules: PUSH, messages: [{ ms }], flag: "Wait" });
/** It begins with digits: a lenient parser reads a number. */
const halfway = (text: string, note: string) => reading("push-back", text, { note, rules: STRICT, messages: [{ ms: null }], flag: "Stop" });
const stop = (text: string, note: string, or?: number) =>
  reading("push-back", text, { note, rules: STOP, messages: [{ ms: null }], ...(or === undefined ? {} : { or: [{ messages: [{ ms: or }], by: "rpc-retries#pushback" as const }] }), flag: "Stop" });

export const pushBacks: Source = {
  kind: "rpc-read",
  about: "push-backs: how long to wait before the next attempt, or null for no other attempt",
  spec: "rpc-retries#pushback",
  flags: {
    Wait: { why: "milliseconds to wait", bug: "MISREAD_NUMBER" },
    Stop: { why: "no further attempt", bug: "RETRIED" },
  },
  vectors: [
    push("0", 0, "zero"),
    push("1", 1, "one millisecond"),
    push("250", 250, "a quarter of a second"),
    push("60000", 60_000, "a minute"),
    push("2147483647", 2_147_483_647, "the largest number of 32 bits"),
    stop("-1", "a negative number"),
    stop("-2147483648", "the smallest number of 32 bits"),
    stop("", "nothing"),
    stop("soon", "a word"),
    halfway("1s", "a unit"),
    halfway("1.5", "a fraction"),
    halfway("1,2", "two numbers"),
    halfway("0x10", "hexadecimal digits"),
    halfway("99999999999999999999", "twenty digits"),
    stop("2147483648", "a number above 32 bits", 2_147_483_648),
    stop("010", "a leading zero", 10),
    stop("+1", "a plus sign", 1),
  ],
};

const choice = (wanted: string, accepts: string | null, encoding: string, note: string) => {
  const or = encoding === "identity" ? {} : { or: [{ messages: [{ encoding: "identity" }], by: "rpc-compression#specification" as const }] };
  return writing("encoding", { wanted, accepts }, { note, rules: CHOICE, messages: [{ encoding }], ...or, flag: "Choice" });
};

export const encodings: Source = {
  kind: "rpc-write",
  about: "the encoding of a message that an application wants compressed, for a peer that accepts these",
  spec: "rpc-compression#asymmetry",
  flags: { Choice: { why: "an encoding that the peer accepts", bug: "NOT_ACCEPTED" } },
  vectors: [
    choice("gzip", "identity,deflate,gzip", "gzip", "the last of a list"),
    choice("gzip", "gzip,identity", "gzip", "the first of a list"),
    choice("gzip", "identity, gzip", "gzip", "a list with spaces"),
    choice("gzip", "gzip", "gzip", "a list of one"),
    choice("deflate", "identity,deflate,gzip", "deflate", "another encoding of a list"),
    choice("gzip", "identity,deflate", "identity", "a list without it"),
    choice("gzip", "identity", "identity", "a peer that accepts identity only"),
    choice("gzip", "identity,xgzip,gzip2", "identity", "names that contain it"),
    choice("deflate", "gzip", "identity", "a list with another encoding alone"),
    choice("identity", "identity,gzip", "identity", "no compression wanted"),
    writing("encoding", { wanted: "gzip", accepts: null }, { note: "a peer that does not say", rules: CHOICE, messages: [{ encoding: "identity" }], or: [{ messages: [{ encoding: "gzip" }], by: "rpc-compression#asymmetry" }], flag: "Choice" }),
  ],
};
