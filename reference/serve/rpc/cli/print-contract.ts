import type { Element, Enum, Field, Message, Method, Oneof, OptionValue, Range, Service } from "../../../rpc/contract/index.ts";
import type { Described } from "./contract-source.ts";

/** Prints parts of contracts in the language of `.proto` files, with complete names of types. */
export function printContract(described: Described): string {
  switch (described.is) {
    case "service":
      return printService(described.one);
    case "method":
      return printMethod(described.one);
    case "message":
      return printMessage(described.one, described.one.fullName);
    case "enum":
      return printEnum(described.one, described.one.fullName);
    case "field":
      return described.one.extendee === undefined ? printField(described.one) : printExtension(described.one);
    case "oneof":
      return printOneof(described.one, described.of);
  }
}

const indented = (lines: string): string => lines.replaceAll(/^(?=.)/gm, "  ");
/** The comment of a contract in files; reflection has none. */
const comment = ({ comments: { leading } }: Element): string =>
  leading === "" ? "" : `${leading.replaceAll(/^/gm, "// ").replaceAll(/ +$/gm, "")}\n`;
const block = (element: Element, head: string, parts: readonly string[]): string => {
  const inside = [...(element.isDeprecated ? ["option deprecated = true;"] : []), ...parts];
  return `${comment(element)}${head}${inside.length === 0 ? " {}" : ` {\n${indented(inside.join("\n"))}\n}`}`;
};

const printService = (service: Service): string => block(service, `service ${service.fullName}`, service.methods.map(printMethod));

function printMethod(method: Method): string {
  const { name, request, response, requestStream, responseStream, isDeprecated } = method;
  const side = (type: string, isStream: boolean): string => `(${isStream ? "stream " : ""}${type})`;
  const head = `rpc ${name}${side(request, requestStream)} returns ${side(response, responseStream)}`;
  return `${comment(method)}${head}${isDeprecated ? " { option deprecated = true; }" : ";"}`;
}

function printMessage(message: Message, name: string): string {
  const { fields, oneofs, reservedRanges, reservedNames, extensionRanges } = message;
  const reserved = [...reservedRanges.map(rangeText), ...reservedNames.map((one) => JSON.stringify(one.name))];
  return block(message, `message ${name}`, [
    ...fields.filter(({ oneof }) => oneof === undefined).map(printField),
    ...oneofs.map((oneof) => printOneof(oneof, message)),
    ...(extensionRanges.length === 0 ? [] : [`extensions ${extensionRanges.map(rangeText).join(", ")};`]),
    ...(reserved.length === 0 ? [] : [`reserved ${reserved.join(", ")};`]),
    ...message.messages.map((one) => printMessage(one, one.name)),
    ...message.enums.map((one) => printEnum(one, one.name)),
    ...message.extensions.map(printExtension),
  ]);
}
/** The largest number of a field. */
const MAX = 536_870_911;
const rangeText = ({ start, end }: Range): string => (start === end ? `${start}` : `${start} to ${end === MAX ? "max" : end}`);

const printOneof = (oneof: Oneof, { fields }: Message): string =>
  block(oneof, `oneof ${oneof.name}`, fields.filter((field) => field.oneof === oneof.name).map(printField));
const printExtension = (field: Field): string => `extend ${field.extendee} {\n${indented(printField(field))}\n}`;

function printField(field: Field): string {
  const { name, number, type, label, jsonName, hasJsonName, isDeprecated, default: value } = field;
  const typeText = (of: Exclude<Field["type"], { readonly is: "map" }>): string => (of.is === "scalar" ? of.scalar : of.name);
  const kind =
    type.is === "map" ? `map<${type.key}, ${typeText(type.value)}>` : `${label === undefined ? "" : `${label} `}${typeText(type)}`;
  const options = [
    ...(value === undefined ? [] : [`default = ${valueText(value)}`]),
    ...(isDeprecated ? ["deprecated = true"] : []),
    ...(hasJsonName ? [`json_name = ${JSON.stringify(jsonName)}`] : []),
  ];
  return `${comment(field)}${kind} ${name} = ${number}${options.length === 0 ? "" : ` [${options.join(", ")}]`};`;
}
const valueText = (value: OptionValue): string =>
  value.is === "string" ? JSON.stringify(value.text) : value.is === "name" ? value.text : "value" in value ? String(value.value) : "";

const printEnum = (one: Enum, name: string): string =>
  block(
    one,
    `enum ${name}`,
    one.values.map((value) => `${value.name} = ${value.number};`),
  );
