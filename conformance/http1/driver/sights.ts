import { type Deciding, leaves } from "../../harness/connection/sights.ts";
import { fill, fillPattern, repeated, type Values } from "../../wire/http1/build.ts";
import { type RawField, type ReadRequest, type ReadResponse, valuesOf } from "../../wire/http1/read.ts";
import { toLatin1 } from "../../wire/octets.ts";
import type { FieldSight, Sight, StatusSight } from "../vocabulary.ts";
import type { Conversation } from "./conversation.ts";

/** A request that reached us, and its connection. */
export type CameRequest = { readonly request: ReadRequest; readonly on: number };

/** What sights look at. */
export type View = {
  /** Connections to a server, or to the front of a proxy, by their number from 1. */
  readonly conversation: (on: number) => Conversation | undefined;
  readonly conversations: readonly Conversation[];
  /** Client role, and at the origin of a proxy: the requests in order. */
  readonly requests: readonly CameRequest[];
  /** At the origin: the octets of each connection, as Latin-1 text. */
  readonly originOctets?: readonly string[];
  /** At the origin: whether the proxy has ended the connection of this request. */
  readonly originEnded?: (nth: number | undefined) => boolean;
  readonly values: Values;
  /** The status of the path, and that of a path that does not exist. */
  readonly like: { readonly path?: number; readonly missing?: number };
  /** The fence was answered correctly: no more responses to earlier octets will arrive. */
  readonly fenced: boolean;
  /** What broke a property; undefined if it held. */
  readonly monitor: (name: string) => string | undefined;
  /** Client role: the exit of the command, and its output. */
  readonly exit?: { readonly ok: boolean };
  readonly output?: string;
  /** Client role: it ended its connections, but does not exit. */
  readonly gaveUp?: boolean;
  /** Proxy role over HTTP/2. */
  readonly resets?: readonly number[];
  readonly goaway?: boolean;
};

const NOTHING = new Uint8Array(0);
/** Statuses of a refusal. */
export const REFUSAL_STATUSES: StatusSight = ["4xx", 501, 505];

export const inClass = (status: number, wanted: StatusSight): boolean =>
  wanted.some((one) => (typeof one === "number" ? status === one : Math.floor(status / 100) === Number(one[0])));

export const hasFields = (fields: readonly RawField[], wanted: readonly FieldSight[] | undefined, values: Values): boolean =>
  (wanted ?? []).every(({ name, value, pattern, absent, joined }) => {
    const lines = valuesOf(fields, name);
    if (absent === true) return lines.length === 0;
    const found = joined === true && lines.length > 0 ? [lines.join(", ")] : lines;
    return found.some(
      (one) =>
        (value === undefined || one === fill(value, values)) &&
        (pattern === undefined || new RegExp(fillPattern(pattern, values), "i").test(one)),
    );
  });

type ResponseSight = Extract<Sight, { see: "response" }>;

/** The response that a sight is about. */
const responseOf = ({ nth = 1, on = 1 }: Pick<ResponseSight, "nth" | "on">, view: View): ReadResponse | undefined =>
  view.conversation(on)?.responses[nth - 1];

function isResponse(sight: ResponseSight, view: View): boolean {
  const one = responseOf(sight, view);
  if (one === undefined) return false;
  if (sight.status !== undefined && !inClass(one.status, sight.status)) return false;
  if (sight.like !== undefined && one.status !== view.like[sight.like]) return false;
  if (sight.version !== undefined && one.version !== sight.version) return false;
  if (!hasFields(one.fields, sight.fields, view.values) || !hasFields(one.trailers, sight.trailers, view.values)) return false;
  const content = toLatin1(one.content);
  if (sight.body !== undefined && (!one.complete || content !== repeated(sight.body, sight.times ?? 1, view.values))) return false;
  if (sight.bodyPattern !== undefined && !new RegExp(fillPattern(sight.bodyPattern, view.values), "is").test(content)) return false;
  if (sight.complete === true && !one.complete) return false;
  return sight.framing === undefined || one.framing === sight.framing;
}

function isRequest(sight: Extract<Sight, { see: "request" }>, view: View): boolean {
  if (sight.count !== undefined && view.requests.length < sight.count) return false;
  const at = (sight.nth ?? 1) - 1;
  const came = view.requests[at];
  if (came === undefined) return false;
  const { request, on } = came;
  if (sight.method !== undefined && request.method !== sight.method) return false;
  if (sight.target !== undefined && !new RegExp(fillPattern(sight.target, view.values), "i").test(request.target)) return false;
  if (sight.version !== undefined && request.version !== sight.version) return false;
  if (!hasFields(request.fields, sight.fields, view.values) || !hasFields(request.trailers, sight.trailers, view.values)) return false;
  if (sight.body !== undefined && (!request.complete || toLatin1(request.content) !== repeated(sight.body, sight.times ?? 1, view.values)))
    return false;
  if (sight.framing !== undefined && request.framing !== sight.framing) return false;
  const reused = view.requests[at - 1]?.on === on;
  return sight.connection === undefined || (sight.connection === "reused") === reused;
}

const finalResponses = (view: View): number => view.conversations.reduce((sum, { responses }) => sum + responses.length, 0);

/** Whether the basic sight has been seen. */
export function isSeen(sight: Sight, view: View): boolean {
  switch (sight.see) {
    case "response":
      return isResponse(sight, view);
    case "interim": {
      const { nth = 1 } = sight;
      const conversation = view.conversation(1);
      const before = conversation?.responses[nth - 1]?.interim ?? (conversation?.responses.length === nth - 1 ? conversation.interim : []);
      return before.some((one) => one.status === sight.status && hasFields(one.fields, sight.fields, view.values));
    }
    case "error and close":
    case "error and keep-alive": {
      const { nth = 1 } = sight;
      const conversation = view.conversation(1);
      const one = conversation?.responses[nth - 1];
      if (conversation === undefined || one === undefined || !inClass(one.status, sight.status ?? REFUSAL_STATUSES)) return false;
      if (sight.see === "error and keep-alive") return view.fenced;
      return conversation.ended !== undefined && conversation.responses.length === nth;
    }
    case "closed after": {
      const conversation = view.conversation(sight.on ?? 1);
      if (conversation?.ended === undefined || conversation.garbage.length > 0) return false;
      return conversation.responses.length === sight.responses;
    }
    case "connection closed":
      return view.conversation(sight.on ?? 1)?.ended !== undefined;
    case "all answered":
      return view.fenced && finalResponses(view) === sight.responses;
    case "holds":
      return view.monitor(sight.monitor) === undefined;
    case "request":
      return isRequest(sight, view);
    case "requests":
      return view.requests.length === sight.count;
    case "origin octets":
      return (view.originOctets ?? []).some((octets) => new RegExp(fillPattern(sight.pattern, view.values), "is").test(octets));
    case "origin closed":
      return view.originEnded?.(sight.nth) === true;
    case "exit":
      return view.exit?.ok === sight.ok;
    case "gave up":
      return view.gaveUp === true;
    case "output":
      return view.output === repeated(sight.text, sight.times ?? 1, view.values);
    case "tunnel octets": {
      const octets = view.conversation(sight.on ?? 1)?.tunnel ?? NOTHING;
      return new RegExp(fillPattern(sight.pattern, view.values), "is").test(toLatin1(octets));
    }
    case "stream reset":
      return view.resets?.includes(sight.stream) === true;
    case "goaway":
      return view.goaway === true;
    case "http2 frame":
      return view.conversations.some(({ upgraded }) =>
        upgraded?.frames
          .slice(0, sight.first === true ? 1 : undefined)
          .some(({ type, stream }) => type === sight.type && stream === (sight.stream ?? stream)),
      );
    case "not":
      return !isSeen(sight.of, view);
    case "all":
      return sight.of.every((one) => isSeen(one, view));
    case "any":
      return sight.of.some((one) => isSeen(one, view));
  }
}

/** Cannot be seen before the connection or the command has ended: no fence is answered afterwards. */
const TERMINAL: readonly Sight["see"][] = ["error and close", "closed after", "connection closed", "exit"];

/** The connections that a sight is about. */
export const connectionsOf = (sight: Sight): number[] => leaves(sight).map((leaf) => ("on" in leaf ? (leaf.on ?? 1) : 1));

/** The facts that decide outcomes in this view; `unfenced` if the case has no fence. */
export const deciding = (view: View, unfenced = false): Deciding<Sight> => ({
  isSeen: (sight) => isSeen(sight, view),
  isTerminal: ({ see }) => TERMINAL.includes(see),
  fenced: unfenced || view.fenced,
});
