import { listOf } from "../../harness/shapes.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { ReadCode } from "../../wire/http3/end.ts";
import type { ReadField } from "../../wire/http3/read.ts";
import { join, toLatin1 } from "../../wire/octets.ts";
import type { CodeSight, Sight, StreamRef } from "../vocabulary.ts";
import type { Log, Seen } from "./log.ts";

type SeenIs<Is extends Seen["is"]> = Extract<Seen, { readonly is: Is }>;
export type SeenFrame = SeenIs<"frame">;

/** What sights look at. */
export type View = {
  readonly log: Log;
  readonly seen: readonly Seen[];
  /** The identifier of a stream that the case names; -1 if it was never opened. */
  readonly streamOf: (ref: StreamRef) => number;
  /** The identifier of the subject's stream of this name. */
  readonly theirs: (ref: StreamRef) => number;
  /** Replaces the placeholders in the values of `where`. */
  readonly text: (value: string) => string;
  readonly role: "server" | "client";
  /** The fence was answered. */
  readonly fenced: boolean;
  /** The streams of our fences: a rejection of one, for too many streams, is not a refusal. */
  readonly fences: ReadonlySet<number>;
  /** Our streams that live as long as the connection. */
  readonly critical: ReadonlySet<number>;
  /** What broke a property; undefined if it held. */
  readonly monitor: (name: string) => string | undefined;
};

export const isFrame = (seen: Seen): seen is SeenFrame => seen.is === "frame";
/** An unknown code, and one of those that exist to be ignored, means no error (rfc9114#8, #8.1). */
const isErrorCode = (code: ReadCode | undefined): boolean => code !== undefined && code !== "H3_NO_ERROR" && !code.startsWith("0x");

/** The connection of the case was closed with an error. */
export const isErrorClose = (seen: Seen): seen is SeenIs<"closed"> => seen.is === "closed" && seen.on === 0 && isErrorCode(seen.code);
/** It ended in another way, and we had not ended it. */
export const isEnd = (seen: Seen): seen is SeenIs<"closed"> => seen.is === "closed" && seen.on === 0 && !seen.ours && !isErrorClose(seen);
export const isCrash = (seen: Seen): boolean => seen.is === "exit" && seen.code === null;
const isFailedExit = (seen: Seen): boolean => seen.is === "exit" && seen.code !== 0;
export const isGoodExit = (seen: Seen): boolean => seen.is === "exit" && seen.code === 0;

const isBidirectional = (stream: number): boolean => stream % 4 < 2;
/** A stream of a message was reset or stopped with an error, or a critical stream of ours stopped. */
function isStreamError(seen: Seen, view: View): boolean {
  if ((seen.is !== "reset" && seen.is !== "stop") || seen.on !== 0) return false;
  if (seen.is === "stop" && view.critical.has(seen.stream)) return true;
  if (!isBidirectional(seen.stream) || !isErrorCode(seen.code)) return false;
  if (view.fences.has(seen.stream) && seen.code === "H3_REQUEST_REJECTED") return false;
  // The rest of a request is not needed: its response was complete before (rfc9114#4.1).
  const before = view.seen.slice(0, view.seen.indexOf(seen));
  return !(seen.is === "stop" && seen.code === "H3_REQUEST_CANCELLED" && endedStream({ seen: before }, seen.stream));
}

/** Every way to refuse. A client ends its connection when it has finished: then its exit status counts. */
const refusals = (view: View): Seen[] =>
  view.seen.filter(
    (seen) => isErrorClose(seen) || isStreamError(seen, view) || isFailedExit(seen) || (isEnd(seen) && view.role === "server"),
  );

/** Requests of a client in order, on all its connections. */
export const requestsIn = (seen: readonly Seen[]): SeenFrame[] =>
  seen.filter(isFrame).filter(({ fields = [] }) => fields.some(([name]) => name === ":method"));

export const fieldOf = (fields: readonly ReadField[], name: string): string | undefined => fields.find(([known]) => known === name)?.[1];

/** Responses on a stream, interim and final. */
export const responsesOn = (view: Pick<View, "seen">, stream: number): { readonly status: number; readonly seen: SeenFrame }[] =>
  view.seen.filter(isFrame).flatMap((seen) => {
    const status = seen.on === 0 && seen.stream === stream ? fieldOf(seen.fields ?? [], ":status") : undefined;
    return status === undefined ? [] : [{ status: Number(status), seen }];
  });

export const endedStream = (view: Pick<View, "seen">, stream: number): boolean =>
  view.seen.some((seen) => seen.is === "end" && seen.on === 0 && seen.stream === stream);
/** Nothing more comes on the stream. */
export const isOverOn = (view: Pick<View, "seen">, stream: number): boolean =>
  view.seen.some((seen) => (seen.is === "end" || seen.is === "reset") && seen.on === 0 && seen.stream === stream);

/** The content of a stream. */
export const contentOn = (view: Pick<View, "seen">, stream: number): Uint8Array =>
  join(
    view.seen
      .filter(isFrame)
      .filter((one) => one.on === 0 && one.stream === stream && one.frame.type === "DATA")
      .map(({ frame }) => frame.payload),
  );

const inClass = (status: number, wanted: number | string): boolean =>
  typeof wanted === "number" ? status === wanted : Math.floor(status / 100) === Number(wanted[0]);

/** The decoded value that `where` names: a member of the frame, a setting, a field. */
function member({ frame, fields = [] }: SeenFrame, name: string): string | number | undefined {
  if (name === "id") return frame.id;
  return frame.settings?.findLast(([known]) => known === name)?.[1] ?? fieldOf(fields, name);
}

const hasCode = (code: ReadCode | undefined, wanted: CodeSight): boolean =>
  wanted === "any error" ? isErrorCode(code) : listOf(wanted).some((one) => one === code);

/** Whether a single observation is what the sight is about. */
export function fits(seen: Seen, sight: Sight, view: View): boolean {
  switch (sight.see) {
    case "close":
      return isErrorClose(seen) && hasCode(seen.code, sight.code);
    case "closed":
      return isEnd(seen);
    case "stream error":
      return isGivenUp(seen, view.streamOf(sight.on)) && hasCode(seen.code, sight.code);
    case "stop":
    case "reset":
      return (
        seen.is === sight.see && isGivenUp(seen, view.streamOf(sight.on)) && (sight.code === undefined || hasCode(seen.code, sight.code))
      );
    case "frame":
      return (
        isFrame(seen) &&
        seen.on === 0 &&
        seen.stream === view.theirs(sight.on) &&
        seen.frame.type === sight.type &&
        !view.log.taken.has(seen) &&
        Object.entries(sight.where ?? {}).every(([name, wanted]) => member(seen, name) === wanted)
      );
    case "decoded":
      return seen.is === "decoded" && seen.instruction === sight.instruction && (sight.value === undefined || seen.value === sight.value);
    case "ended":
      return seen.is === "end" && seen.on === 0 && seen.stream === view.theirs(sight.on);
    case "request": {
      const one = requestsIn(view.log.seen)[(sight.nth ?? 1) - 1];
      if (one !== seen) return false;
      return Object.entries(sight.where ?? {}).every(([name, value]) => fieldOf(one.fields ?? [], name) === view.text(value));
    }
    default:
      return false;
  }
}

const isGivenUp = (seen: Seen, stream: number): seen is SeenIs<"reset" | "stop"> =>
  (seen.is === "reset" || seen.is === "stop") && seen.on === 0 && seen.stream === stream;

function hasResponse(sight: Extract<Sight, { see: "response" }>, view: View): boolean {
  const { on, sameStatusAs, status = ["2xx", "3xx", "4xx", "5xx"], complete } = sight;
  const stream = view.streamOf(on);
  const model =
    sameStatusAs === undefined ? undefined : responsesOn(view.log, view.streamOf(sameStatusAs)).findLast((one) => one.status >= 200);
  const wanted = sameStatusAs === undefined ? status : model === undefined ? [] : [model.status];
  const found = responsesOn(view, stream).some((one) => wanted.some((each) => inClass(one.status, each)));
  return found && (complete !== true || endedStream(view, stream));
}

/** Whether the sight has been seen. */
export function isSeen(sight: Sight, view: View): boolean {
  switch (sight.see) {
    case "response":
      return hasResponse(sight, view);
    case "content":
      return contentOn(view, view.streamOf(sight.on)).length >= sight.octets;
    case "text":
      return toLatin1(contentOn(view, view.streamOf(sight.on))).includes(sight.text);
    case "closed":
      return closed(view);
    case "exit":
      return view.seen.some(sight.ok ? isGoodExit : (seen) => isFailedExit(seen) && !isCrash(seen));
    case "accepted":
      return view.fenced && refusals(view).length === 0;
    case "accepted without":
      return view.fenced && refusals(view).length === 0 && !sight.not.some((not) => isSeen(not, view));
    case "holds":
      return view.fenced && view.monitor(sight.monitor) === undefined;
    case "all":
      return sight.of.every((one) => isSeen(one, view));
    default:
      return view.seen.some((seen) => fits(seen, sight, view));
  }
}

/**
 * The connection ended without an error of the application. For a client this is a refusal only if the program confirms it: it exits with a status
 * other than 0, or repeats the request on another connection. A crash is not a refusal.
 */
function closed(view: View): boolean {
  if (!view.seen.some(isEnd)) return false;
  if (view.role === "server") return true;
  if (view.seen.some(isCrash)) return false;
  return view.seen.some(isFailedExit) || requestsIn(view.seen).some(({ on }) => on > 0);
}

/** Whether it ends the connection, so that no fence can be answered afterwards. */
export const isTerminal = (sight: Sight): boolean => leaves(sight).some(({ see }) => see === "close" || see === "closed" || see === "exit");
