import type { Enum, Field, Message, ReservedName } from "../model.ts";
import type { Place, Problems } from "../place.ts";
import type { Checked } from "./checked.ts";

/** Names that were reserved: each once, an identifier, and not used. */
export function checkReservedNames(message: Pick<Message, "reservedNames" | "fields">, problems: Problems): void {
  checkReserved(message.reservedNames, { what: "field", elements: message.fields }, problems);
}
export function checkReservedValues(one: Enum, problems: Problems): void {
  checkReserved(one.reservedNames, { what: "value", elements: one.values }, problems);
}

type Named = { readonly what: string; readonly elements: readonly { readonly name: string; readonly place: Place }[] };

function checkReserved(reserved: readonly ReservedName[], { what, elements }: Named, problems: Problems): void {
  const names = new Set<string>();
  for (const { name, place } of reserved) {
    if (names.has(name)) problems.add(place, "reserved-repeated", `The name "${name}" is reserved twice.`);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      problems.add(place, "reserved-name", `${JSON.stringify(name)} cannot be the name of a ${what}, so it need not be reserved.`);
    names.add(name);
  }
  for (const { name, place } of elements) if (names.has(name)) problems.add(place, "name-reserved", `The name "${name}" is reserved.`);
}

/** Names in JSON: no two fields of a message may have the same. */
export function checkJsonNames(message: Message, { file, problems }: Checked): void {
  const isLenient = message.options.some(({ name }) => name === "deprecated_legacy_json_field_conflicts") || file.syntax === "proto2";
  const byName = new Map<string, Field>();
  for (const field of message.fields) {
    const { jsonName, hasJsonName } = field;
    if (hasJsonName && /^\[.*\]$/s.test(jsonName))
      problems.add(
        field.place,
        "json-name",
        `A name in JSON cannot be in brackets as "${jsonName}" is: that is how extensions are written.`,
      );
    if (hasJsonName && jsonName.includes("\0")) problems.add(field.place, "json-name", "A name in JSON cannot contain the character NUL.");
    const taken = byName.get(jsonName);
    // Under proto2 names that nobody chose may collide: JSON came later.
    if (taken !== undefined && (!isLenient || (hasJsonName && taken.hasJsonName)))
      problems.add(
        field.place,
        "json-name",
        `The fields "${taken.name}" and "${field.name}" have the same name in JSON, "${jsonName}": give one of them another by json_name.`,
      );
    byName.set(jsonName, field);
  }
}
