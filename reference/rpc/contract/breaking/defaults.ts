import type { Contract, Field, Scalar } from "../model.ts";
import type { Change } from "./change.ts";
import { valueText } from "../option-values.ts";

/** What a reader sees in a field that was not sent. */
type Default = { readonly sort: "number" | "boolean" | "text" | "enum"; readonly value: string; readonly shown: string };

/** The old and the new default of a field as texts; undefined if they are equal, or if one has no default. */
export function changedDefault(old: Field, now: Field, { old: before, now: after }: Change): readonly [string, string] | undefined {
  const [was, is] = [defaultOf(old, before), defaultOf(now, after)];
  if (was === undefined || is === undefined) return undefined;
  // Values of different types are equal if both are what a reader sees anyway.
  if (was.sort === is.sort ? was.value === is.value : isZero(was) && isZero(is)) return undefined;
  return [was.shown, is.shown];
}

const isZero = ({ value }: Default): boolean => value === "" || value === "0" || value === "false";

function defaultOf(field: Field, contract: Contract): Default | undefined {
  if (field.presence === "repeated" || field.type.is === "map" || field.type.is === "message") return undefined;
  const given = field.default === undefined ? undefined : valueText(field.default);
  if (field.type.is === "enum") return ofEnum(field.type.name, given, contract);
  const sort = sortOf(field.type.scalar);
  if (sort === "text") return { sort, value: given ?? "", shown: JSON.stringify(given ?? "") };
  if (sort === "boolean") return { sort, value: given ?? "false", shown: given ?? "false" };
  return { sort, value: comparable(given ?? "0"), shown: given ?? "0" };
}

function ofEnum(name: string, given: string | undefined, contract: Contract): Default | undefined {
  const values = contract.enums.get(name)?.values ?? [];
  const value = given === undefined ? values[0] : values.find((one) => one.name === given);
  return value === undefined ? undefined : { sort: "enum", value: String(value.number), shown: value.name };
}

/** The same text for the same number: 1e3 and 1000. Integers of 64 bits keep every digit. */
const comparable = (text: string): string =>
  /^-?\d+$/.test(text) ? String(BigInt(text)) : String(Number(text.replace("inf", "Infinity")));

const sortOf = (scalar: Scalar): "number" | "boolean" | "text" =>
  scalar === "bool" ? "boolean" : scalar === "string" || scalar === "bytes" ? "text" : "number";
