import { inDialect, type Asked } from "../../../vectors/rpc/question.ts";
import { answerTo, type Reading } from "../../../vectors/rpc/read.ts";
import type { Told } from "../../../vectors/rpc/source/craft.ts";
import { answerLines } from "../../harness/impostors/codec-lines.ts";
import { firstSteps } from "../cases/codec/twins.ts";

/**
 * RPC codecs that are wrong on purpose: `node conformance/rpc/impostors/codec.ts NAME`. Each is ours with one mistake: it misses a fault, or
 * reads or writes valid input wrong.
 */

type Request = { readonly id: number } & Asked;
type Flaw = {
  readonly about: string;
  /** Faults that it misses. */
  readonly takes?: RegExp;
  /** Whether it is wrong about the controls, too. */
  readonly always?: true;
  /** What it answers instead; undefined for the right answer. */
  readonly answers?: (request: Request, right: Reading) => Reading | undefined;
};

/** A request, but for the side that reads. */
const textOf = ({ side: _side, ...asked }: Readonly<Record<string, unknown>>): string => JSON.stringify(asked);
/** The controls, and the first questions of the driver. */
const PLAIN: ReadonlySet<string> = new Set(Object.values(firstSteps("rpc")).map(({ do: op, ...asked }) => textOf({ op, ...asked })));
const isPlain = ({ id: _id, ...asked }: Request): boolean => PLAIN.has(textOf(asked));

const one = (told: Told): Reading => ({ messages: [told] });
const no: Reading = { messages: [], error: "no" };
/** A mistake in reading or writing one kind of value. */
const of =
  (
    op: "rpc-read" | "rpc-write",
    what: string,
    answer: (given: never, right: Reading) => Reading | undefined,
  ): NonNullable<Flaw["answers"]> =>
  (request, right) =>
    request.op === op && request.of === what ? answer(request.given as never, right) : undefined;
/** A mistake in every message of streams. */
const messages =
  (change: (octets: string, request: Request & { op: "rpc-messages" }) => string): NonNullable<Flaw["answers"]> =>
  (request, right) =>
    request.op === "rpc-messages"
      ? { ...right, messages: right.messages.map(({ octets }) => ({ octets: change(String(octets), request) })) }
      : undefined;
/** The answer to each DATA frame as if it were a stream. */
function frameByFrame(request: Request): Reading | undefined {
  if (request.op !== "rpc-messages") return undefined;
  const read = request.cuts.map((cut) => answerTo({ ...request, cuts: [cut] }));
  return { messages: read.flatMap((reading) => reading.messages) };
}

export const RPC_CODEC_FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: { about: "accepts everything", takes: /./ },
  refuses: { about: "refuses everything, the first question too", always: true, answers: () => no },
  timid: { about: "reads and writes only the plainest input", answers: () => no },
  garbles: {
    about: "answers something else to everything",
    answers: (_, { error }) =>
      error === undefined
        ? one({
            octets: "ee",
            nanoseconds: "5000000000000000",
            text: "garbled",
            format: "garbled",
            code: 99,
            ms: 5,
            encoding: "garbled",
            name: "g",
            value: "g",
          })
        : undefined,
  },

  "frame-by-frame": { about: "treats each DATA frame as whole messages", answers: frameByFrame },
  "ignores-flags": { about: "ignores reserved flags", takes: /^flagsReserved$/ },
  "any-end": { about: "accepts the end of a stream inside a message", takes: /^messageCutShort$/ },
  "no-limit": { about: "has no limit for messages", takes: /TooLarge$/ },
  "limit-before": { about: "counts messages only as they were sent", takes: /^inflatedTooLarge$/ },
  "wrong-status": {
    about: "refuses with UNKNOWN",
    answers: (_, right) => (right.code === undefined ? undefined : { ...right, code: 2 }),
  },
  "any-flag": { about: "accepts the compressed flag without an encoding", takes: /^flagWithoutEncoding$/ },
  "any-encoding": { about: "accepts messages in any encoding", takes: /EncodingUnknown$/ },
  "any-data": { about: "ignores data that does not decompress", takes: /^compressionInvalid$/ },
  "always-compressed": {
    about: "takes uncompressed messages on a stream with an encoding for compressed ones",
    answers: (request, right) => (request.op === "rpc-messages" && request.encoding !== undefined && !right.error ? no : undefined),
  },
  "cuts-messages": { about: "loses the last octet of messages", answers: messages((octets) => octets.slice(0, -2)) },

  seconds: {
    about: "reads every timeout in seconds",
    answers: of("rpc-read", "timeout", (given: string) => one({ nanoseconds: `${Number.parseInt(given, 10)}000000000` })),
  },
  "any-timeout": { about: "accepts every timeout", takes: /^timeoutInvalid$/ },
  "long-timeouts": {
    about: "writes all timeouts in nanoseconds",
    answers: of("rpc-write", "timeout", (given: string) => one({ text: `${given}n` })),
  },
  "whole-hours": {
    about: "writes all timeouts in hours",
    answers: of("rpc-write", "timeout", (given: string) => one({ text: `${Math.ceil(Number(given) / 3.6e12)}H` })),
  },

  "plus-is-space": {
    about: "reads a plus sign as a space",
    answers: of("rpc-read", "message", (given: string, { messages: [right] }) =>
      one({ text: given.includes("+") ? String(right?.["text"]).replaceAll("+", " ") : right?.["text"] }),
    ),
  },
  "raw-messages": {
    about: "reads and writes status messages as they are",
    answers: (request) => ("of" in request && request.of === "message" ? one({ text: request.given }) : undefined),
  },
  "strict-messages": {
    about: "refuses status messages that are invalid",
    answers: of("rpc-read", "message", (given: string) => (isDecodable(given) ? undefined : no)),
  },
  "small-digits": {
    about: "writes hexadecimal digits in lower case",
    answers: of("rpc-write", "message", (_, { messages: [right] }) =>
      one({ text: String(right?.["text"]).replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()) }),
    ),
  },

  "first-value": {
    about: "reads only the first of several binary values",
    answers: of("rpc-read", "metadata", (given: readonly (readonly [string, string])[], right) =>
      given.some(([name, value]) => name.endsWith("-bin") && value.includes(","))
        ? { ...right, messages: right.messages.slice(0, 1) }
        : undefined,
    ),
  },
  padded: {
    about: "reads binary values only with padding",
    answers: of("rpc-read", "metadata", (given: readonly (readonly [string, string])[]) =>
      given.some(([name, value]) => name.endsWith("-bin") && value.length % 4 > 0) ? no : undefined,
    ),
  },
  unpadded: {
    about: "reads binary values only without padding",
    answers: of("rpc-read", "metadata", (given: readonly (readonly [string, string])[]) =>
      given.some(([, value]) => value.includes("=")) ? no : undefined,
    ),
  },
  "any-base64": { about: "accepts every binary value", takes: /^binaryInvalid$/ },
  "reversed-values": {
    about: "loses the order of values",
    answers: of("rpc-read", "metadata", (_, right) => ({ ...right, messages: right.messages.toReversed() })),
  },
  "strict-text": {
    about: "refuses text that it does not like",
    answers: of("rpc-read", "metadata", (given: readonly (readonly [string, string])[]) =>
      given.some(([name, value]) => !name.endsWith("-bin") && !/^[!-~](?:[ -~]*[!-~])?$/.test(value)) ? no : undefined,
    ),
  },
  "raw-octets": {
    about: "writes octets in hexadecimal",
    answers: of("rpc-write", "metadata", (given: readonly Told[]) => ({
      messages: given.map(({ name, text, octets }) => ({ name, value: text ?? octets })),
    })),
  },
  "any-metadata": { about: "writes metadata that cannot be sent", takes: /^misuse$/ },

  "all-ok": { about: "takes every call for a success", answers: of("rpc-read", "status", () => one({ code: 0 })) },
  "all-unknown": { about: "takes every call for UNKNOWN", answers: of("rpc-read", "status", () => one({ code: 2 })) },
  "http-first": {
    about: "prefers the HTTP status to the status",
    answers: of("rpc-read", "status", ({ http }: { http: number }) =>
      http === 200 ? undefined : answerTo({ op: "rpc-read", of: "status", dialect: "rpc", given: { http, fields: [] } }),
    ),
  },
  "all-internal": { about: "takes every reset for INTERNAL", always: true, answers: of("rpc-read", "reset", () => one({ code: 13 })) },
  "all-cancelled": { about: "takes every reset for CANCELLED", answers: of("rpc-read", "reset", () => one({ code: 1 })) },

  "any-content-type": { about: "accepts every content type", takes: /^contentTypeForeign$/ },
  "other-dialect": {
    about: "knows the content types of the other dialect",
    answers: of("rpc-read", "content-type", (given: string) =>
      answerTo({ op: "rpc-read", of: "content-type", dialect: "rpc", given: inDialect(given, "grpc") }),
    ),
  },
  "written-ok": {
    about: "writes every status as OK",
    answers: of("rpc-write", "status", (_, right) => ({
      messages: right.messages.map((one) => (String(one["name"]).endsWith("status") ? { ...one, value: "0" } : one)),
    })),
  },
  "written-next": {
    about: "writes the number after that of a status",
    answers: of("rpc-write", "status", (_, right) => ({
      messages: right.messages.map((one) =>
        String(one["name"]).endsWith("status") ? { ...one, value: String(Number(one["value"]) + 1) } : one,
      ),
    })),
  },
  "no-envelopes": {
    about: "writes messages without envelopes",
    answers: of("rpc-write", "stream", (given: readonly string[]) => one({ octets: given.length === 0 ? "0000000000" : given.join("") })),
  },
  "retries-at-once": { about: "retries whatever the server says", answers: of("rpc-read", "push-back", () => one({ ms: 0 })) },
  "never-retries": { about: "never retries", answers: of("rpc-read", "push-back", () => one({ ms: null })) },
  "any-choice": {
    about: "compresses as the application wants",
    answers: of("rpc-write", "encoding", ({ wanted }: { wanted: string }) => one({ encoding: wanted })),
  },
};

function isDecodable(value: string): boolean {
  try {
    return decodeURIComponent(value) !== "" || value === "";
  } catch {
    return false;
  }
}

function answer({ takes, always, answers }: Flaw, request: Request): Reading {
  const right = answerTo(request);
  if (right.error !== undefined && takes?.test(right.error) === true) return { messages: right.messages };
  return isPlain(request) && always === undefined ? right : (answers?.(request, right) ?? right);
}

if (import.meta.main) await answerLines(RPC_CODEC_FLAWS, answer);
