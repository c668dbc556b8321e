import type { Field, Message } from "../model.ts";
import type { Checked } from "./checked.ts";
import { checkDefault } from "./defaults.ts";

/** One field or extension: its label, its options, and what its syntax allows. */
export function checkField(field: Field, message: Message | undefined, checked: Checked): void {
  const { problems, file } = checked;
  const wrong = (rule: string, text: string): void => problems.add(field.typePlace, rule, text);
  checkLabel(field, message, checked);
  checkEnumType(field, checked);
  if (file.syntax !== "proto2" && field.isDelimited && field.type.is === "message") {
    const type = checked.contract.messages.get(field.type.name);
    if (type?.isGroup === true) wrong("group", "Groups exist in proto2 only: use a message.");
  }
  checkDefault(field, checked);
  const has = (name: string): boolean => field.options.some((option) => option.name === name);
  const { type } = field;
  const element = type.is === "map" ? undefined : type;
  if (has("packed")) {
    if (file.syntax === "editions") wrong("packed", 'With editions write "features.repeated_field_encoding" in place of "packed".');
    const isPackable = element?.is === "enum" || (element?.is === "scalar" && element.scalar !== "string" && element.scalar !== "bytes");
    if (field.label !== "repeated" || !isPackable) wrong("packed", "Only lists of numbers, booleans and enums can be packed.");
  }
  if ((has("lazy") || has("unverified_lazy")) && type.is !== "message") wrong("lazy", "Only messages can be lazy.");
  const isLong = element?.is === "scalar" && element.scalar.endsWith("64");
  if (has("jstype") && !isLong) wrong("jstype", "Only integers of 64 bits have a jstype.");
}

function checkLabel(field: Field, message: Message | undefined, { file, problems }: Checked): void {
  const wrong = (rule: string, text: string): void => problems.add(field.typePlace, rule, text);
  const { label } = field;
  const isPlain = label === undefined && field.type.is !== "map" && field.oneof === undefined;
  if (file.syntax === "proto2" && isPlain) wrong("label", `Under proto2 "${field.name}" needs "optional", "required" or "repeated".`);
  if (file.syntax === "proto3" && label === "required") wrong("label", 'proto3 has no "required".');
  if (file.syntax === "editions" && (label === "optional" || label === "required"))
    wrong(
      "label",
      `Editions have no "${label}": ${label === "optional" ? "leave it out" : 'write "features.field_presence = LEGACY_REQUIRED"'}.`,
    );
  if (field.extendee !== undefined && field.presence === "required") wrong("label", "An extension cannot be required.");
  if (field.extendee !== undefined && field.type.is === "map") wrong("extension-map", "A map cannot be an extension.");
  if (field.extendee !== undefined && field.hasJsonName) wrong("json-name", "An extension cannot have a json_name.");
  const presence = field.options.find(({ name }) => name === "features.field_presence")?.value;
  if (presence === undefined) return;
  if (field.presence === "repeated" || field.oneof !== undefined || message === undefined)
    wrong("features", "The feature field_presence is for single fields outside of oneofs.");
  else if (presence.is === "name" && presence.text === "IMPLICIT" && field.type.is === "message")
    wrong("features", "The presence of a message is always explicit.");
}

/** Under implicit presence the number 0 stands for nothing, so its enum needs that number. */
function checkEnumType(field: Field, { contract, file, problems }: Checked): void {
  const value = field.type.is === "map" ? field.type.value : field.type;
  if (value.is !== "enum") return;
  const one = contract.enums.get(value.name);
  if (one === undefined) return;
  const isOfProto2 = contract.files.get(one.file)?.syntax === "proto2";
  if (one.isClosed && ((file.syntax === "proto3" && isOfProto2) || field.presence === "implicit"))
    problems.add(
      field.typePlace,
      "enum-closed",
      `"${one.fullName}" is a closed enum, which a field without presence or of proto3 cannot have.`,
    );
  if (field.type.is === "map" && one.values[0] !== undefined && one.values[0].number !== 0)
    problems.add(field.typePlace, "enum-zero", `The values of a map can be left out: "${one.fullName}" needs 0 as its first number.`);
}
