import { isRecord, itemsOf } from "../../harness/shapes.ts";
import type { CallReport } from "../client-vocabulary.ts";

/** The calls of a report; undefined if it is not made as README.md says. */
export function readCalls(members: Readonly<Record<string, unknown>>): readonly CallReport[] | undefined {
  const { calls } = members;
  if (!Array.isArray(calls)) return undefined;
  const read = calls.map(readCall);
  return read.every((one) => one !== undefined) ? read : undefined;
}

function readCall(call: unknown): CallReport | undefined {
  if (!isRecord(call)) return undefined;
  const { status, message } = call;
  return {
    // A library that gives no status has none of the seventeen.
    status: typeof status === "number" ? status : -1,
    message: typeof message === "string" ? message : "",
    headers: pairs(call["headers"]),
    trailers: pairs(call["trailers"]),
    messages: itemsOf(call["messages"]).map(String),
    details: itemsOf(call["details"]).flatMap((one): [string, string][] => {
      const [type, hex] = itemsOf(one);
      return typeof type === "string" && typeof hex === "string" ? [[type, hex]] : [];
    }),
  };
}

const pairs = (value: unknown): [string, string][] =>
  itemsOf(value).flatMap((one): [string, string][] => {
    const [name, text] = itemsOf(one);
    return typeof name === "string" && typeof text === "string" ? [[name.toLowerCase(), text]] : [];
  });
