import { listOf } from "../../harness/shapes.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { ReadField } from "../../wire/http2/read.ts";
import { toHex } from "../../wire/octets.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import type { Sight } from "../proxy-vocabulary.ts";
import type { Wanted } from "../vocabulary.ts";
import { Answer, messageOf, statusOf, valueOf } from "./answers.ts";
import { counting } from "./payloads.ts";
import { timeoutMs, valuesOf } from "./client-values.ts";
import type { Request } from "./client-connection.ts";
import type { Http2Connection } from "./connection.ts";
import { madeStatus } from "./proxy-status.ts";

/** What sights look at. */
export type ProxyView = {
  readonly front: Http2Connection;
  readonly over: boolean;
  /** The streams of the client by the number of the call. */
  readonly calls: ReadonlyMap<number, number>;
  readonly requests: readonly Request[];
  readonly taken: number | undefined;
  /** The smallest windows that were left at each end; below 0 they were exceeded. */
  readonly lowest: Readonly<Record<"client" | "origin", number>>;
  answer(call?: number): Answer | undefined;
  readonly text: (value: string) => string;
};

/** Whether a sight has been seen. */
export function isSeen(sight: Sight, view: ProxyView): boolean {
  switch (sight.see) {
    case "all":
      return sight.of.every((one) => isSeen(one, view));
    case "any":
      return sight.of.some((one) => isSeen(one, view));
    case "response":
    case "begun":
    case "failed":
    case "reset":
    case "interim":
    case "open":
    case "not answered":
      return ofCall(sight, view.answer(sight.call) ?? new Answer(), view);
    case "request":
    case "withdrawn":
    case "not whole":
      return ofRequest(sight, view.requests[(sight.request ?? 1) - 1], view);
    case "requests": {
      const [least, most] = typeof sight.count === "number" ? [sight.count, sight.count] : sight.count;
      return view.requests.length >= least && view.requests.length <= most;
    }
    case "apart": {
      const [one, two] = sight.requests.map((number) => view.requests[number - 1]?.connection.on);
      return one !== undefined && two !== undefined && one !== two;
    }
    case "at once":
      return view.requests.every(({ connection }) => connection.mostOpenKnowing <= sight.most);
    case "windows kept":
      return view.lowest[sight.at] >= 0;
    case "frames": {
      const frames = sight.at === "client" ? view.front.frames : view.requests.flatMap(({ connection }) => connection.frames);
      return frames.every(({ length }) => length <= sight.largest);
    }
    case "taken":
      return view.taken !== undefined && view.taken <= sight.most;
  }
}

type OfCall = Extract<Sight, { see: "response" | "begun" | "failed" | "reset" | "interim" | "open" | "not answered" }>;
function ofCall(sight: OfCall, answer: Answer, view: ProxyView): boolean {
  const status = statusOf(answer, view);
  switch (sight.see) {
    case "response": {
      const { status: wanted = "OK" } = sight;
      return (
        status === (typeof wanted === "number" ? wanted : STATUSES.indexOf(wanted)) &&
        holds(sight, answer, view) &&
        (sight.message === undefined || messageOf(answer, view) === sight.message) &&
        has(answer.last?.fields ?? [], sight.trailers, view) &&
        (sight.form === undefined || answer.isTrailersOnly === (sight.form === "trailers only"))
      );
    }
    case "begun":
      return answer.head !== undefined && holds(sight, answer, view);
    case "failed": {
      const made = madeStatus(answer, view.text, view.over);
      return made !== undefined && (sight.status === "any" ? made !== "OK" : listOf(sight.status).includes(made));
    }
    case "reset":
      return answer.reset !== undefined && listOf(sight.code).some((one) => one === answer.reset);
    case "interim":
      return answer.sections.some(
        (section) => Answer.statusOf(section) === String(sight.status) && has(section.fields, sight.headers, view),
      );
    case "open":
      return !answer.isOver && !view.over;
    case "not answered":
      return status !== 0;
  }
}

const same = (some: readonly unknown[] | undefined, found: () => readonly unknown[]): boolean =>
  some === undefined || JSON.stringify(some) === JSON.stringify(found());
/** The size of a message that counts; -1 for one with another content. */
const sizeOf = (octets: Uint8Array): number => (Buffer.compare(octets, counting(octets.length)) === 0 ? octets.length : -1);

function holds(wanted: Omit<Extract<Sight, { see: "begun" }>, "see">, answer: Answer, view: ProxyView): boolean {
  const { messages } = answer.messages;
  return (
    (wanted.http === undefined || (answer.head !== undefined && Answer.statusOf(answer.head) === String(wanted.http))) &&
    (wanted.count === undefined || messages.length >= wanted.count) &&
    same(wanted.messages, () => messages.map(({ octets }) => Buffer.from(octets).toString())) &&
    same(wanted.sizes, () => messages.map(({ octets }) => sizeOf(octets))) &&
    same(wanted.octets, () => messages.map(({ octets }) => toHex(octets))) &&
    has(answer.isTrailersOnly ? [] : (answer.head?.fields ?? []), wanted.headers, view)
  );
}

function has(fields: readonly ReadField[], wanted: Wanted | undefined, { text }: ProxyView): boolean {
  return Object.entries(wanted ?? {}).every(([name, one]) => {
    const found = valuesOf(fields, text(name));
    return one === false ? found === undefined : found !== undefined && listOf(one).some((value) => text(value) === found);
  });
}

type OfRequest = Extract<Sight, { see: "request" | "withdrawn" | "not whole" }>;
function ofRequest(sight: OfRequest, request: Request | undefined, view: ProxyView): boolean {
  if (sight.see === "not whole") return request?.endedBy === undefined;
  if (request?.head === undefined) return false;
  if (sight.see === "request" && sight.ended !== undefined && (request.endedBy !== undefined) !== sight.ended) return false;
  if (sight.see === "withdrawn")
    return sight.code === undefined ? request.reset !== undefined || request.connection.isOver : request.reset === sight.code;
  const { fields } = request.head;
  const { messages } = request.messages;
  const [least, most] = sight.timeout ?? [0, 0];
  const left = timeoutMs(valueOf(fields, view.text("{rpc}-timeout")));
  return (
    has(fields, sight.fields, view) &&
    Object.entries(sight.like ?? {}).every(([name, pattern]) => new RegExp(pattern).test(valueOf(fields, view.text(name)) ?? "")) &&
    same(sight.messages, () => messages.map(({ octets }) => Buffer.from(octets).toString())) &&
    same(sight.sizes, () => messages.map(({ octets }) => sizeOf(octets))) &&
    same(sight.octets, () => messages.map(({ octets }) => toHex(octets))) &&
    (sight.timeout === undefined || (left !== undefined && left >= least && left <= most))
  );
}

/** The calls that a sight is about. */
export const callsOf = (sight: Sight): number[] => leaves<Sight>(sight).flatMap((leaf) => ("call" in leaf ? [leaf.call ?? 1] : []));
