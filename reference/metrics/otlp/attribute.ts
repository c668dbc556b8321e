import { compareText } from "../model/index.ts";
import { MessageFault } from "../remote/index.ts";

/** The value of an attribute. */
export type Value = string | boolean | bigint | number | Uint8Array | readonly Value[] | ReadonlyMap<string, Value>;

/** How deep values may be nested in an attribute. */
const DEPTH = 32;

/** Throws `MessageFault` if a value is nested too deep. */
export function checkDepth(depth: number): void {
  if (depth > DEPTH) throw new MessageFault(`an attribute is nested more than ${DEPTH} deep`);
}

/** A value as text for a label: a list or a map as JSON, octets in Base64. */
export function textOfValue(value: Value): string {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return value.toBase64();
  return typeof value === "object" ? jsonOf(value) : String(value);
}

function jsonOf(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value instanceof Uint8Array) return JSON.stringify(value.toBase64());
  if (isList(value)) return `[${value.map(jsonOf).join(",")}]`;
  if (typeof value !== "object") return String(value);
  return `{${[...value]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, one]) => `${JSON.stringify(name)}:${jsonOf(one)}`)
    .join(",")}}`;
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
