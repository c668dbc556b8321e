import type { Option } from "./model.ts";
import type { OptionValue } from "./syntax.ts";

/** The text of an option's value: a string without quotes, a word, or a number. */
export function optionText(options: readonly Option[], name: string): string | undefined {
  const value = options.find((option) => option.name === name)?.value;
  return value === undefined ? undefined : valueText(value);
}

/** The text of a single value; undefined for lists and messages. */
export function valueText(value: OptionValue): string | undefined {
  if (value.is === "name" || value.is === "string") return value.text;
  if (value.is === "integer" || value.is === "float") return String(value.value);
  return undefined;
}
