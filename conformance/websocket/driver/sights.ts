import { type Deciding, leaves } from "../../harness/connection/sights.ts";
import type { Values } from "../../wire/http1/build.ts";
import { fromHex, toHex } from "../../wire/octets.ts";
import { isNeverSent } from "../../wire/websocket/numbers.ts";
import { isUtf8, type ReadMessage } from "../../wire/websocket/read.ts";
import { hasFields, inClass } from "../../http1/driver/sights.ts";
import { type Told, toldIn } from "../telling.ts";
import type { PayloadSight, Sight, StatusSight } from "../vocabulary.ts";
import type { Conversation } from "./connection.ts";

/** What sights look at. */
export type View = {
  readonly conversation: (on: number) => Conversation | undefined;
  readonly conversations: readonly Conversation[];
  readonly values: (on: number) => Values;
  /** The fence was answered correctly: no more answers to earlier frames will arrive. */
  readonly fenced: boolean;
  /** The report of the subject's program about a connection, as JSON. */
  readonly report: (on: number) => string | undefined;
  /** What broke a property; undefined if it held. */
  readonly monitor: (name: string) => string | undefined;
};

const REFUSAL_STATUSES: StatusSight = ["4xx", "5xx"];
const PING = 9;
const PONG = 10;

const payloadIs = (payload: Uint8Array, { text, hex, fill }: PayloadSight): boolean => {
  if (text !== undefined) return Buffer.from(text, "utf8").equals(payload);
  if (hex !== undefined) return toHex(fromHex(hex)) === toHex(payload);
  return fill === undefined || Buffer.from(fill.text.repeat(fill.count), "utf8").equals(payload);
};

const same = (a: ReadMessage, b: ReadMessage): boolean => a.type === b.type && Buffer.from(a.payload).equals(b.payload);

/** Whether exactly the complete messages were echoed, in order. */
const isEchoed = ({ ours, theirs }: Conversation): boolean =>
  theirs.messages.length === ours.messages.length &&
  ours.messages.every((sent, at) => {
    const came = theirs.messages[at];
    return came !== undefined && same(sent, came);
  });

/** PONGs that do not answer a fence. */
export const pongsOf = ({ theirs, fences }: Conversation): Uint8Array[] =>
  theirs
    .of(PONG)
    .map(({ payload }) => payload)
    .filter((payload) => !fences.includes(Buffer.from(payload).toString("latin1")));

type CloseSight = Extract<Sight, { see: "Close frame" | "Close and end" }>;

function closeCame({ codes, echoes }: CloseSight, { theirs }: Conversation): boolean {
  const frame = theirs.close;
  if (frame === undefined || theirs.messages.length > (echoes ?? Number.POSITIVE_INFINITY)) return false;
  if (frame.reason !== undefined && !isUtf8(frame.reason)) return false;
  const code = frame.code ?? (frame.length === 0 ? "none" : undefined);
  // Unless it is named, no outcome permits a code that no Close frame has, such as half of another one (rfc6455#7.4).
  return code !== undefined && (codes === undefined ? code === "none" || !isNeverSent(code) : codes.includes(code));
}

const isTold = (told: Told | undefined, { code, reason, clean }: Partial<Told>): boolean =>
  told !== undefined &&
  told.code === (code ?? told.code) &&
  told.reason === (reason ?? told.reason) &&
  told.clean === (clean ?? told.clean);

/** The subject has ended a connection on which it sent no frame. */
const isLeft = (there: Conversation | undefined): boolean =>
  there?.ended !== undefined && there.theirs.frames.length === 0 && there.theirs.pending === 0;

/** Whether the basic sight has been seen. */
export function isSeen(sight: Sight, view: View): boolean {
  const there = view.conversation("on" in sight ? (sight.on ?? 1) : 1);
  switch (sight.see) {
    case "handshake": {
      const response = there?.response;
      if (response === undefined || !inClass(response.status, sight.status ?? [there?.opens ?? 101])) return false;
      return hasFields(response.fields, sight.fields, view.values(sight.on ?? 1));
    }
    case "handshake rejected": {
      const response = there?.response;
      if (response === undefined || there?.open === true || !inClass(response.status, sight.status ?? REFUSAL_STATUSES)) return false;
      return hasFields(response.fields, sight.fields, view.values(sight.on ?? 1));
    }
    case "message": {
      const message = there?.theirs.messages[(sight.nth ?? 1) - 1];
      if (message === undefined || (sight.type !== undefined && message.type !== sight.type)) return false;
      if (sight.compressed !== undefined && message.compressed !== sight.compressed) return false;
      return payloadIs(message.payload, sight);
    }
    case "messages":
      return (there?.theirs.messages.length ?? 0) >= sight.count;
    case "pong": {
      const pongs = there === undefined ? [] : pongsOf(there);
      return (sight.nth === undefined ? pongs : pongs.slice(sight.nth - 1, sight.nth)).some((payload) => payloadIs(payload, sight));
    }
    case "pongs":
      return there !== undefined && pongsOf(there).length === sight.count;
    case "pings":
      return (there?.theirs.of(PING).length ?? 0) >= sight.count;
    case "all echoed":
      return view.fenced && view.conversations.every(isEchoed);
    case "still open":
      return view.fenced;
    case "Close frame":
      return there !== undefined && closeCame(sight, there);
    case "Close and end":
      if (there?.ended === undefined || !closeCame(sight, there)) return false;
      return sight.reason === undefined || Buffer.from(sight.reason, "utf8").equals(there.theirs.close?.reason ?? new Uint8Array());
    case "closing handshake":
      return there?.ended !== undefined && there.ours.close !== undefined && closeCame({ ...sight, see: "Close and end" }, there);
    case "abnormal closure":
      // A client that ends the connection after us has not dropped it.
      if (there?.ended === undefined || there.endedFirst === false || there.theirs.close !== undefined) return false;
      return there.theirs.messages.length <= (sight.echoes ?? Number.POSITIVE_INFINITY) && there.response !== undefined;
    case "no response":
      return there?.ended !== undefined && there.response === undefined;
    case "handshake failed":
      return isLeft(there) && (there?.open !== true || there.endedFirst === true);
    case "handshake failed late":
      return isLeft(there);
    case "told":
      return isTold(toldIn(view.report(sight.on ?? 1)), sight);
    case "holds":
      return view.monitor(sight.monitor) === undefined;
    case "not":
      return !isSeen(sight.of, view);
    case "all":
      return sight.of.every((one) => isSeen(one, view));
    case "any":
      return sight.of.some((one) => isSeen(one, view));
  }
}

/** After these no fence is answered. */
const TERMINAL: readonly Sight["see"][] = [
  "handshake rejected",
  "Close and end",
  "closing handshake",
  "abnormal closure",
  "no response",
  "handshake failed",
  "handshake failed late",
];

/** The connections that a sight is about. */
export const connectionsOf = (sight: Sight): number[] => leaves(sight).map((leaf) => ("on" in leaf ? (leaf.on ?? 1) : 1));

/** The facts that decide outcomes in this view; `unfenced` if the case has no fence. */
export const deciding = (view: View, unfenced = false): Deciding<Sight> => ({
  isSeen: (sight) => isSeen(sight, view),
  isTerminal: ({ see }) => TERMINAL.includes(see),
  fenced: unfenced || view.fenced,
});
