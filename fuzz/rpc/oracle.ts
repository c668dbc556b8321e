import { octetsOf } from "../../conformance/rpc/driver/steps.ts";
import { join } from "../../conformance/wire/octets.ts";
import { type ReadRequest, readRequest } from "../../conformance/wire/rpc/contract.ts";
import { inflated, type ReadEnvelope, readEnvelopes } from "../../conformance/wire/rpc/envelopes.ts";
import type { StatusName } from "../../conformance/wire/rpc/statuses.ts";
import type { Rule } from "../lib/rules.ts";
import { type Call, hasOneRequest } from "./grammar.ts";

/** What is wrong with a call, the status that the text names for it (none if any but OK will do), and the requirement. */
type Fault = { readonly name: string; readonly status?: StatusName; readonly rule: Rule["ref"] };

/** What a server must answer to a call; `unsure` if servers may differ. */
export type Expected =
  | { readonly is: "unsure" }
  /** The handler's own answer: a status by number, and the payloads in hex. */
  | { readonly is: "fine"; readonly status: number; readonly payloads: readonly string[] }
  | { readonly is: "failed"; readonly fault: Fault };

const FAULTS = {
  methodUnknown: { name: "methodUnknown", status: "UNIMPLEMENTED", rule: "rpc-status#codes/unimplemented" },
  contentType: { name: "contentType", rule: "rpc-http2#requests/content-type-415" },
  reservedFlags: { name: "reservedFlags", rule: "rpc-http2#requests/flags-reserved" },
  flagAlone: { name: "flagAlone", status: "INTERNAL", rule: "rpc-compression#test-cases/flag-alone" },
  encodingUnknown: { name: "encodingUnknown", status: "UNIMPLEMENTED", rule: "rpc-compression#asymmetry/server-unknown" },
  compressionInvalid: { name: "compressionInvalid", status: "INTERNAL", rule: "rpc-status#codes/decompression" },
  messageInvalid: { name: "messageInvalid", status: "INTERNAL", rule: "rpc-status#codes/decoding" },
  cutShort: { name: "cutShort", rule: "rpc-http2#requests/cut-short" },
  cardinality: { name: "cardinality", status: "UNIMPLEMENTED", rule: "rpc-status#codes/cardinality" },
} as const satisfies Readonly<Record<string, Fault>>;

const VERBATIM = { text: (value: string): string => value };

/** What the texts say about a call, for a server that reads gzip or does not. */
export function expected({ method, path, fields, messages, isReset }: Call, { gzip }: { readonly gzip: boolean }): Expected {
  if (isReset) return { is: "unsure" };
  const valueOf = (wanted: string): string | undefined => fields.find(([name]) => name === wanted)?.[1];
  const encoding = valueOf("{rpc}-encoding");
  const read = readEnvelopes(join(messages.map((one) => octetsOf(one, VERBATIM))));
  const isCompressed = read.messages.some(({ flags }) => flags === 1);
  // A server may refuse an encoding that no message uses, or gzip.
  if (isCompressed ? encoding === "gzip" && !gzip : encoding !== undefined && encoding !== "identity") return { is: "unsure" };
  const requests = read.messages.map((message) => requestIn(message, encoding));
  const faults: Fault[] = [
    ...(path !== undefined || method === "Missing" ? [FAULTS.methodUnknown] : []),
    ...(valueOf("content-type")?.startsWith("application/{rpc}") === false ? [FAULTS.contentType] : []),
    ...requests.flatMap((one) => ("payload" in one ? [] : [one])),
    ...(read.left > 0 ? [FAULTS.cutShort] : []),
  ];
  if (hasOneRequest(method) && read.left === 0 && read.messages.length !== 1) faults.push(FAULTS.cardinality);
  const [fault, ...others] = faults;
  if (fault === undefined)
    return answerOf(
      method,
      requests.flatMap((one) => ("payload" in one ? [one] : [])),
    );
  // Of several faults any may be reported.
  return { is: "failed", fault: others.length === 0 ? fault : { name: fault.name, rule: fault.rule } };
}

/** The request in an envelope, or what is wrong with it. */
function requestIn(message: ReadEnvelope, encoding: string | undefined): ReadRequest | Fault {
  if (message.flags > 1) return FAULTS.reservedFlags;
  if (message.flags === 1 && (encoding === undefined || encoding === "identity")) return FAULTS.flagAlone;
  if (message.flags === 1 && encoding !== "gzip") return FAULTS.encodingUnknown;
  const octets = inflated(message, encoding);
  return octets === undefined ? FAULTS.compressionInvalid : (readRequest(octets) ?? FAULTS.messageInvalid);
}

/** What the handler of a method answers to these requests (vectors/rpc/conformance.proto). */
function answerOf(method: Call["method"], requests: readonly ReadRequest[]): Expected {
  const payloads = requests.map(({ payload }) => Buffer.from(payload).toString("hex"));
  const { status = 0, responses = 0 } = requests[0]?.plan ?? {};
  const single = (payload: string): Expected => ({ is: "fine", status, payloads: status === 0 ? [payload] : [] });
  switch (method) {
    case "Unary":
      return single(payloads[0] ?? "");
    case "ClientStream":
      return single(payloads.join(""));
    case "ServerStream":
      return { is: "fine", status, payloads: Array.from({ length: responses }, () => payloads[0] ?? "") };
    case "BidiStream":
      return { is: "fine", status, payloads };
    default:
      return { is: "unsure" };
  }
}
