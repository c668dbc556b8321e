import type { FieldNode, OptionNode, OptionValue, Word } from "../syntax.ts";
import {
  type DescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldOptions,
  type FieldDescriptorProto,
} from "./descriptor.pb.ts";
import type { Locations, Path } from "./locations.ts";
import { readString } from "../parse/strings.ts";
import { optionNodes } from "./options.ts";

/** What fields are read in: their syntax decides what their labels mean. */
export type Context = { readonly locations: Locations; readonly isProto2: boolean };

const SCALARS: ReadonlyMap<number, string> = new Map(
  Object.entries(Type)
    .filter(([name]) => !["GROUP", "MESSAGE", "ENUM"].includes(name))
    .map(([name, number]) => [number, name.toLowerCase()]),
);

/** A field as it would be written. `message` is the one it is in; it holds the entries of maps. */
export function fieldNode(
  field: FieldDescriptorProto,
  message: DescriptorProto | undefined,
  path: Path,
  { locations, isProto2 }: Context,
): FieldNode {
  const { name = "", number = 0, label, type, oneofIndex, proto3Optional = false } = field;
  const place = locations.place(path);
  const entry = message?.nestedType.find((one) => one.options?.mapEntry === true && isNamed(field, one.name ?? ""));
  const [key, value] = entry?.field ?? [];
  const isMember = oneofIndex !== undefined && !proto3Optional;
  const isOptional = proto3Optional || (isProto2 && label === Label.OPTIONAL && !isMember);
  const options = [...optionNodes(FieldOptions, field.options, place), ...writtenOptions(field, place)];
  return {
    name: locations.word(name, [...path, 1]),
    number: { value: BigInt(number), place: locations.place([...path, 3]) },
    comments: locations.comments(path),
    options,
    label:
      entry !== undefined
        ? undefined
        : label === Label.REPEATED
          ? "repeated"
          : label === Label.REQUIRED
            ? "required"
            : isOptional
              ? "optional"
              : undefined,
    type: typeWord(value ?? field, locations, path),
    mapKey: key === undefined ? undefined : typeWord(key, locations, path),
    oneof: isMember ? oneofIndex : undefined,
    isGroup: type === Type.GROUP,
  };
}

const isNamed = ({ type, typeName = "" }: FieldDescriptorProto, name: string): boolean =>
  type === Type.MESSAGE && typeName.endsWith(`.${name}`);

const typeWord = ({ type = Type.MESSAGE, typeName = "" }: FieldDescriptorProto, locations: Locations, path: Path): Word =>
  locations.word(SCALARS.get(type) ?? typeName, [...path, 6]);

/** The default and the name in JSON, which descriptors have outside of the options. */
function writtenOptions(field: FieldDescriptorProto, place: OptionNode["place"]): OptionNode[] {
  const { name = "", jsonName, defaultValue, extendee } = field;
  const option = (of: string, value: OptionValue): OptionNode => ({ path: [{ name: of, isExtension: false }], value, place });
  const usual = name.replace(/_+([a-zA-Z0-9])?/g, (_, after: string | undefined) => after?.toUpperCase() ?? "");
  // Descriptors have the name in JSON always: it was written only if it is not the usual one.
  const isWritten = jsonName !== undefined && jsonName !== usual && extendee === undefined;
  return [
    ...(isWritten ? [option("json_name", { is: "string", text: jsonName })] : []),
    ...(defaultValue === undefined ? [] : [option("default", defaultOf(field.type, defaultValue))]),
  ];
}

function defaultOf(type: number | undefined, text: string): OptionValue {
  if (type === Type.STRING) return { is: "string", text };
  if (type === Type.BYTES) return { is: "string", text: unescaped(text) };
  if (/^-?\d+$/.test(text)) return { is: "integer", value: BigInt(text) };
  if (text === "-inf") return { is: "float", value: Number.NEGATIVE_INFINITY };
  return /^[-.\d]/.test(text) ? { is: "float", value: Number(text) } : { is: "name", text };
}

/** Octets that are escaped as in C; a text with a wrong escape stays as it is. */
function unescaped(text: string): string {
  try {
    return readString(`"${text}"`, 0, (_, message) => new Error(message)).value;
  } catch {
    return text;
  }
}
