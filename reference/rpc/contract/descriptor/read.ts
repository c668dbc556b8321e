import { type ContractLimits, CONTRACT_LIMITS } from "../limits.ts";
import { linkContract } from "../link/index.ts";
import type { Loaded } from "../load.ts";
import { type Place, Problems } from "../place.ts";
import type { EnumNode, ExtendNode, FileNode, ImportNode, MessageNode, MethodNode, OneofNode, RangeNode, ServiceNode } from "../syntax.ts";
import {
  type DescriptorProto,
  Edition,
  type EnumDescriptorProto,
  EnumOptions,
  EnumValueOptions,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  FileOptions,
  MessageOptions,
  type MethodDescriptorProto,
  MethodOptions,
  OneofOptions,
  type ServiceDescriptorProto,
  ServiceOptions,
  SymbolVisibility,
} from "./descriptor.pb.ts";
import { type Context, fieldNode } from "./fields.ts";
import { Locations, type Path } from "./locations.ts";
import { optionNodes } from "./options.ts";

/**
 * Reads a contract from descriptors, imported files first, as compilers and reflection give them. Options that are extensions are left out.
 * `paths` are the files that were asked for.
 */
export function loadDescriptors(files: readonly FileDescriptorProto[], paths: readonly string[], limits?: Partial<ContractLimits>): Loaded {
  const given = CONTRACT_LIMITS.with(limits);
  const problems = new Problems(given.problems);
  const place = (file: string): Place => ({ file, line: 0, column: 0 });
  if (files.length > given.files) problems.add(place(paths[0] ?? ""), "limit", `The contract has more than ${given.files} files.`);
  const nodes = problems.isEmpty ? files.map(fileNode) : [];
  const present = new Set(nodes.map(({ path }) => path));
  for (const node of nodes) {
    if (node.syntax === "editions" && node.edition === undefined) problems.add(place(node.path), "syntax", "The edition is not known.");
    if (depthOf(node.messages) > given.nesting)
      problems.add(place(node.path), "limit", `Messages nest deeper than ${given.nesting} levels.`);
    for (const { path } of node.imports)
      if (!present.has(path.text)) problems.add(path.place, "import-missing", `There is no file "${path.text}".`);
  }
  if (!problems.isEmpty) return { is: "problems", problems: problems.sorted() };
  const contract = linkContract(nodes, paths, problems);
  return problems.isEmpty ? { is: "contract", contract } : { is: "problems", problems: problems.sorted() };
}

/** How deep messages nest; the codec has limited that before. */
const depthOf = (messages: readonly MessageNode[]): number => Math.max(0, ...messages.map((one) => 1 + depthOf(one.messages)));

function fileNode(file: FileDescriptorProto): FileNode {
  const { name = "", syntax = "proto2", sourceCodeInfo } = file;
  const locations = new Locations(name, sourceCodeInfo);
  const context: Context = { locations, isProto2: syntax === "proto2" };
  const edition = file.edition === Edition.EDITION_2023 ? "2023" : file.edition === Edition.EDITION_2024 ? "2024" : undefined;
  const kindOf = (index: number): ImportNode["kind"] =>
    file.publicDependency.includes(index) ? "public" : file.weakDependency.includes(index) ? "weak" : "plain";
  const isOfEditions = syntax === "editions";
  return {
    path: name,
    syntax: isOfEditions ? "editions" : syntax === "proto3" ? "proto3" : "proto2",
    edition: isOfEditions ? edition : undefined,
    syntaxPlace: locations.place([isOfEditions ? 14 : 12]),
    syntaxComments: locations.comments([isOfEditions ? 14 : 12]),
    package: (file.package ?? "") === "" ? undefined : { ...locations.word(file.package ?? "", [2]), comments: locations.comments([2]) },
    imports: file.dependency.map((path, index) => ({ path: locations.word(path, [3, index]), kind: kindOf(index) })),
    options: optionNodes(FileOptions, file.options, locations.place([8])),
    messages: file.messageType.map((one, index) => messageNode(one, [4, index], context)),
    enums: file.enumType.map((one, index) => enumNode(one, [5, index], context)),
    services: file.service.map((one, index) => serviceNode(one, [6, index], context)),
    extends: extendNodes(file.extension, [7], context),
  };
}

function messageNode(message: DescriptorProto, path: Path, context: Context): MessageNode {
  const { locations } = context;
  const place = locations.place(path);
  // The oneof of a single optional field of proto3 exists in descriptors only; it is always after the real ones.
  const isSynthetic = (index: number): boolean =>
    message.field.some((field) => field.oneofIndex === index && field.proto3Optional === true);
  const nested = message.nestedType.map((one, index) => ({ one, index })).filter(({ one }) => one.options?.mapEntry !== true);
  return {
    is: "message",
    name: locations.word(message.name ?? "", [...path, 1]),
    comments: locations.comments(path),
    options: optionNodes(MessageOptions, message.options, place),
    fields: message.field.map((one, index) => fieldNode(one, message, [...path, 2, index], context)),
    oneofs: message.oneofDecl.flatMap((one, index): OneofNode[] => {
      const at = [...path, 8, index];
      if (isSynthetic(index)) return [];
      const options = optionNodes(OneofOptions, one.options, locations.place(at));
      return [{ name: locations.word(one.name ?? "", [...at, 1]), comments: locations.comments(at), options }];
    }),
    messages: nested.map(({ one, index }) => messageNode(one, [...path, 3, index], context)),
    enums: message.enumType.map((one, index) => enumNode(one, [...path, 4, index], context)),
    extends: extendNodes(message.extension, [...path, 6], context),
    extensionRanges: message.extensionRange.map(({ start = 0, end = 0 }) => ({ ...range(start, end - 1, place), options: [] })),
    reserved: {
      ranges: message.reservedRange.map(({ start = 0, end = 0 }) => range(start, end - 1, place)),
      names: message.reservedName.map((text) => ({ text, place })),
    },
    isGroup: false,
    visibility: visibilityOf(message.visibility),
  };
}

const range = (start: number, end: number, place: Place): RangeNode => ({
  start: { value: BigInt(start), place },
  end: { value: BigInt(end), place },
});
const visibilityOf = (visibility: number | undefined): "export" | "local" | undefined =>
  visibility === SymbolVisibility.VISIBILITY_EXPORT ? "export" : visibility === SymbolVisibility.VISIBILITY_LOCAL ? "local" : undefined;

const extendNodes = (fields: readonly FieldDescriptorProto[], path: Path, context: Context): ExtendNode[] =>
  fields.map((field, index) => ({
    extendee: context.locations.word(field.extendee ?? "", [...path, index, 2]),
    fields: [fieldNode(field, undefined, [...path, index], context)],
  }));

function enumNode(one: EnumDescriptorProto, path: Path, { locations }: Context): EnumNode {
  const place = locations.place(path);
  return {
    is: "enum",
    name: locations.word(one.name ?? "", [...path, 1]),
    comments: locations.comments(path),
    options: optionNodes(EnumOptions, one.options, place),
    values: one.value.map(({ name = "", number = 0, options }, index) => {
      const at = [...path, 2, index];
      return {
        name: locations.word(name, [...at, 1]),
        number: { value: BigInt(number), place: locations.place([...at, 2]) },
        comments: locations.comments(at),
        options: optionNodes(EnumValueOptions, options, locations.place(at)),
      };
    }),
    reserved: {
      ranges: one.reservedRange.map(({ start = 0, end = 0 }) => range(start, end, place)),
      names: one.reservedName.map((text) => ({ text, place })),
    },
    visibility: visibilityOf(one.visibility),
  };
}

function serviceNode(service: ServiceDescriptorProto, path: Path, { locations }: Context): ServiceNode {
  return {
    name: locations.word(service.name ?? "", [...path, 1]),
    comments: locations.comments(path),
    options: optionNodes(ServiceOptions, service.options, locations.place(path)),
    methods: service.method.map((one, index) => methodNode(one, [...path, 2, index], locations)),
  };
}

function methodNode(method: MethodDescriptorProto, path: Path, locations: Locations): MethodNode {
  const { name = "", inputType = "", outputType = "", clientStreaming = false, serverStreaming = false } = method;
  return {
    name: locations.word(name, [...path, 1]),
    comments: locations.comments(path),
    options: optionNodes(MethodOptions, method.options, locations.place(path)),
    request: locations.word(inputType, [...path, 2]),
    response: locations.word(outputType, [...path, 3]),
    requestStream: clientStreaming,
    responseStream: serverStreaming,
  };
}
