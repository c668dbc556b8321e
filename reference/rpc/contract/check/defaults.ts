import type { Field, Scalar } from "../model.ts";
import type { OptionValue } from "../syntax.ts";
import type { Checked } from "./checked.ts";

/** The option `default`: allowed for single values with presence, and of their type. */
export function checkDefault(field: Field, { contract, file, problems }: Checked): void {
  const value = field.default;
  if (value === undefined) return;
  const { place } = field.options.find(({ name }) => name === "default") ?? field;
  const wrong = (text: string): void => problems.add(place, "default", text);
  const { type } = field;
  if (file.syntax === "proto3") wrong("proto3 has no defaults: a field that is not set is zero or empty.");
  else if (field.presence === "implicit") wrong("A field without presence has no default.");
  else if (field.presence === "repeated") wrong("A list has no default.");
  else if (type.is === "message") wrong("A message has no default.");
  else if (type.is === "enum") {
    const one = contract.enums.get(type.name);
    const isValue = value.is === "name" && one?.values.some(({ name }) => name === value.text) === true;
    if (!isValue) wrong(`The default of "${field.name}" is the name of a value of "${type.name}".`);
  } else if (type.is === "scalar") {
    const expected = EXPECTED[kindOf(type.scalar)];
    if (!expected.fits(value)) wrong(`The default of "${field.name}" is ${expected.text}.`);
    else if (value.is === "integer" && !fits(value.value, type.scalar))
      wrong(`The default of "${field.name}" does not fit into ${type.scalar}.`);
  }
}

type Sort = "boolean" | "text" | "fraction" | "whole";
const kindOf = (scalar: Scalar): Sort =>
  scalar === "bool"
    ? "boolean"
    : scalar === "string" || scalar === "bytes"
      ? "text"
      : scalar === "float" || scalar === "double"
        ? "fraction"
        : "whole";

const EXPECTED: Readonly<Record<Sort, { readonly text: string; readonly fits: (value: OptionValue) => boolean }>> = {
  boolean: { text: "true or false", fits: (value) => value.is === "name" && (value.text === "true" || value.text === "false") },
  text: { text: "a string in quotes", fits: (value) => value.is === "string" },
  fraction: {
    text: "a number, inf or nan",
    fits: (value) => value.is === "integer" || value.is === "float" || (value.is === "name" && /^(?:inf|nan)$/.test(value.text)),
  },
  whole: { text: "a whole number", fits: (value) => value.is === "integer" || (value.is === "float" && Object.is(value.value, -0)) },
};

function fits(value: bigint, scalar: Scalar): boolean {
  if (scalar === "float" || scalar === "double") return true;
  const bits = scalar.endsWith("64") ? 64n : 32n;
  const isUnsigned = scalar.startsWith("u") || scalar.startsWith("fixed");
  return isUnsigned ? value >= 0n && value < 1n << bits : value >= -(1n << (bits - 1n)) && value < 1n << (bits - 1n);
}
