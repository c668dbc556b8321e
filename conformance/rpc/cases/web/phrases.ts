import type { FieldSpec } from "../../../wire/http2/frame-spec.ts";
import type { Plan } from "../../../wire/rpc/contract.ts";
import type { StatusName } from "../../../wire/rpc/statuses.ts";
import { isText, type WebForm } from "../../../wire/rpc/web-forms.ts";
import { type Version, VERSIONS, type WebCase, type WebEnded, type WebMessage, type WebSight, type WebStep } from "../../web-vocabulary.ts";
import type { Row as RowOf } from "../rows.ts";

/** Steps, sights and outcomes that many cases share. Each is plain data under a short name. */

export type WebAllowed = WebCase["allowed"];
type CallStep = Extract<WebStep, { do: "call" }>;
/** A case over each version of HTTP, or over those that it names. */
export type WebRow = RowOf<WebStep, WebSight> & { readonly over?: readonly Version[] };

export const PAYLOAD = "touchstone";
export const call = (form: WebForm, more: Partial<CallStep> = {}): CallStep => ({ do: "call", call: 1, form, ...more });
/** A call of one message with fields. */
export const callWith = (form: WebForm, ...fields: FieldSpec[]): CallStep => call(form, { fields });
/** A call whose handler has a plan. */
export const planned = (form: WebForm, plan: Plan, more: Partial<CallStep> & { readonly message?: WebMessage } = {}): CallStep => {
  const { message = {}, ...others } = more;
  return call(form, { messages: [{ ...message, plan }], ...others });
};

/** The call is answered as its handler wants: with OK and the payload, unless it says otherwise. */
export const answer = (more: Partial<WebEnded> & { readonly status?: StatusName } = {}): WebSight => ({
  see: "answer",
  call: 1,
  ...((more.status ?? "OK") === "OK" && more.sizes === undefined ? { payloads: [PAYLOAD] } : {}),
  ...more,
});
export const all = (...of: WebSight[]): WebSight => ({ see: "all", of });
export const holds = (monitor: string): WebSight => ({ see: "holds", monitor });
const any = (...of: WebSight[]): WebSight => ({ see: "any", of });

/** The call fails with this status; another one, or no answer, is a warning. */
export const fails = (status: StatusName, by: WebCase["spec"], more: Partial<WebEnded> = {}): WebAllowed => [
  { see: { see: "failed", call: 1, status, ...more } },
  { see: any({ see: "failed", call: 1, status: "any" }, { see: "cut off", call: 1 }), by, verdict: "warn" },
];
/** The call does not succeed, however the server says so. */
export const refused: WebAllowed = [{ see: any({ see: "failed", call: 1, status: "any" }, { see: "cut off", call: 1 }) }];
export const http = (...status: number[]): WebSight => ({ see: "http", call: 1, status });

const WORDS: Readonly<Record<Version, string>> = { http1: "HTTP/1.1", http2: "HTTP/2" };

/** A row for each version of HTTP. */
export const overVersions = ({ over = VERSIONS, ...row }: WebRow): RowOf<WebStep, WebSight>[] =>
  over.map((version) => {
    const via: WebStep = { do: "via", version };
    // The text form of grpc-web is optional: servers that translate no Base64 answer it with 415.
    const asksText = row.steps.some((step) => step.do === "call" && isText(step.form));
    return {
      ...row,
      id: `${row.id}-${version}`,
      title: `Over ${WORDS[version]}: ${row.title.charAt(0).toLowerCase()}${row.title.slice(1)}`,
      needs: [version, ...(asksText ? ["text"] : []), ...(row.needs ?? [])],
      steps: [via, ...row.steps],
      ...(row.control === undefined ? {} : { control: [via, ...row.control] }),
    };
  });

/** A case without a mistake. */
export const good = (
  id: string,
  title: string,
  of: { readonly covers: WebRow["covers"]; readonly steps: readonly WebStep[]; readonly allowed?: WebSight },
): WebRow => ({
  id,
  title,
  covers: of.covers,
  steps: of.steps,
  allowed: of.allowed ?? answer(),
});

/** Octets of every value, in hex. */
export const EVERY_OCTET = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
/** An encoded google.rpc.Status with one detail. */
export const DETAILS = {
  hex: "08051204676f6e651a380a316578616d706c652e636f6d2f746f75636873746f6e652e636f6e666f726d616e63652e76312e466174655265717565737412030a0178",
  found: [["touchstone.conformance.v1.FateRequest", "0a0178"]],
} as const;
/** Status messages of every kind. */
export const MESSAGES = [
  ["plain", "It is not there."],
  ["percent", "100% of 5%41"],
  ["quotes", 'a "quoted" \\ back/slash'],
  ["umlauts", "für Größe"],
  ["symbols", "☺ and 𝄞 in UTF-8"],
  ["line-breaks", "\t\ntest\r\nBMP ☺ and non-BMP 😈\t\n"],
  ["controls", "\u0000\u0001\u007f"],
  ["long", `${"long ".repeat(300)}text`],
] as const;
