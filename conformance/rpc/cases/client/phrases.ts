import type { Outcome } from "../../../harness/case.ts";
import type { FieldSpec } from "../../../wire/http2/frame-spec.ts";
import { SERVICE } from "../../../wire/rpc/contract.ts";
import type { Ask, CallSpec, Kind, Reported, RpcClientCase, Sight, Step } from "../../client-vocabulary.ts";
import type { MessageSpec, StatusName } from "../../vocabulary.ts";
import type { Row as RowOf } from "../rows.ts";

/** Steps, sights and outcomes that many cases share. Each is plain data under a short name. */

type Headers = Extract<Step, { do: "headers" }>;
type Say = Extract<Step, { do: "say" }>;
type Trailers = Extract<Step, { do: "trailers" }>;
export type Allowed = RpcClientCase["allowed"];

export type Row = RowOf<Step, Sight>;

const METHODS: Readonly<Record<Kind, string>> = {
  unary: "Unary",
  "client-stream": "ClientStream",
  "server-stream": "ServerStream",
  bidi: "BidiStream",
};
/** The message of a request that names none, and that of our answers. */
export const PAYLOAD = "touchstone";
export const hex = (text: string): string => Buffer.from(text).toString("hex");
export const pathOf = (kind: Kind): string => `/${SERVICE}/${METHODS[kind]}`;

/** A call with one message. */
export const callOf = (more: Partial<CallSpec> = {}): CallSpec => {
  const { kind = "unary" } = more;
  return { kind, path: pathOf(kind), messages: [hex(PAYLOAD)], ...more };
};
/** The description of one call, and more about its channel. */
export const ask = (call: Partial<CallSpec> = {}, more: Partial<Ask> = {}): Ask => ({ do: "ask", calls: [callOf(call)], ...more });
/** The whole of a request has come. */
export const received = (request = 1): Step => ({ do: "await", see: { see: "request", request, ended: true } });
/** So many messages of a request have come. */
export const head = (more: Partial<Headers> = {}): Headers => ({ do: "headers", ...more });
export const headWith = (...fields: FieldSpec[]): Headers => head({ fields });
export const say = (messages: readonly MessageSpec[] = [{}], more: Partial<Say> = {}): Say => ({ do: "say", messages, ...more });
export const trailers = (more: Partial<Trailers> = {}): Trailers => ({ do: "trailers", ...more });
/** Trailers alone. */
export const only = (status: Trailers["status"], more: Partial<Trailers> = {}): Trailers =>
  trailers({ status: status!, only: true, ...more });

/** A good answer to a request, after all of it. */
export const good = (request = 1, messages: readonly MessageSpec[] = [{}]): Step[] => [
  received(request),
  head({ request }),
  say(messages, { request }),
  trailers({ request }),
];
/** A whole good call. */
export const GOOD: readonly Step[] = [ask(), ...good()];
/** A good call of a method whose response is a stream. */
export const GOOD_STREAM: readonly Step[] = [ask({ kind: "server-stream" }), ...good()];

export const all = (...of: Sight[]): Sight => ({ see: "all", of });
export const any = (...of: Sight[]): Sight => ({ see: "any", of });
export const holds = (monitor: string): Sight => ({ see: "holds", monitor });
export const requests = (count: number | readonly [number, number]): Sight => ({ see: "requests", count });
/** The call ends with the status that the server sent, or that the text defines: with OK and our message by default. */
export const answer = (more: Reported & { readonly status?: StatusName | readonly StatusName[] } = {}): Sight => ({
  see: "answer",
  ...(more.status === undefined && more.sizes === undefined && more.count === undefined ? { messages: [PAYLOAD] } : {}),
  ...more,
});
/** The call fails with the status that the text names for it; another is a warning. */
export const fails = (status: StatusName | readonly StatusName[], by: Outcome<Sight>["by"] = "rpc-http2#errors"): Allowed => [
  { see: { see: "failed", status } },
  { see: { see: "failed", status: "any" }, ...(by === undefined ? {} : { by }), verdict: "warn" },
];
/** The call fails with the status that a MUST of the text names: no other will do. */
export const mustFail = (status: StatusName): Allowed => [{ see: { see: "failed", status } }];
/** The call does not succeed, with whatever status: the text names none. */
export const refused: Allowed = [{ see: { see: "failed", status: "any" } }];
/** The call ends with the status that the text defines; another failure is a warning. */
export const ends = (status: StatusName, by: NonNullable<Outcome<Sight>["by"]>): Allowed => [
  { see: answer({ status }) },
  { see: { see: "failed", status: "any" }, by, verdict: "warn" },
];
