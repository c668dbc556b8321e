import { listOf } from "../../harness/shapes.ts";
import { leaves } from "../../harness/connection/sights.ts";
import { toLatin1 } from "../../wire/octets.ts";
import { payloadHex, type ReadField, type ReadFrame } from "../../wire/http2/read.ts";
import type { CodeSight, Sight, StreamRef } from "../vocabulary.ts";
import type { Section } from "../../wire/http2/sections.ts";
import type { Log, Seen } from "./log.ts";

export type SeenFrame = Extract<Seen, { is: "frame" }>;

/** What sights look at. */
export type View = {
  readonly log: Log;
  /** The observations to look at, without those of the handshake. */
  readonly seen: readonly Seen[];
  readonly streamOf: (ref: StreamRef) => number;
  /** Replaces the placeholders in the values of `where`. */
  readonly text: (value: string) => string;
  /** The role of the subject. */
  readonly role: "server" | "client";
  /** The fence was answered. */
  readonly fenced: boolean;
  /** The streams of our fences: REFUSED_STREAM on them, for too many streams, is not a refusal. */
  readonly fences?: ReadonlySet<number>;
  /** A control is performed: only its acceptance matters. */
  readonly isControl?: boolean;
  /** What broke a property; undefined if it held. */
  readonly monitor: (name: string) => string | undefined;
};

export const isFrame = (seen: Seen): seen is SeenFrame => seen.is === "frame";
/** Frames on the connection of the case. */
const frames = (view: View): SeenFrame[] => view.seen.filter(isFrame).filter((seen) => seen.on === 0);

/** A GOAWAY with an error code. */
export const isErrorGoaway = (seen: Seen): boolean =>
  isFrame(seen) && seen.on === 0 && seen.frame.type === "GOAWAY" && seen.frame.code !== "NO_ERROR";
/** A RST_STREAM with an error code: NO_ERROR only means that the rest is not needed (rfc9113#8.1). */
export const isErrorReset = (seen: Seen): boolean =>
  isFrame(seen) && seen.on === 0 && seen.frame.type === "RST_STREAM" && seen.frame.code !== "NO_ERROR";
/** The subject ended the connection of the case, and we had not. */
export const isEnd = (seen: Seen): boolean => (seen.is === "end" && seen.on === 0 && !seen.ours) || seen.is === "garbage";
export const isCrash = (seen: Seen): boolean => seen.is === "exit" && seen.code === null;
const isFailedExit = (seen: Seen): boolean => seen.is === "exit" && seen.code !== 0;
export const isGoodExit = (seen: Seen): boolean => seen.is === "exit" && seen.code === 0;

/** Every way to refuse. A client ends its connection when it has finished: then its exit status counts. */
const refusals = (view: Pick<View, "seen" | "role" | "isControl" | "fences">): Seen[] =>
  view.seen.filter(
    (seen) =>
      isErrorGoaway(seen) ||
      (isErrorReset(seen) &&
        !(view.isControl === true && isLateReset(seen, view)) &&
        !isFullTable(seen, view) &&
        !asksToStop(seen, view)) ||
      isFailedExit(seen) ||
      (isEnd(seen) && (view.role === "server" || seen.is === "garbage")),
  );

const isFullTable = (seen: Seen, { fences }: Pick<View, "fences">): boolean =>
  isFrame(seen) && seen.frame.code === "REFUSED_STREAM" && fences?.has(seen.frame.stream) === true;

/** STREAM_CLOSED on a stream whose response was complete: the server was done with a request that was still arriving. */
const isLateReset = (seen: Seen, view: Pick<View, "seen">): boolean =>
  isFrame(seen) &&
  seen.frame.code === "STREAM_CLOSED" &&
  endedStream({ seen: view.seen.slice(0, view.seen.indexOf(seen)) }, seen.frame.stream);

const NOT_NEEDED = new Set(["NO_ERROR", "CANCEL"]);
/**
 * A reset that only means that the rest of a request is not needed: its response was complete before (rfc9113#8.1). The part in transit
 * may cause another reset (rfc9113#5.4.2).
 */
function asksToStop(seen: Seen, view: Pick<View, "seen">): boolean {
  if (!isFrame(seen)) return false;
  const { stream, code } = seen.frame;
  const before = view.seen.slice(0, view.seen.indexOf(seen));
  if (!endedStream({ seen: before }, stream)) return false;
  const asked = before.some(
    (one) => isFrame(one) && one.frame.type === "RST_STREAM" && one.frame.stream === stream && NOT_NEEDED.has(one.frame.code ?? ""),
  );
  return code === "CANCEL" || (code === "STREAM_CLOSED" && asked);
}

/** Requests of a client in order, on all its connections. */
export const requestsIn = (seen: readonly Seen[]): SeenFrame[] =>
  seen.filter(isFrame).filter((one) => {
    const fields = one.section?.of === "HEADERS" ? one.section.fields : [];
    return fields.some(([name]) => name === ":method");
  });

export const fieldOf = (fields: readonly ReadField[], name: string): string | undefined => fields.find(([known]) => known === name)?.[1];

const statusOf = (section: Section | undefined): number | undefined => {
  const status = section?.of === "HEADERS" ? fieldOf(section.fields, ":status") : undefined;
  return status === undefined ? undefined : Number(status);
};

/** Responses on a stream, interim and final. */
export function responsesOn(view: Pick<View, "seen">, stream: number): { readonly status: number; readonly seen: SeenFrame }[] {
  return view.seen.filter(isFrame).flatMap((seen) => {
    const status = seen.on === 0 && seen.frame.stream === stream ? statusOf(seen.section) : undefined;
    return status === undefined ? [] : [{ status, seen }];
  });
}

export const endedStream = (view: Pick<View, "seen">, stream: number): boolean =>
  view.seen.some((seen) => {
    if (!isFrame(seen) || seen.on !== 0 || seen.frame.stream !== stream) return false;
    return seen.frame.endStream === true || seen.section?.endStream === true;
  });

/** Octets of DATA as flow control counts them (rfc9113#6.9.1), on one stream or on all. */
const contentOctets = (view: View, stream: number | undefined): number =>
  frames(view).reduce((sum, { frame }) => {
    const counts = frame.type === "DATA" && (stream === undefined || frame.stream === stream);
    return counts ? sum + frame.length : sum;
  }, 0);

/** The content of a stream, an octet a character. */
const textOn = (view: View, stream: number): string =>
  frames(view)
    .filter(({ frame }) => frame.type === "DATA" && frame.stream === stream)
    .map(({ frame }) => toLatin1(frame.data ?? new Uint8Array()))
    .join("");

const inClass = (status: number, wanted: number | string): boolean =>
  typeof wanted === "number" ? status === wanted : Math.floor(status / 100) === Number(wanted[0]);

/** The decoded value that `where` names: a member of the frame, a setting, a field; `hex` is the whole payload. */
function member(seen: SeenFrame, name: string): string | number | boolean | undefined {
  if (name === "hex") return payloadHex(seen.frame);
  const setting = seen.frame.settings?.findLast(([known]) => known === name)?.[1];
  if (setting !== undefined) return setting;
  const members: Readonly<Record<string, unknown>> = seen.frame;
  const value = members[name];
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return seen.section === undefined ? undefined : fieldOf(seen.section.fields, name);
}

const matches = (seen: SeenFrame, where: Readonly<Record<string, string | number | boolean>>): boolean =>
  Object.entries(where).every(([name, wanted]) => {
    const least = name.endsWith(" at least") ? member(seen, name.slice(0, -" at least".length)) : undefined;
    if (least !== undefined) return Number(least) >= Number(wanted);
    const found = member(seen, name);
    return found === wanted || (typeof found === "string" && found.toLowerCase() === String(wanted).toLowerCase());
  });

const hasCode = ({ code }: ReadFrame, wanted: CodeSight): boolean =>
  wanted === "any error" ? code !== "NO_ERROR" : listOf(wanted).some((one) => one === code);

/** The frames that a `frame`, `GOAWAY`, `RST_STREAM`, `response` or `request` sight is about. */
export function framesFor(sight: Sight, view: View): SeenFrame[] {
  switch (sight.see) {
    case "GOAWAY":
      return frames(view).filter(({ frame }) => frame.type === "GOAWAY" && hasCode(frame, sight.code));
    case "RST_STREAM": {
      const stream = view.streamOf(sight.stream);
      return frames(view).filter(({ frame }) => frame.type === "RST_STREAM" && frame.stream === stream && hasCode(frame, sight.code));
    }
    case "frame": {
      const stream = sight.stream === undefined ? undefined : view.streamOf(sight.stream);
      return frames(view).filter(
        (seen) =>
          seen.frame.type === sight.type &&
          (stream === undefined || seen.frame.stream === stream) &&
          !view.log.taken.has(seen) &&
          matches(seen, sight.where ?? {}),
      );
    }
    case "response": {
      const model =
        sight.sameStatusAs === undefined
          ? undefined
          : responsesOn(view.log, view.streamOf(sight.sameStatusAs)).findLast(({ status }) => status >= 200);
      const wanted =
        sight.sameStatusAs === undefined ? (sight.status ?? ["2xx", "3xx", "4xx", "5xx"]) : model === undefined ? [] : [model.status];
      return responsesOn(view, view.streamOf(sight.stream))
        .filter(({ status }) => wanted.some((one) => inClass(status, one)))
        .map(({ seen }) => seen);
    }
    case "request": {
      const one = requestsIn(view.log.seen)[(sight.nth ?? 1) - 1];
      const fits =
        one !== undefined &&
        Object.entries(sight.where ?? {}).every(([name, value]) => fieldOf(one.section?.fields ?? [], name) === view.text(value));
      return fits ? [one] : [];
    }
    default:
      return [];
  }
}

/** Whether the basic sight has been seen. */
export function isSeen(sight: Sight, view: View): boolean {
  switch (sight.see) {
    case "GOAWAY":
    case "RST_STREAM":
    case "request":
      return framesFor(sight, view).length > 0;
    case "frame":
      return framesFor(sight, view).length >= (sight.count ?? 1);
    case "response":
      return framesFor(sight, view).length > 0 && (sight.complete !== true || endedStream(view, view.streamOf(sight.stream)));
    case "content":
      return contentOctets(view, sight.stream === undefined ? undefined : view.streamOf(sight.stream)) >= sight.octets;
    case "text":
      return textOn(view, view.streamOf(sight.stream)).includes(sight.text);
    case "closed":
      return closed(view);
    case "http1":
      return view.seen.some((seen) => seen.is === "garbage" && seen.http1 === true);
    case "exit":
      return view.seen.some(sight.ok ? isGoodExit : (seen) => isFailedExit(seen) && !isCrash(seen));
    case "accepted":
      return view.fenced && refusals(view).length === 0;
    case "accepted without":
      return view.fenced && refusals(view).length === 0 && !sight.not.some((not) => isSeen(not, view));
    case "holds":
      return view.fenced && view.monitor(sight.monitor) === undefined;
    case "tls": {
      const last = view.seen.findLast((seen) => seen.is === "tls");
      return last !== undefined && listOf(sight.outcome).some((outcome) => outcome === last.outcome);
    }
    case "all":
      // Combined with other sights, the end counts with or without a GOAWAY before it.
      return sight.of.every((one) => (one.see === "closed" ? view.seen.some(isEnd) : isSeen(one, view)));
  }
}

/**
 * The connection ended without a GOAWAY with an error code. For a client this is a refusal only if the program confirms it: it exits with a
 * status other than 0, or repeats the request on another connection. A crash is not a refusal.
 */
function closed(view: View): boolean {
  if (!view.seen.some(isEnd) || view.seen.some(isErrorGoaway)) return false;
  // Octets that are not HTTP/2 end our reading, and do not close the connection.
  if (view.role === "server") return view.seen.some((seen) => isEnd(seen) && seen.is !== "garbage");
  if (view.seen.some(isCrash)) return false;
  return view.seen.some(isFailedExit) || requestsIn(view.seen).some(({ on }) => on > 0);
}

/** Whether it ends the connection, so that no fence can be answered afterwards. */
export const isTerminal = (sight: Sight): boolean =>
  leaves(sight).some(({ see }) => see === "GOAWAY" || see === "closed" || see === "http1" || see === "exit");
