import type { FieldSpec } from "../../../wire/http2/frame-spec.ts";
import type { OriginMood, OriginStep, RpcProxyCase, Sight, Step } from "../../proxy-vocabulary.ts";
import type { MessageSpec, StatusName, Wanted } from "../../vocabulary.ts";
import type { Row as RowOf } from "../rows.ts";

/** Steps, sights and outcomes that many cases share. Each is plain data under a short name. */

type Call = Extract<Step, { do: "call" }>;
type Say = Extract<Step, { do: "say" }>;
type Headers = Extract<OriginStep, { do: "headers" }>;
type Trailers = Extract<OriginStep, { do: "trailers" }>;
type OriginSay = Extract<OriginStep, { do: "say" }>;
export type Allowed = RpcProxyCase["allowed"];

export type Row = RowOf<Step, Sight>;

export const PAYLOAD = "touchstone";

// The client.
export const call = (number = 1, more: Partial<Call> = {}): Step => ({ do: "call", call: number, ...more });
export const say = (messages: readonly MessageSpec[] = [{}], more: Partial<Say> = {}, number = 1): Step => ({
  do: "say",
  call: number,
  messages,
  ...more,
});
/** Messages, and the end of the request. */
export const lastly = (messages: readonly MessageSpec[] = [{}], more: Partial<Say> = {}, number = 1): Step =>
  say(messages, { end: true, ...more }, number);
export const end = (number = 1): Step => ({ do: "end", call: number });
/** A whole request with one message. */
export const asked = (number = 1, ...fields: FieldSpec[]): Step[] => [call(number, { fields }), lastly([{}], {}, number)];

// The origin.
const origin = (step: OriginStep): Step => ({ do: "origin", step });
export const head = (more: Partial<Headers> = {}): Step => origin({ do: "headers", ...more });
export const reply = (messages: readonly MessageSpec[] = [{}], more: Partial<OriginSay> = {}): Step =>
  origin({ do: "say", messages, ...more });
export const trailers = (more: Partial<Trailers> = {}): Step => origin({ do: "trailers", ...more });
/** Trailers alone. */
export const only = (status: StatusName | string, more: Partial<Trailers> = {}): Step => trailers({ status, only: true, ...more });
export const resets = (code: Extract<OriginStep, { do: "reset" }>["code"], request = 1): Step => origin({ do: "reset", code, request });
export const goaway = (last: number | "none" | "all"): Step => origin({ do: "goaway", last });
export const drop = (request = 1): Step => origin({ do: "drop", how: "close", request });
export const mood = (more: OriginMood): Step => ({ do: "mood", ...more });
/** A whole good answer. */
export const answered = (request = 1, messages: readonly MessageSpec[] = [{}]): Step[] => [
  head({ request }),
  reply(messages, { request }),
  trailers({ request }),
];

// What is seen.
export const all = (...of: Sight[]): Sight => ({ see: "all", of });
type Response = Omit<Extract<Sight, { see: "response" }>, "see">;
/** The call ends as the origin ended it: with OK and our message by default. */
export const good = (more: Response = {}): Sight => ({
  see: "response",
  ...(more.status === undefined && more.sizes === undefined && more.octets === undefined && more.count === undefined
    ? { messages: [PAYLOAD] }
    : {}),
  ...more,
});
type Request = Omit<Extract<Sight, { see: "request" }>, "see">;
/** A request has reached the origin. */
export const arrives = (more: Request = {}): Sight => ({ see: "request", ...more });
/** The whole of a request with one message has. */
export const whole = (more: Request = {}): Sight => arrives({ ended: true, messages: [PAYLOAD], ...more });
export const begun = (more: Omit<Extract<Sight, { see: "begun" }>, "see"> = {}): Sight => ({ see: "begun", ...more });
export const failed = (status: StatusName | readonly StatusName[] | "any" = "any", number = 1): Sight => ({
  see: "failed",
  call: number,
  status,
});
export const requests = (count: number | readonly [number, number]): Sight => ({ see: "requests", count });
export const until = (see: Sight): Step => ({ do: "await", see });
/** The whole of a request has reached the origin. */
export const received = (request = 1): Step => until({ see: "request", request, ended: true });

/** The call fails with this status; another is a warning: the client learns another reason. */
export const fails = (status: StatusName | readonly StatusName[]): Allowed => [
  { see: failed(status) },
  { see: failed(), by: "rpc-http2#errors", verdict: "warn" },
];

/** A whole good call. */
export const GOOD: readonly Step[] = [...asked(), received(), ...answered()];
/** A good call whose request has these fields, and what of them reaches the origin. */
export const passing = (fields: readonly FieldSpec[], wanted: Wanted): Pick<Row, "steps" | "allowed"> => ({
  steps: [...asked(1, ...fields), received(), ...answered()],
  allowed: all(whole({ fields: wanted }), good()),
});
