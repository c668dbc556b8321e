import type { Outcome } from "../../../harness/case.ts";
import type { Ended, FieldSpec, MessageSpec, RpcCase, Sight, StatusName, Step } from "../../vocabulary.ts";
import type { Row as RowOf } from "../rows.ts";

/** Steps, sights and outcomes that many cases share. Each is plain data under a short name. */

type CallStep = Extract<Step, { do: "call" }>;
type SayStep = Extract<Step, { do: "say" }>;
export type Allowed = RpcCase["allowed"];

export type Row = RowOf<Step, Sight>;

export const handshake: Step = { do: "handshake" };
/** The header section of a call, of Unary by default. */
export const call = (number: number, more: Partial<CallStep> = {}): CallStep => ({ do: "call", call: number, ...more });
/** The same with fields. */
export const callWith = (number: number, ...fields: FieldSpec[]): CallStep => call(number, { fields });
/** Messages on a call, and the end of the request. */
export const lastly = (number: number, messages: readonly MessageSpec[] = [{}], more: Partial<SayStep> = {}): SayStep => ({
  do: "say",
  call: number,
  messages,
  end: true,
  ...more,
});
/** Messages on a call that goes on. */
export const say = (number: number, messages: readonly MessageSpec[] = [{}], more: Partial<SayStep> = {}): SayStep => ({
  do: "say",
  call: number,
  messages,
  ...more,
});
export const end = (number: number): Step => ({ do: "end", call: number });
/** A whole call of Unary. */
export const unary = (...fields: FieldSpec[]): Step[] => [callWith(1, ...fields), lastly(1)];
/** A good call. */
export const GOOD = unary();
/** The payload of a message that names none. */
export const PAYLOAD = "touchstone";

/** The call is answered as its handler wants: with OK and the payload, unless it says otherwise. */
export const answer = (more: Partial<Ended> & { readonly status?: StatusName | number } = {}, number = 1): Sight => {
  const isOk = more.status === undefined || more.status === "OK" || more.status === 0;
  return { see: "answer", call: number, ...(isOk && more.sizes === undefined ? { payloads: [PAYLOAD] } : {}), ...more };
};
export const all = (...of: Sight[]): Sight => ({ see: "all", of });
export const holds = (monitor: string): Sight => ({ see: "holds", monitor });

/**
 * The call fails with the status that the text names. Another status than OK, or a reset with an error, is a warning: the call ended
 * with an error, as the text wants it, but its client learns another reason.
 */
export const fails = (status: StatusName | readonly StatusName[], more: Partial<Ended> = {}, number = 1): Allowed => [
  { see: { see: "failed", call: number, status, ...more } },
  ...otherFailures(number),
];
/** The call fails with the status that a MUST of the text names: no other will do. */
export const mustFail = (status: StatusName): Allowed => [{ see: { see: "failed", call: 1, status } }];
const otherFailures = (number: number): Outcome<Sight>[] => [
  { see: { see: "failed", call: number, status: "any" }, by: "rpc-http2#errors", verdict: "warn" },
  { see: { see: "reset", call: number, code: "any error" }, by: "rpc-http2#errors", verdict: "warn" },
];
const any = (...of: Sight[]): Sight => ({ see: "any", of });

/** The call does not succeed, however the server says so: the text gives no status for it. */
export const refused = (number = 1): Allowed => [
  {
    see: any(
      { see: "failed", call: number, status: "any" },
      { see: "http", call: number, status: CLIENT_ERRORS },
      { see: "reset", call: number, code: "any error" },
      { see: "goaway", code: "PROTOCOL_ERROR" },
    ),
  },
];
const CLIENT_ERRORS = [400, 404, 405, 415, 431, 501];
