import type { Contract, ContractFile, Enum, Field, Message, Service, ValueType } from "../model.ts";
import { nameOfMapEntry } from "../link/symbols.ts";
import {
  DescriptorProto,
  Edition,
  type EnumDescriptorProto,
  EnumOptions,
  EnumValueOptions,
  FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldOptions,
  FileDescriptorProto,
  FileOptions,
  MessageOptions,
  MethodOptions,
  OneofOptions,
  type ServiceDescriptorProto,
  ServiceOptions,
  SymbolVisibility,
} from "./descriptor.pb.ts";
import { defaultText } from "./default-text.ts";
import { optionsMessage } from "./options.ts";

/**
 * The descriptors of all files of a contract, each after those that it imports, as compilers write them: types have their full names with a
 * point before them, and fields their names in JSON. Places, comments and options that are extensions are left out.
 */
export const describeContract = ({ files, enums }: Contract): readonly FileDescriptorProto[] =>
  [...files.values()].map((file) => new Writer(file, enums).file());

const SYNTAX = { proto2: {}, proto3: { syntax: "proto3" }, editions: { syntax: "editions" } } as const;
const TYPE_OF: ReadonlyMap<string, Type> = new Map(Object.entries(Type).map(([name, number]) => [name.toLowerCase(), number]));
const visible = (visibility: Message["visibility"]): { visibility?: SymbolVisibility } =>
  visibility === undefined
    ? {}
    : { visibility: visibility === "export" ? SymbolVisibility.VISIBILITY_EXPORT : SymbolVisibility.VISIBILITY_LOCAL };

/** Describes the elements of one file. */
class Writer {
  readonly #file: ContractFile;
  readonly #enums: Contract["enums"];

  constructor(file: ContractFile, enums: Contract["enums"]) {
    this.#file = file;
    this.#enums = enums;
  }

  file(): FileDescriptorProto {
    const { path, syntax, edition, imports, options, messages, enums, services, extensions } = this.#file;
    const ordinary = imports.filter(({ kind }) => kind !== "option");
    const at = (wanted: string): number[] => ordinary.flatMap(({ kind }, index) => (kind === wanted ? [index] : []));
    return FileDescriptorProto.create({
      name: path,
      ...(this.#file.package === "" ? {} : { package: this.#file.package }),
      ...SYNTAX[syntax],
      ...(edition === undefined ? {} : { edition: edition === "2023" ? Edition.EDITION_2023 : Edition.EDITION_2024 }),
      dependency: ordinary.map((one) => one.path),
      publicDependency: at("public"),
      weakDependency: at("weak"),
      optionDependency: imports.filter(({ kind }) => kind === "option").map((one) => one.path),
      ...optionsMessage(FileOptions, options),
      messageType: messages.map((one) => this.#message(one)),
      enumType: enums.map((one) => this.#enum(one)),
      service: services.map((one) => this.#service(one)),
      extension: extensions.map((one) => this.#field(one)),
    });
  }

  #message(message: Message): DescriptorProto {
    const { name, fields, oneofs, extensionRanges, reservedRanges, reservedNames, visibility } = message;
    const optionals = fields.filter((field) => this.#isOptional(field));
    const names = new Set([...fields, ...oneofs].map((one) => one.name));
    const synthetic = new Map(
      optionals.map((field, index) => [field, { index: oneofs.length + index, name: freeName(field.name, names) }]),
    );
    return {
      name,
      field: fields.map((field) => {
        const oneofIndex = synthetic.get(field)?.index ?? oneofs.findIndex((one) => one.name === field.oneof);
        return { ...this.#field(field, message), ...(oneofIndex < 0 ? {} : { oneofIndex }) };
      }),
      extension: message.extensions.map((one) => this.#field(one)),
      nestedType: [
        ...fields.flatMap((field) => (field.type.is === "map" ? [this.#entry(field, field.type)] : [])),
        ...message.messages.map((one) => this.#message(one)),
      ],
      enumType: message.enums.map((one) => this.#enum(one)),
      extensionRange: extensionRanges.map(({ start, end }) => ({ start, end: end + 1 })),
      // The oneofs of optional fields are after the others: some readers demand it.
      oneofDecl: [
        ...oneofs.map((one) => ({ name: one.name, ...optionsMessage(OneofOptions, one.options) })),
        ...Array.from(synthetic.values(), (one) => ({ name: one.name })),
      ],
      ...optionsMessage(MessageOptions, message.options),
      reservedRange: reservedRanges.map(({ start, end }) => ({ start, end: end + 1 })),
      reservedName: reservedNames.map((one) => one.name),
      ...visible(visibility),
    };
  }

  /** Whether the presence of a field needs a oneof of its own in descriptors: only in proto3. */
  #isOptional({ label, oneof, extendee }: Field): boolean {
    return this.#file.syntax === "proto3" && label === "optional" && oneof === undefined && extendee === undefined;
  }

  #field(field: Field, message?: Message): FieldDescriptorProto {
    const { name, number, type, label, extendee, jsonName, default: value, options } = field;
    const isList = type.is === "map" || label === "repeated";
    const isProto3Optional = this.#file.syntax === "proto3" && label === "optional";
    return FieldDescriptorProto.create({
      name,
      number,
      label: isList ? Label.REPEATED : label === "required" ? Label.REQUIRED : Label.OPTIONAL,
      ...(type.is === "map"
        ? { type: Type.MESSAGE, typeName: `.${message?.fullName}.${nameOfMapEntry(name)}` }
        : this.#typed(type, field.isDelimited && this.#file.syntax !== "editions")),
      ...(extendee === undefined ? { jsonName } : { extendee: `.${extendee}` }),
      ...(value === undefined ? {} : { defaultValue: defaultText(value, type) }),
      ...optionsMessage(
        FieldOptions,
        options.filter((one) => one.name !== "default" && one.name !== "json_name"),
      ),
      ...(isProto3Optional ? { proto3Optional: true } : {}),
    });
  }

  #typed(type: ValueType, isGroup = false): Pick<FieldDescriptorProto, "type" | "typeName"> {
    if (type.is === "scalar") return { type: TYPE_OF.get(type.scalar) };
    const isEnum = this.#enums.has(type.name);
    return { type: isEnum ? Type.ENUM : isGroup ? Type.GROUP : Type.MESSAGE, typeName: `.${type.name}` };
  }

  /** The message of the entries of a map, which only descriptors have. */
  #entry({ name }: Field, { key, value }: Extract<Field["type"], { readonly is: "map" }>): DescriptorProto {
    const part = (of: string, number: number, type: ValueType): FieldDescriptorProto => ({
      name: of,
      number,
      label: Label.OPTIONAL,
      jsonName: of,
      ...this.#typed(type),
    });
    return DescriptorProto.create({
      name: nameOfMapEntry(name),
      field: [part("key", 1, { is: "scalar", scalar: key }), part("value", 2, value)],
      options: MessageOptions.create({ mapEntry: true }),
    });
  }

  #enum({ name, values, options, reservedRanges, reservedNames, visibility }: Enum): EnumDescriptorProto {
    return {
      name,
      value: values.map((one) => ({ name: one.name, number: one.number, ...optionsMessage(EnumValueOptions, one.options) })),
      ...optionsMessage(EnumOptions, options),
      reservedRange: reservedRanges.map(({ start, end }) => ({ start, end })),
      reservedName: reservedNames.map((one) => one.name),
      ...visible(visibility),
    };
  }

  #service({ name, methods, options }: Service): ServiceDescriptorProto {
    return {
      name,
      method: methods.map((one) => ({
        name: one.name,
        inputType: `.${one.request}`,
        outputType: `.${one.response}`,
        ...optionsMessage(MethodOptions, one.options),
        ...(one.requestStream ? { clientStreaming: true } : {}),
        ...(one.responseStream ? { serverStreaming: true } : {}),
      })),
      ...optionsMessage(ServiceOptions, options),
    };
  }
}

/** A name for the oneof of an optional field that no other element of its message has. */
function freeName(field: string, taken: Set<string>): string {
  let name = `_${field}`;
  while (taken.has(name)) name = `X${name}`;
  taken.add(name);
  return name;
}
