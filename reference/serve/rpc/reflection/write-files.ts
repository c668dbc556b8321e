import protobuf from "protobufjs";
import descriptors, {
  type IDescriptorProto,
  type IEnumDescriptorProto,
  type IFieldDescriptorProto,
  type IFileDescriptorProto,
  type IServiceDescriptorProto,
} from "protobufjs/ext/descriptor.js";

/** Writes the descriptors of parsed contracts, by which clients learn them. */

/** The files of the well-known types, which the parser has built in. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  Any: "any",
  Duration: "duration",
  Timestamp: "timestamp",
  Empty: "empty",
  FieldMask: "field_mask",
  Struct: "struct",
  Value: "struct",
  ListValue: "struct",
  NullValue: "struct",
  DoubleValue: "wrappers",
  FloatValue: "wrappers",
  Int64Value: "wrappers",
  UInt64Value: "wrappers",
  Int32Value: "wrappers",
  UInt32Value: "wrappers",
  BoolValue: "wrappers",
  StringValue: "wrappers",
  BytesValue: "wrappers",
};

/** What stands in a file outside of any message. */
type TopLevel = protobuf.Type | protobuf.Enum | protobuf.Service | protobuf.Field;
type ContractFile = {
  readonly name: string;
  readonly package: string;
  readonly edition: string;
  readonly content: TopLevel[];
};

/** The files of a parsed contract as encoded `FileDescriptorProto`, each after the files that it imports. Options of files are left out. */
export function writeFiles(root: protobuf.Root): Uint8Array[] {
  root.resolveAll();
  const files = new Map(filesOf(root).map((file) => [file.name, file]));
  const written: Uint8Array[] = [];
  const write = (name: string): void => {
    const file = files.get(name);
    if (file === undefined) return;
    files.delete(name);
    const descriptor = describe(file);
    for (const imported of descriptor.dependency) write(imported);
    written.push(descriptors.FileDescriptorProto.encode(descriptors.FileDescriptorProto.create(descriptor)).finish());
  };
  for (const name of files.keys()) write(name);
  return written;
}

function filesOf(root: protobuf.Root): ContractFile[] {
  const files = new Map<string, ContractFile>();
  const visit = (space: protobuf.NamespaceBase): void => {
    for (const one of space.nestedArray) {
      if (isTopLevel(one)) {
        const name = fileOf(one);
        let file = files.get(name);
        if (file === undefined) {
          const { edition } = one.toJSON() as { readonly edition?: string };
          file = { name, package: space.fullName.slice(1), edition: edition ?? "proto3", content: [] };
          files.set(name, file);
        }
        file.content.push(one);
      } else if (one instanceof protobuf.Namespace) visit(one);
    }
  };
  visit(root);
  return [...files.values()];
}

const isTopLevel = (one: protobuf.ReflectionObject): one is TopLevel =>
  one instanceof protobuf.Type || one instanceof protobuf.Enum || one instanceof protobuf.Service || one instanceof protobuf.Field;

/** The file of an object: as it was parsed, or by its package. */
function fileOf(one: protobuf.ReflectionObject): string {
  let top = one;
  while (top.parent instanceof protobuf.Type || top.parent instanceof protobuf.Service) top = top.parent;
  if (top.filename !== null && top.filename !== undefined && top.filename !== "") return top.filename;
  const space = top.parent?.fullName.slice(1) ?? "";
  const known = space === "google.protobuf" ? WELL_KNOWN[top.name] : undefined;
  return known === undefined ? `${space.replaceAll(".", "_") || "contract"}.proto` : `google/protobuf/${known}.proto`;
}

function describe({ name, package: space, edition, content }: ContractFile): IFileDescriptorProto & { readonly dependency: string[] } {
  const messageType: IDescriptorProto[] = [];
  const enumType: IEnumDescriptorProto[] = [];
  const service: IServiceDescriptorProto[] = [];
  const extension: IFieldDescriptorProto[] = [];
  const imports = new Set<string>();
  const needs = (one: protobuf.ReflectionObject | null | undefined): void => {
    const other = one === null || one === undefined ? name : fileOf(one);
    if (other !== name) imports.add(other);
  };
  for (const one of content) {
    if (one instanceof protobuf.Type) messageType.push(describeType(one, edition, needs));
    else if (one instanceof protobuf.Enum) enumType.push(one.toDescriptor());
    else if (one instanceof protobuf.Service) {
      for (const method of one.methodsArray) {
        needs(method.resolvedRequestType);
        needs(method.resolvedResponseType);
      }
      service.push(one.toDescriptor());
    } else extension.push(describeField(one, one.toDescriptor(edition), needs));
  }
  return { name, package: space, ...syntaxOf(edition), dependency: [...imports].toSorted(), messageType, enumType, service, extension };
}

/** The numbers of editions. */
const EDITIONS: Readonly<Record<string, number>> = { 2023: 1_000, 2024: 1_001, 2026: 1_002 };
/** `syntax` is left out for proto2. */
function syntaxOf(edition: string): Pick<IFileDescriptorProto, "syntax" | "edition"> {
  if (edition === "proto2") return {};
  return edition === "proto3" ? { syntax: edition } : { syntax: "editions", edition: EDITIONS[edition] ?? 0 };
}

type Needs = (one: protobuf.ReflectionObject | null | undefined) => void;

/** The descriptor of a message as compilers write it, where the library's differs. */
function describeType(type: protobuf.Type, edition: string, needs: Needs): IDescriptorProto {
  const made = type.toDescriptor(edition);
  const field = type.fieldsArray.map((one, at) => describeField(one, made.field![at]!, needs));
  const entries = type.fieldsArray.flatMap((one, at): IDescriptorProto[] => {
    if (!(one instanceof protobuf.MapField)) return [];
    const entry = made.nestedType!.find(({ name }) => name === made.field![at]!.typeName || name === entryName(one))!;
    const fields = entry.field!.map((part) => (part.number === 2 ? typed(part, one.resolvedType) : part));
    return [{ ...entry, name: entryName(one), field: fields }];
  });
  const nested = type.nestedArray;
  const descriptor = {
    ...made,
    field: field.map((one, at) => {
      const map = type.fieldsArray[at]!;
      return map instanceof protobuf.MapField ? { ...one, type: MESSAGE, typeName: `${type.fullName}.${entryName(map)}` } : one;
    }),
    nestedType: [
      ...entries,
      ...nested.filter((one) => one instanceof protobuf.Type).map((one) => describeType(one as protobuf.Type, edition, needs)),
    ],
    extension: nested
      .filter((one) => one instanceof protobuf.Field)
      .map((one) => describeField(one as protobuf.Field, (one as protobuf.Field).toDescriptor(edition), needs)),
  };
  return inOrder(descriptor);
}

const MESSAGE = 11;
/** The name of the message of a map's entries: `MyMapEntry` for `my_map`. */
function entryName(map: protobuf.MapField): string {
  const { protoName } = map as { readonly protoName?: string | null };
  const name = (protoName ?? map.name).replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Entry`;
}

/** The name of a field in JSON, which compilers always write: readers of JSON rely on it. */
const jsonName = (name: string): string => name.replaceAll(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());

/** Names of types are complete: they begin with a dot. */
const typed = (part: IFieldDescriptorProto, type: protobuf.ReflectionObject | null): IFieldDescriptorProto =>
  type === null ? part : { ...part, typeName: type.fullName };
function describeField(field: protobuf.Field, made: IFieldDescriptorProto, needs: Needs): IFieldDescriptorProto {
  needs(field.resolvedType);
  if (field.extend === undefined) {
    const { name = "", jsonName: given = "" } = made;
    return typed(Object.assign(made, { jsonName: given === "" ? jsonName(name) : given }), field.resolvedType);
  }
  const extended = field.parent?.lookupType(field.extend) ?? null;
  needs(extended);
  const { oneofIndex: _, ...others } = made;
  return { ...typed(others, field.resolvedType), ...(extended !== null && { extendee: extended.fullName }) };
}

/** Puts the `oneof` of each `optional` field after the others: some readers demand it. */
function inOrder(descriptor: IDescriptorProto): IDescriptorProto {
  const { oneofDecl = [], field = [] } = descriptor;
  const synthetic = new Set(field.filter(({ proto3Optional }) => proto3Optional === true).map(({ oneofIndex }) => oneofIndex));
  const order = [...oneofDecl.keys()].toSorted((one, other) => Number(synthetic.has(one)) - Number(synthetic.has(other)));
  return {
    ...descriptor,
    oneofDecl: order.map((at) => oneofDecl[at]!),
    field: field.map((one) => (Object.hasOwn(one, "oneofIndex") ? { ...one, oneofIndex: order.indexOf(one.oneofIndex!) } : one)),
  };
}
