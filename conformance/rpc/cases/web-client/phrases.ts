import type { Outcome, RequirementRef } from "../../../harness/case.ts";
import type { FieldSpec } from "../../../wire/http2/frame-spec.ts";
import { CODES, HTTP_OF_CODE } from "../../../wire/rpc/web-forms.ts";
import type { StatusName } from "../../vocabulary.ts";
import type { WebAsk, WebCallSpec, WebClientCase, WebClientSight, WebClientStep, WebReported } from "../../web-client-vocabulary.ts";
import type { WebMessage } from "../../web-vocabulary.ts";
import { hex, PAYLOAD, pathOf } from "../client/phrases.ts";
import type { Row as RowOf } from "../rows.ts";

/** Steps, sights and outcomes that many cases share. Each is plain data under a short name. */

export type Allowed = WebClientCase["allowed"];
export type Row = RowOf<WebClientStep, WebClientSight>;
type Step<Name extends WebClientStep["do"]> = Extract<WebClientStep, { do: Name }>;

export { hex, PAYLOAD, pathOf } from "../client/phrases.ts";

/** A call with one message. */
export const callOf = (more: Partial<WebCallSpec> = {}): WebCallSpec => {
  const { kind = "unary" } = more;
  return { kind, path: pathOf(kind), messages: [hex(PAYLOAD)], ...more };
};
/** The description of one call, and more about its channel. */
export const ask = (call: Partial<WebCallSpec> = {}, more: Partial<WebAsk> = {}): WebAsk => ({ do: "ask", calls: [callOf(call)], ...more });
/** The whole of a request has come. */
export const received = (request = 1): WebClientStep => ({ do: "await", see: { see: "request", request, ended: true } });
export const head = (more: Partial<Step<"head">> = {}): WebClientStep => ({ do: "head", ...more });
export const headWith = (...fields: FieldSpec[]): WebClientStep => head({ fields });
export const say = (messages: readonly WebMessage[] = [{}], more: Partial<Step<"say">> = {}): WebClientStep => ({
  do: "say",
  messages,
  ...more,
});
export const content = (text: string, more: Partial<Step<"content">> = {}): WebClientStep => ({ do: "content", text, ...more });
/** The envelope that ends a stream of connect, with this object. */
export const end = (json: unknown = {}, more: Partial<Step<"last">> = {}): WebClientStep => last(JSON.stringify(json), more);
export const last = (text: string, more: Partial<Step<"last">> = {}): WebClientStep => ({ do: "last", text, ...more });
/** The envelope with the trailers of grpc-web: a status, and more lines. */
export const lines = (status: number | false, ...more: string[]): WebClientStep =>
  last([...(status === false ? [] : [`grpc-status: ${status}`]), ...more].map((line) => `${line}\r\n`).join(""));
export const close: WebClientStep = { do: "close" };
export const drop: WebClientStep = { do: "drop" };

const BEGUN: readonly WebClientStep[] = [ask(), received()];
const STREAM: readonly WebClientStep[] = [ask({ kind: "server-stream" }), received()];
/** An answer to a unary call, and to one whose responses are a stream. */
export const unary = (...steps: WebClientStep[]): WebClientStep[] => [...BEGUN, ...steps, close];
export const stream = (...steps: WebClientStep[]): WebClientStep[] => [...STREAM, ...steps, close];
/** A call that is answered with OK by itself. */
export const GOOD: readonly WebClientStep[] = [ask()];
export const GOOD_STREAM: readonly WebClientStep[] = [ask({ kind: "server-stream" })];

/** An error in JSON, with the HTTP status of its code by default. */
export const error = (status: number, more: object = {}, http: number = HTTP_OF_CODE[status] ?? 500): WebClientStep[] => [
  head({ status: http, type: "application/json" }),
  content(JSON.stringify({ code: CODES[status], ...more })),
];

export const all = (...of: WebClientSight[]): WebClientSight => ({ see: "all", of });
export const holds = (monitor: string): WebClientSight => ({ see: "holds", monitor });
/** The call ends with the status that the server sent, or that the text defines: with OK and our message by default. */
export const answer = (more: WebReported & { readonly status?: StatusName } = {}): WebClientSight => ({
  see: "answer",
  ...((more.status ?? "OK") === "OK" && more.sizes === undefined ? { payloads: [PAYLOAD] } : {}),
  ...more,
});
export const request = (more: Partial<Extract<WebClientSight, { see: "request" }>>): WebClientSight => ({ see: "request", ...more });
/** The call does not succeed, with whatever status: the text names none. */
export const refused: Allowed = [{ see: { see: "failed", status: "any" } }];
/** The call ends with the status that the text demands. */
export const ends = (status: StatusName, more: WebReported = {}): WebClientSight => answer({ status, ...more });
/** The call ends with the status that the text advises; another failure is a warning. */
export const preferably = (status: StatusName, by: NonNullable<Outcome<WebClientSight>["by"]>): Allowed => [
  { see: answer({ status }) },
  { see: { see: "failed", status: "any" }, by, verdict: "warn" },
];

/** A case without a mistake. */
export const good = (
  id: string,
  title: string,
  covers: RequirementRef | readonly [RequirementRef, ...RequirementRef[]],
  of: Pick<Row, "steps" | "needs"> & { readonly see?: WebClientSight },
): Row => ({
  id,
  title,
  covers,
  ...(of.needs === undefined ? {} : { needs: of.needs }),
  steps: of.steps,
  allowed: of.see ?? answer(),
});

export const words = (name: string): string => name.toLowerCase().replaceAll("_", "-");
