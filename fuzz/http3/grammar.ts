import { build } from "../../conformance/wire/http3/build.ts";
import type { FrameSpec, Width } from "../../conformance/wire/http3/frame-spec.ts";
import { FRAMES, type FrameName } from "../../conformance/wire/http3/numbers.ts";
import { varint } from "../../conformance/wire/http3/varint.ts";
import { decoded, insert } from "../../conformance/wire/qpack/build.ts";
import type { Rng } from "../lib/mutate.ts";

/** The streams of a sequence by name: requests and other unidirectional streams are numbered as they begin. */
export type StreamName = "control" | "encoder" | "decoder" | `request ${number}` | `other ${number}`;

/** Octets on a stream, possibly malformed, with their description. The first octets of the three critical streams follow their type. */
export type Piece = {
  readonly words: string;
  readonly on: StreamName;
  readonly hex: string;
  /** The stream ends with them. */
  readonly end?: true;
  /** In place of octets: the stream is reset with this code. */
  readonly reset?: number;
};

const pick = (rng: Rng, below: number): number => Math.floor(rng() * below);
const oneOf = <Item>(rng: Rng, items: readonly [Item, ...Item[]]): Item => items[pick(rng, items.length)] ?? items[0];
const H3_REQUEST_CANCELLED = 0x10c;
/** Types that exist to be ignored (rfc9114#7.2.8). */
const reserved = (rng: Rng): number => 0x21 + 0x1f * pick(rng, 1_000);

/** A frame, or other octets, before they are written. */
type Draft = {
  readonly on: StreamName;
  readonly spec?: FrameSpec;
  readonly octets?: Uint8Array;
  readonly note: string;
  readonly end?: true;
  readonly reset?: number;
};

/** What the sequence so far allows. */
type Situation = {
  readonly authority: string;
  readonly path: string;
  requests: number;
  others: number;
  open: StreamName[];
  maxPush: number;
  lastPush: number;
};

const requestFields = (method: string, { authority, path }: Situation): FrameSpec => ({
  type: "HEADERS",
  fields: [
    [":method", method],
    [":scheme", "https"],
    [":authority", authority],
    [":path", path],
  ],
});

/** What is legal at this point. */
function legal(rng: Rng, s: Situation): Draft[] {
  const frame = (on: StreamName, spec: FrameSpec, end?: true): Draft => ({ on, spec, note: "", ...(end && { end }) });
  const begin = (isWhole: boolean): Draft[] => {
    const on: StreamName = `request ${s.requests++}`;
    if (!isWhole) s.open.push(on);
    return [frame(on, requestFields(isWhole ? "GET" : "POST", s), isWhole ? true : undefined)];
  };
  const open = s.open[pick(rng, s.open.length)];
  const close = (): void => {
    s.open = s.open.filter((one) => one !== open);
  };
  switch (pick(rng, 13)) {
    case 0:
    case 1:
      return begin(true);
    case 2:
      return begin(false);
    case 3: {
      if (open === undefined) return begin(false);
      const isLast = pick(rng, 3) === 0;
      if (isLast) close();
      return [frame(open, { type: "DATA", data: pick(rng, 40) }, isLast ? true : undefined)];
    }
    case 4:
      if (open === undefined) return begin(false);
      close();
      return [frame(open, { type: "HEADERS", fields: [["x-trailer", "1"]] }, true)];
    case 5:
      if (open === undefined) return begin(false);
      close();
      return [{ on: open, note: "", reset: H3_REQUEST_CANCELLED }];
    case 6:
      return [frame(open ?? "control", { type: reserved(rng), hex: "aa".repeat(pick(rng, 9)) })];
    case 7:
      s.maxPush += pick(rng, 5);
      return [frame("control", { type: "MAX_PUSH_ID", id: s.maxPush })];
    case 8:
      s.lastPush = Math.max(0, s.lastPush - pick(rng, 3));
      return [frame("control", { type: "GOAWAY", id: s.lastPush })];
    case 9:
      return [frame("control", { type: "PRIORITY_UPDATE", id: 4 * pick(rng, 4), text: `u=${pick(rng, 8)}` })];
    case 10: {
      const on: StreamName = `other ${s.others++}`;
      const type = reserved(rng);
      return [
        {
          on,
          octets: Uint8Array.from([...varint(type), ...new Uint8Array(pick(rng, 9))]),
          note: `a stream of type 0x${type.toString(16)}`,
        },
      ];
    }
    case 11:
      return [{ on: "encoder", octets: insert.capacity(0), note: "a table of 0 octets" }];
    default:
      return [{ on: "decoder", octets: decoded.cancel(4 * pick(rng, 4)), note: "a cancellation" }];
  }
}

const WIDTHS: readonly [Width, ...Width[]] = [2, 4, 8];

/** The draft with one change. It may still be legal: the oracle decides. */
function twist(rng: Rng, draft: Draft, s: Situation): Draft {
  const { spec } = draft;
  const places: readonly [StreamName, ...StreamName[]] = ["control", "request 0", `request ${s.requests}`, "encoder", "decoder"];
  switch (pick(rng, 10)) {
    case 0:
      return { ...draft, on: oneOf(rng, places) };
    case 1:
      return { ...draft, end: true };
    case 2:
      return { on: draft.on, spec: { type: "SETTINGS", settings: [[oneOf(rng, [0, 2, 3, 4, 5, 0x21, 6]), pick(rng, 3)]] }, note: "" };
    case 3:
      return { on: oneOf(rng, places), spec: { type: oneOf(rng, [2, 6, 8, 9]), hex: "00".repeat(pick(rng, 9)) }, note: "" };
    case 4:
      return {
        on: oneOf(rng, places),
        spec: { type: oneOf<FrameName>(rng, ["CANCEL_PUSH", "PUSH_PROMISE", "GOAWAY", "MAX_PUSH_ID"]), id: pick(rng, 4) },
        note: "",
      };
    case 5: {
      const type = oneOf(rng, [0, 1, 2, 3]);
      return {
        on: `other ${s.others++}`,
        octets: Uint8Array.from([type, ...new Uint8Array(pick(rng, 3))]),
        note: `another stream of type ${type}`,
        ...(rng() < 0.3 && { end: true }),
      };
    }
    case 6:
      return oneOf<Draft>(rng, [
        { on: "encoder", octets: insert.capacity(2 ** 30), note: "a table that is too large" },
        { on: "encoder", octets: insert.duplicate(40), note: "a copy of an entry that is not there" },
        { on: "encoder", octets: insert.dynamicName(9, "x"), note: "an insertion with a name that is not there" },
        { on: "decoder", octets: decoded.increment(0), note: "an increment of 0" },
      ]);
    default:
  }
  if (spec === undefined) return { ...draft, end: true };
  const length = octetsOf(draft).length - (typeof spec.type === "number" && spec.type >= 64 ? 3 : 2);
  switch (pick(rng, 4)) {
    case 0:
      return { ...draft, spec: { ...spec, length: Math.max(0, length + oneOf(rng, [-2, -1, 1, 2, 40])) } };
    case 1:
      return { ...draft, spec: { ...spec, width: oneOf(rng, WIDTHS) } };
    case 2:
      return { ...draft, spec: { ...spec, hex: `${spec.hex ?? ""}${"00".repeat(1 + pick(rng, 3))}` } };
    default: {
      const type = oneOf<FrameName>(rng, ["DATA", "HEADERS", "CANCEL_PUSH", "SETTINGS", "GOAWAY", "MAX_PUSH_ID", "PRIORITY_UPDATE"]);
      return { ...draft, spec: { ...spec, type } };
    }
  }
}

const octetsOf = ({ spec, octets }: Draft): Uint8Array =>
  octets ?? (spec === undefined ? new Uint8Array(0) : build(spec, { text: (value) => value }));

function piece(draft: Draft, twisted: string): Piece {
  const { on, spec, note, end, reset } = draft;
  const octets = octetsOf(draft);
  const name =
    spec === undefined
      ? note
      : `${typeof spec.type === "number" ? `type 0x${spec.type.toString(16)}` : `${spec.type} (0x${FRAMES[spec.type].toString(16)})`} of ${octets.length} octets`;
  const words =
    reset === undefined ? `${on}: ${name}${end ? ", then its end" : ""}${twisted}` : `${on}: reset with 0x${reset.toString(16)}${twisted}`;
  return { words, on, hex: Buffer.from(octets).toString("hex"), ...(end && { end }), ...(reset !== undefined && { reset }) };
}

/** A sequence that begins with the control stream and SETTINGS. In half of the sequences one piece is twisted; the others are legal. */
export function sequence(rng: Rng, authority: string, path: string): Piece[] {
  const s: Situation = { authority, path, requests: 0, others: 0, open: [], maxPush: 0, lastPush: 8 };
  const first: Draft = {
    on: "control",
    spec: { type: "SETTINGS", settings: rng() < 0.5 ? [] : [["MAX_FIELD_SECTION_SIZE", 65_536]] },
    note: "",
  };
  const drafts = [first, ...Array.from({ length: 1 + pick(rng, 10) }, () => legal(rng, s)).flat()];
  const wrong = rng() < 0.5 ? pick(rng, drafts.length) : -1;
  return drafts.map((draft, at) => (at === wrong ? piece(twist(rng, draft, s), " (twisted)") : piece(draft, "")));
}
