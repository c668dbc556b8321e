import protobuf from "protobufjs";

/** Prints parts of contracts in the language of `.proto` files, with complete names of types. */
export function printContract(one: protobuf.ReflectionObject): string {
  if (one instanceof protobuf.Service) return printService(one);
  if (one instanceof protobuf.Method) return `${comment(one)}${printMethod(one)}`;
  if (one instanceof protobuf.Type) return printType(one, one.fullName.slice(1));
  if (one instanceof protobuf.Enum) return printEnum(one, one.fullName.slice(1));
  if (one instanceof protobuf.Field) return printField(one);
  if (one instanceof protobuf.OneOf) return printOneOf(one);
  return one.fullName.slice(1);
}

const indented = (lines: string): string => lines.replaceAll(/^(?=.)/gm, "  ");
const block = (head: string, parts: readonly string[]): string =>
  parts.length === 0 ? `${head} {}` : `${head} {\n${indented(parts.join("\n"))}\n}`;
/** The comment of a parsed contract; reflection has none. */
const comment = ({ comment: text }: protobuf.ReflectionObject): string =>
  text === null || text === undefined || text === "" ? "" : `${text.replaceAll(/^/gm, "// ").replaceAll(/ +$/gm, "")}\n`;
const deprecated = ({ options }: protobuf.ReflectionObject): boolean => options?.["deprecated"] === true;
const nameOf = (type: protobuf.ReflectionObject | null, written: string): string => type?.fullName.slice(1) ?? written;

const printService = (service: protobuf.Service): string =>
  comment(service) +
  block(`service ${service.fullName.slice(1)}`, [
    ...(deprecated(service) ? ["option deprecated = true;"] : []),
    ...service.methodsArray.map((method) => `${comment(method)}${printMethod(method)}`),
  ]);

function printMethod(method: protobuf.Method): string {
  const side = (type: protobuf.Type | null, written: string, isStream: boolean | undefined): string =>
    `(${isStream === true ? "stream " : ""}${nameOf(type, written)})`;
  const asks = side(method.resolvedRequestType, method.requestType, method.requestStream);
  const answers = side(method.resolvedResponseType, method.responseType, method.responseStream);
  return `rpc ${method.name}${asks} returns ${answers}${deprecated(method) ? " { option deprecated = true; }" : ";"}`;
}

function printType(type: protobuf.Type, name: string): string {
  const fields = type.fieldsArray.filter(({ partOf }) => partOf === null || partOf === undefined || isSynthetic(partOf));
  const oneofs = type.oneofsArray.filter((oneof) => !isSynthetic(oneof));
  const reserved = (type.reserved ?? []).map((one) => (typeof one === "string" ? JSON.stringify(one) : rangeOf(one as number[])));
  const nested = type.nestedArray.map((one) => {
    if (one instanceof protobuf.Type) return printType(one, one.name);
    return one instanceof protobuf.Enum ? printEnum(one, one.name) : `extend ${(one as protobuf.Field).extend} { ${printContract(one)} }`;
  });
  return (
    comment(type) +
    block(`message ${name}`, [
      ...(deprecated(type) ? ["option deprecated = true;"] : []),
      ...fields.map(printField),
      ...oneofs.map(printOneOf),
      ...(reserved.length === 0 ? [] : [`reserved ${reserved.join(", ")};`]),
      ...nested,
    ])
  );
}
const rangeOf = ([first, last]: readonly number[]): string => (first === last ? `${first}` : `${first} to ${last}`);
/** The `oneof` of an `optional` field stands in no contract. */
const isSynthetic = ({ fieldsArray: [field, ...others] }: protobuf.OneOf): boolean =>
  others.length === 0 && field?.options?.["proto3_optional"] === true;

const printOneOf = (oneof: protobuf.OneOf): string => comment(oneof) + block(`oneof ${oneof.name}`, oneof.fieldsArray.map(printField));

function printField(field: protobuf.Field): string {
  const { protoName, jsonName } = field as { readonly protoName?: string | null; readonly jsonName?: string | null };
  const name = protoName ?? field.name;
  const type = nameOf(field.resolvedType, field.type);
  const kind = field instanceof protobuf.MapField ? `map<${field.keyType}, ${type}>` : `${labelOf(field)}${type}`;
  const options = [
    ...(field.options?.["default"] === undefined ? [] : [`default = ${JSON.stringify(field.options["default"])}`]),
    ...(deprecated(field) ? ["deprecated = true"] : []),
    ...(jsonName === undefined || jsonName === null || jsonName === usualJsonName(name) ? [] : [`json_name = ${JSON.stringify(jsonName)}`]),
  ];
  return `${comment(field)}${kind} ${name} = ${field.id}${options.length === 0 ? "" : ` [${options.join(", ")}]`};`;
}
const usualJsonName = (name: string): string => name.replaceAll(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
function labelOf(field: protobuf.Field): string {
  if (field.repeated) return "repeated ";
  if (field.required) return "required ";
  return field.options?.["proto3_optional"] === true ? "optional " : "";
}

const printEnum = (one: protobuf.Enum, name: string): string =>
  comment(one) +
  block(
    `enum ${name}`,
    Object.entries(one.values).map(([value, number]) => `${value} = ${number};`),
  );
