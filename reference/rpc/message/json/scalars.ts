import type { JsonValue, ScalarName } from "../types.ts";
import { fromBase64 } from "./base64.ts";

/** Reads a value from JSON; undefined if it is not of the type. Names of members (`isKey`) are always strings. */
export function scalarFromJson(type: ScalarName, json: JsonValue, isKey: boolean): unknown {
  switch (type) {
    case "string":
      return typeof json === "string" && json.isWellFormed() ? json : undefined;
    case "bool":
      if (isKey) return json === "true" ? true : json === "false" ? false : undefined;
      return typeof json === "boolean" ? json : undefined;
    case "bytes":
      return typeof json === "string" ? fromBase64(json) : undefined;
    case "double":
    case "float":
      return fraction(json, type === "float");
    default: {
      const value = whole(json);
      if (value === undefined) return undefined;
      const bits = type.endsWith("64") ? 64 : 32;
      const isUnsigned = type.startsWith("u") || type.startsWith("fixed");
      const fits = (isUnsigned ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value)) === value;
      return !fits ? undefined : bits === 64 ? value : Number(value);
    }
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

function fraction(json: JsonValue, isFloat: boolean): number | undefined {
  const special = typeof json === "string" ? SPECIAL.get(json) : undefined;
  if (special !== undefined) return special;
  const value = typeof json === "number" ? json : typeof json === "string" && NUMBER.test(json) ? Number(json) : undefined;
  if (value === undefined || !Number.isFinite(value)) return undefined;
  if (!isFloat) return value;
  return Math.abs(value) > 3.402_823_567_797_336_6e38 ? undefined : Math.fround(value);
}

/** Integers may be written with a point or an exponent, as long as nothing is lost: 1e3, "5.0". */
function whole(json: JsonValue): bigint | undefined {
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : undefined;
  if (typeof json !== "string" || !NUMBER.test(json)) return undefined;
  if (/^-?\d+$/.test(json)) return json.length > 25 ? undefined : BigInt(json);
  const value = Number(json);
  return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}
