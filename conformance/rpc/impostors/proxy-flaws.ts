import { readEnvelopes } from "../../wire/rpc/envelopes.ts";
import type { Fields, ProxyFlaw } from "./proxy-flaw.ts";

/** Wrong proxies of calls, by name. */

const without =
  (pattern: RegExp) =>
  (fields: Fields): Fields =>
    fields.filter(([name]) => !pattern.test(name));
const replacing =
  (pattern: RegExp, value: (old: string) => string) =>
  (fields: Fields): Fields =>
    fields.map((field) => (pattern.test(field[0]) ? [field[0], value(field[1])] : field));
const reversed = (fields: Fields): Fields => [
  ...fields.filter(([name]) => name.startsWith(":")),
  ...fields.filter(([name]) => !name.startsWith(":")).toReversed(),
];
const sizeOf = (fields: Fields): number => fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
const SMALL = 4096;
const FEW_FIELDS = 30;
const LARGEST = 100_000;
const STATUS = /^(?:rpc|grpc)-status$/;
/** Only octets of the first message of each frame. */
const firstMessage = (octets: Uint8Array): Uint8Array => {
  const [first] = readEnvelopes(octets).messages;
  return first === undefined ? octets : octets.subarray(0, 5 + first.octets.length);
};
const wholeFrames = (octets: Uint8Array): Uint8Array => (readEnvelopes(octets).messages.length > 0 ? octets : octets.subarray(0, 0));
const short = (octets: Uint8Array, total: number): Uint8Array => (total > LARGEST ? octets.subarray(0, 0) : octets);
const unpacked = (octets: Uint8Array): Uint8Array => {
  if (octets[0] !== 1) return octets;
  const copy = Uint8Array.from(octets);
  copy[0] = 0;
  return copy;
};
const nothingEmpty = (octets: Uint8Array): Uint8Array => (octets.length === 5 ? octets.subarray(0, 0) : octets);

export const PROXY_FLAWS: Readonly<Record<string, ProxyFlaw>> = {
  lenient: { about: "keeps no limit, and checks no length" },
  silent: { about: "says nothing", mute: "silent" },
  slams: { about: "drops each connection", mute: "slams" },
  "rewrites paths": {
    about: "decodes paths, and adds a query",
    request: replacing(/^:path$/, (path) => `${path.replaceAll(/%7e|\/\//gi, "~")}?a`),
  },
  "decodes paths": { about: "decodes paths", request: replacing(/^:path$/, (path) => path.replaceAll(/%7e/gi, "~").replaceAll("//", "/")) },
  "has no authority": { about: "forwards no authority", request: without(/^:authority$/) },
  "names no type": {
    about: "replaces content types",
    request: replacing(/^content-type$/, () => "application/octet-stream"),
    response: replacing(/^content-type$/, () => "application/octet-stream"),
  },
  "names no format": {
    about: "shortens content types",
    request: replacing(/^content-type$/, (type) => type.replace(/\+.*/, "")),
    response: replacing(/^content-type$/, (type) => type.replace(/\+.*/, "")),
  },
  "drops te": { about: "drops te", request: without(/^te$/) },
  "names itself": { about: "sends its own user agent", request: replacing(/^user-agent$/, () => "proxy/1") },
  "keeps alive": { about: "sends Connection", request: (fields) => [...fields, ["connection", "keep-alive"]] },
  "drops metadata": { about: "passes no metadata", request: without(/^x[-_]/), response: without(/^x-/) },
  "drops odd names": { about: "drops names with underscores and dots", request: without(/[_.]/) },
  "reverses fields": { about: "reverses the order of fields", request: reversed, response: (fields) => reversed(fields) },
  "changes octets": {
    about: "changes binary values",
    request: replacing(/-bin$/, (value) => `AA${value}`),
    response: replacing(/-bin$/, (value) => `AA${value}`),
  },
  "drops empty values": { about: "drops fields without a value", request: (fields) => fields.filter(([, value]) => value !== "") },
  "wants small heads": {
    about: "refuses large header sections",
    request: (fields) => (sizeOf(fields) > SMALL ? 431 : fields),
    response: (fields) => (sizeOf(fields) > SMALL ? fields.filter(([, value]) => value.length < SMALL) : fields),
  },
  "wants few fields": { about: "passes some fields", request: (fields) => fields.slice(0, FEW_FIELDS) },
  "drops timeouts": { about: "drops timeouts", request: without(/-timeout$/) },
  "adds timeouts": { about: "adds timeouts", request: (fields) => [...fields, ["rpc-timeout", "1S"], ["grpc-timeout", "1S"]] },
  "drops encodings": { about: "drops encodings", request: without(/-encoding$/), response: without(/-encoding$/) },
  "encodes again": {
    about: "states a coding of its own",
    response: (fields, part) => (part === "headers" ? [...fields, ["content-encoding", "gzip"]] : fields),
  },
  "never ends requests": { about: "does not end requests", neverEnds: true },
  "reads frames as messages": { about: "drops frames without a whole message", up: wholeFrames, down: wholeFrames },
  "reads one message a frame": { about: "drops what follows a message in a frame", up: firstMessage, down: firstMessage },
  "ends at nothing": { about: "treats an empty frame as the end", emptyEnds: true },
  "drops empty messages": { about: "drops empty messages", up: nothingEmpty, down: nothingEmpty },
  "cuts large messages": { about: "drops what is beyond a size", up: short, down: short },
  "clears flags": { about: "clears the flags of messages", up: unpacked, down: unpacked },
  "collects requests": { about: "passes requests on at their end", collects: "request" },
  "collects responses": { about: "passes responses on at their end", collects: "response" },
  "waits for requests": { about: "passes responses on when the request has ended", waitsForRequest: true },
  "drops trailers": { about: "drops trailers", response: (fields, part) => (part === "trailers" ? undefined : fields) },
  "splits ends": { about: "makes two frames of trailers alone", splitsEnd: true },
  "says OK": { about: "replaces each status by OK", response: replacing(STATUS, () => "0") },
  "knows all statuses": {
    about: "replaces unknown statuses",
    response: replacing(STATUS, (status) => (Number(status) > 16 ? "2" : status)),
  },
  "drops messages of statuses": { about: "drops messages of statuses", response: without(/-message$/) },
  "decodes messages of statuses": {
    about: "decodes messages of statuses",
    response: replacing(/-message$/, (value) => value.replaceAll("%25", "%")),
  },
  "drops details": { about: "drops details of statuses", response: without(/-details-bin$/) },
  "drops interim responses": { about: "drops interim responses", response: (fields, part) => (part === "interim" ? undefined : fields) },
  "hides HTTP statuses": {
    about: "answers with 200 and OK instead of an HTTP status",
    response: (fields) =>
      fields.some(([name, value]) => name === ":status" && value.startsWith("5"))
        ? [
            [":status", "200"],
            ["rpc-status", "0"],
            ["grpc-status", "0"],
          ]
        : fields,
  },
  "adds trailers": { about: "adds trailers with OK", addsTrailers: true },
  "makes failures OK": { about: "ends failed responses with OK", onFailure: "ok" },
  "hangs on failures": { about: "keeps failed calls open", onFailure: "hang" },
  "repeats failures": { about: "sends failed calls again", onFailure: "again", repeatsUnavailable: true },
  "drops clients on failures": { about: "ends the connection of the client when a call fails", onFailure: "drop" },
  "ignores cancellation": { about: "does not pass resets on", onCancel: "nothing" },
  "ends what is cancelled": { about: "ends cancelled requests", onCancel: "end" },
  "drops clients that cancel": { about: "ends the connection of a client that cancels", onCancel: "drop" },
  "resets at GOAWAY": { about: "resets the calls of a connection with GOAWAY", onGoaway: "resets" },
  "ignores GOAWAY": { about: "uses a connection after GOAWAY", onGoaway: "stays" },
  "never redials": { about: "connects to the origin once", neverRedials: true },
  "answers itself": { about: "answers with OK what the origin does not answer", impatient: "ok" },
  "gives up soon": { about: "resets what is not answered at once", impatient: "reset" },
  "ignores windows": { about: "writes whatever the windows", ignoresWindows: true },
  "writes large frames": { about: "writes larger frames than both ends accept", ignoresFrameSize: true },
  "gets stuck": { about: "does not go on after a window was used up", stuck: true },
  "answers in order": { about: "passes responses on in the order of the calls", inOrder: true },
  "takes few calls": { about: "resets all but some calls", mostCalls: 8 },
};
