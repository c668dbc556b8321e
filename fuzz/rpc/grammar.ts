import type { FieldSpec, MessageSpec, Step } from "../../conformance/rpc/vocabulary.ts";
import type { Method } from "../../conformance/wire/rpc/contract.ts";
import type { Described } from "../lib/network.ts";
import type { Rng } from "../lib/mutate.ts";

/** Calls to the conformance service in pieces: legal most of the time, with one mistake now and then. */

/** A call, a field of its head, messages of it, its end by the client, or its reset. `of` is the call; calls of one sequence share a connection. */
export type Piece = Described & { readonly of: number } & (
    | { readonly do: "open"; readonly method: Method; readonly path?: string }
    | { readonly do: "field"; readonly field: FieldSpec }
    | { readonly do: "say"; readonly messages: readonly MessageSpec[]; readonly cut?: number; readonly pad?: number; readonly empty?: true }
    | { readonly do: "end" }
    | { readonly do: "reset" }
  );

const MOST_CALLS = 4;
const METHODS = ["Unary", "ClientStream", "ServerStream", "BidiStream"] as const;

const pick = <Of>(rng: Rng, of: readonly [Of, ...Of[]]): Of => of[Math.floor(rng() * of.length)] ?? of[0];
const one = (rng: Rng, chance: number): boolean => rng() < chance;

/** Two binary values in one field. */
const BINARY_LIST: FieldSpec = ["x-touch-bin", "AA,Bw"];
/** Fields that no server may mind. */
const FIELDS: readonly [FieldSpec, ...FieldSpec[]] = [
  ["{rpc}-timeout", "99999999H"],
  ["{rpc}-timeout", "20S"],
  ["{rpc}-timeout", "30000000u"],
  ["{rpc}-accept-encoding", "identity"],
  ["{rpc}-accept-encoding", "x-touchstone,gzip"],
  ["{rpc}-encoding", "identity"],
  ["user-agent", "touchstone-fuzz"],
  ["x-touch-1", "a value, with  signs;=%"],
  ["x-touch-bin", "AAEC"],
  ["x-touch-bin", "AAEC/w=="],
  BINARY_LIST,
  ["content-type", "application/{rpc}+proto"],
];
const PATHS = ["/touchstone.conformance.v1.Conformance/unary", "/touchstone.conformance.v1.Nothing/Unary", "/x"] as const;
const TYPES = ["text/plain", "application/json"] as const;

/** The head of a call: its path, then its fields, each of its own name. */
function headOf(rng: Rng, of: number): readonly [Extract<Piece, { do: "open" }>, ...Piece[]] {
  const path = one(rng, 0.04) ? pick(rng, PATHS) : undefined;
  const method = one(rng, 0.03) ? "Missing" : pick(rng, METHODS);
  const fields = new Map<string, FieldSpec>();
  for (let left = Math.floor(rng() * 4); left > 0; left--) {
    const field = pick(rng, FIELDS);
    fields.set(field[0], field);
  }
  if (one(rng, 0.25)) fields.set("{rpc}-encoding", ["{rpc}-encoding", one(rng, 0.85) ? "gzip" : "x-touchstone"]);
  if (one(rng, 0.04)) fields.set("content-type", ["content-type", pick(rng, TYPES)]);
  return [
    { words: `call ${of}: ${path ?? method}`, of, do: "open", method, ...(path === undefined ? {} : { path }) },
    ...[...fields.values()].map((field): Piece => ({ words: `call ${of}: ${field[0]}: ${field[1]}`, of, do: "field", field })),
  ];
}

/** Messages that break a rule of their own. */
const MISTAKES: readonly [MessageSpec, ...MessageSpec[]] = [
  { flags: 2 },
  { flags: 0x80 },
  { flags: 3 },
  { flags: 1 },
  { hex: "ff" },
  { hex: "0a05aa" },
  { length: 0xff_ff_ff_ff },
  { length: 9_000 },
  { keep: 3 },
  { keep: 7 },
  { compress: "raw deflate" },
];
const STATUSES = 17;
/** All calls together stay within the first window of the connection (RFC 9113, 6.9.2). */
const MOST_OCTETS = 1_500;

function message(rng: Rng): MessageSpec {
  if (one(rng, 0.08)) return pick(rng, MISTAKES);
  const compress = one(rng, 0.15) ? ({ compress: "gzip" } as const) : {};
  if (one(rng, 0.1)) return { ...compress, size: Math.floor(rng() * MOST_OCTETS) };
  const plan = one(rng, 0.3)
    ? {
        plan: {
          responses: Math.floor(rng() * 4),
          ...(one(rng, 0.4) ? { status: Math.floor(rng() * STATUSES), message: pick(rng, ["", "no", "ü %"]) } : {}),
        },
      }
    : {};
  return { ...compress, ...plan, payload: pick(rng, ["", "a", "touch", "stone".repeat(30)]) };
}

const messageInWords = (spec: MessageSpec): string => JSON.stringify(spec).replaceAll('"', "");

function say(rng: Rng, of: number, count: number): Piece {
  const messages = Array.from({ length: count }, () => message(rng));
  // One way at a time: thousands of tiny frames may pass for a flood.
  const way = rng();
  const cut = way < 0.3 ? 1 + Math.floor(rng() * 12) : undefined;
  const pad = way > 0.9 ? Math.floor(rng() * 256) : undefined;
  const isEmpty = way > 0.8 && way < 0.9;
  const how = [
    ...(cut === undefined ? [] : [`in DATA frames of ${cut} octets`]),
    ...(pad === undefined ? [] : [`padded with ${pad} octets`]),
    ...(isEmpty ? ["with empty DATA frames"] : []),
  ];
  return {
    words: `call ${of}: ${[...messages.map(messageInWords), ...how].join(", ")}`,
    of,
    do: "say",
    messages,
    ...(cut === undefined ? {} : { cut }),
    ...(pad === undefined ? {} : { pad }),
    ...(isEmpty ? { empty: true } : {}),
  };
}

export const hasOneRequest = (method: Method): boolean => method === "Unary" || method === "ServerStream";

/** The pieces of one call in order. A method with one request has one message, most of the time. */
function callOf(rng: Rng, of: number): Piece[] {
  const head = headOf(rng, of);
  const isSingle = hasOneRequest(head[0].method);
  const isRight = one(rng, 0.95);
  const parts = isSingle && isRight ? [1] : Array.from({ length: Math.floor(rng() * 3) }, () => 1 + Math.floor(rng() * 3));
  const last: Piece = one(rng, 0.06)
    ? { words: `call ${of}: RST_STREAM`, of, do: "reset" }
    : { words: `call ${of}: END_STREAM`, of, do: "end" };
  return [...head, ...parts.map((count) => say(rng, of, count)), last];
}

/** Up to four calls on one connection, whose pieces are mixed. */
export function sequence(rng: Rng): Piece[] {
  const calls = Array.from({ length: 1 + Math.floor(rng() * MOST_CALLS) }, (_, at) => callOf(rng, at + 1));
  const pieces: Piece[] = [];
  for (let left = calls.filter((call) => call.length > 0); left.length > 0; left = left.filter((call) => call.length > 0)) {
    const next = left[Math.floor(rng() * left.length)]?.shift();
    if (next !== undefined) pieces.push(next);
  }
  return pieces;
}

/** A call as it is performed: the number of its stream, its head, its messages, and whether we reset it. */
export type Call = {
  readonly of: number;
  readonly method: Method;
  readonly path: string | undefined;
  readonly stream: number;
  readonly fields: readonly FieldSpec[];
  readonly messages: readonly MessageSpec[];
  /** Legal, but not read by every peer. */
  readonly rare: readonly Rare[];
  readonly isReset: boolean;
};
export type Rare = "binary list" | "padding";

/**
 * The calls of a sequence and the steps that perform it. Pieces may be missing: what belongs to a call that is not opened, or is over,
 * is left out, and a call that nothing ends is ended.
 */
export function performed(pieces: readonly Piece[]): { readonly calls: readonly Call[]; readonly steps: readonly Step[] } {
  const calls = new Map<number, Call & { readonly isOver: boolean }>();
  const steps: Step[] = [];
  for (const piece of pieces) {
    const known = calls.get(piece.of);
    if (piece.do === "open" && known === undefined) {
      const stream = 1 + 2 * calls.size;
      const { of, method, path } = piece;
      const fields = pieces.flatMap((other) => (other.do === "field" && other.of === of ? [other.field] : []));
      const rare = fields.some(([name, value]) => name === BINARY_LIST[0] && value === BINARY_LIST[1]) ? (["binary list"] as const) : [];
      calls.set(of, { of, method, path, stream, fields, messages: [], rare, isReset: false, isOver: false });
      const { "content-type": type, ...more } = Object.fromEntries(fields) as Readonly<Record<string, string>>;
      steps.push({
        do: "call",
        call: stream,
        method,
        ...(path === undefined ? {} : { path }),
        ...(type === undefined ? {} : { replace: { "content-type": type } }),
        fields: Object.entries(more),
      });
    }
    if (known === undefined || known.isOver) continue;
    const { stream: call } = known;
    if (piece.do === "say") {
      const { messages, cut, pad, empty } = piece;
      const isNew = pad !== undefined && !known.rare.includes("padding");
      calls.set(piece.of, {
        ...known,
        messages: [...known.messages, ...messages],
        rare: [...known.rare, ...(isNew ? (["padding"] as const) : [])],
      });
      const how = {
        ...(cut === undefined ? {} : { cut }),
        ...(pad === undefined ? {} : { pad }),
        ...(empty === undefined ? {} : { empty }),
      };
      steps.push({ do: "say", call, messages, ...how });
    } else if (piece.do === "end" || piece.do === "reset") {
      calls.set(piece.of, { ...known, isOver: true, isReset: piece.do === "reset" });
      steps.push(piece.do === "end" ? { do: "end", call } : { do: "reset", call, code: "CANCEL" });
    }
  }
  for (const { stream, isOver } of calls.values()) if (!isOver) steps.push({ do: "end", call: stream });
  return { calls: [...calls.values()], steps };
}
