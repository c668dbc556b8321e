import type {
  ContractFile,
  Element,
  Enum,
  EnumValue,
  Field,
  Message,
  Method,
  Oneof,
  Option,
  Range,
  ReservedName,
  Service,
} from "../model.ts";
import { NO_COMMENTS, type Comments } from "../parse/comments.ts";
import type { Problems } from "../place.ts";
import type {
  EnumNode,
  ExtendNode,
  FieldNode,
  FileNode,
  MessageNode,
  MethodNode,
  OptionNode,
  RangeNode,
  ReservedNode,
  ServiceNode,
  Word,
} from "../syntax.ts";
import { defaultFeatures, type Features, withFeatures } from "./features.ts";
import { isTrue, Options, type Owner } from "./options.ts";
import type { Scope } from "./scope.ts";
import { join } from "./symbols.ts";
import { isPackable, isScalar, typeOf } from "./types.ts";

/** The largest number of a field (2^29 - 1) and of an enum value; what `max` stands for. */
const MOST_FIELD = 536_870_911;
const MOST_VALUE = 2_147_483_647;
/** The same of a message set, an old form whose extensions have numbers of 31 bits. */
const MOST_OF_SET = 2_147_483_646;

type Node = { readonly name: Word; readonly comments: Comments; readonly options: readonly OptionNode[] };
/** Where an element is: the name around it, and the features that it inherits. */
type Around = { readonly scope: string; readonly features: Features };

/** Makes the model of one file: resolves names, decides defaults. What is wrong becomes a problem, and the element is left out. */
export class Builder {
  readonly #file: FileNode;
  readonly #scope: Scope;
  readonly #problems: Problems;
  readonly #options: Options;

  constructor(file: FileNode, scope: Scope, problems: Problems) {
    this.#file = file;
    this.#scope = scope;
    this.#problems = problems;
    this.#options = new Options(scope, problems, file.syntax === "editions");
  }

  build(): ContractFile {
    const file = this.#file;
    const pack = file.package?.text ?? "";
    const features = withFeatures(defaultFeatures(file.syntax, file.edition), file.options);
    const around: Around = { scope: pack, features };
    const options = this.#options.resolve("FileOptions", file.options, pack);
    const built = {
      messages: file.messages.map((one) => this.#message(one, around)),
      enums: file.enums.map((one) => this.#enum(one, around)),
      services: file.services.map((one) => this.#service(one, around)),
      extensions: this.#extensions(file.extends, around),
    };
    return {
      path: file.path,
      syntax: file.syntax,
      edition: file.edition,
      syntaxPlace: file.syntaxPlace,
      syntaxComments: file.syntaxComments,
      package: pack,
      packagePlace: file.package?.place,
      packageComments: file.package?.comments ?? NO_COMMENTS,
      // After everything else: only then is it known which are used.
      imports: file.imports.map(({ path, kind }) => ({
        path: path.text,
        kind,
        place: path.place,
        isUsed: this.#scope.isUsed(path.text),
      })),
      ...built,
      options,
      isDeprecated: isTrue(options, "deprecated"),
    };
  }

  #element(owner: Owner, { name, comments, options: nodes }: Node, { scope }: Around): Element {
    const options = this.#options.resolve(owner, nodes, scope);
    return {
      name: name.text,
      fullName: join(scope, name.text),
      place: name.place,
      comments,
      options,
      isDeprecated: isTrue(options, "deprecated"),
    };
  }

  #message(node: MessageNode, around: Around): Message {
    const element = this.#element("MessageOptions", node, around);
    const inner: Around = { scope: element.fullName, features: withFeatures(around.features, node.options) };
    const fields = node.fields.flatMap((field) => this.#field(field, inner, node) ?? []);
    const oneofs = node.oneofs.map((oneof): Oneof => ({
      ...this.#element("OneofOptions", oneof, inner),
      fields: fields.filter((field) => field.oneof === oneof.name.text).map(({ name }) => name),
    }));
    for (const { options } of node.extensionRanges) this.#options.resolve("ExtensionRangeOptions", options, inner.scope);
    return {
      is: "message",
      file: this.#file.path,
      ...element,
      fields,
      oneofs,
      messages: node.messages.map((one) => this.#message(one, inner)),
      enums: node.enums.map((one) => this.#enum(one, inner)),
      extensions: this.#extensions(node.extends, inner),
      extensionRanges: rangesOf(node.extensionRanges, isTrue(element.options, "message_set_wire_format") ? MOST_OF_SET : MOST_FIELD),
      ...reservedOf(node.reserved, MOST_FIELD),
      isGroup: node.isGroup,
      hasJson: inner.features.json_format === "ALLOW",
      visibility: node.visibility,
    };
  }

  #extensions(nodes: readonly ExtendNode[], around: Around): Field[] {
    return nodes.flatMap(({ extendee, fields }) => {
      const found = this.#scope.find(extendee, around.scope, ["message"]);
      return fields.flatMap((field) => this.#field(field, around, undefined, found?.fullName) ?? []);
    });
  }

  #field(node: FieldNode, around: Around, message: MessageNode | undefined, extendee?: string): Field | undefined {
    const type = typeOf(node, around.scope, this.#scope, this.#problems);
    const element = this.#element("FieldOptions", node, around);
    if (type === undefined) return undefined;
    const oneof = node.oneof === undefined ? undefined : message?.oneofs[node.oneof];
    const features = withFeatures(oneof === undefined ? around.features : withFeatures(around.features, oneof.options), node.options);
    const jsonName = stringOption(element.options, "json_name");
    return {
      ...element,
      number: Number(node.number.value),
      numberPlace: node.number.place,
      type,
      typePlace: node.type.place,
      jsonName: jsonName ?? camelCase(element.name),
      hasJsonName: jsonName !== undefined,
      label: node.label,
      presence: this.#presence(node, type.is === "message", features, extendee !== undefined),
      oneof: oneof?.name.text,
      isPacked: node.label === "repeated" && type.is !== "map" && isPackable(type) && this.#isPacked(element.options, features),
      isDelimited: node.isGroup || (type.is === "message" && features.message_encoding === "DELIMITED"),
      isUtf8: features.utf8_validation === "VERIFY",
      default: element.options.find(({ name }) => name === "default")?.value,
      extendee,
    };
  }
  #presence(node: FieldNode, isMessage: boolean, features: Features, isExtension: boolean): Field["presence"] {
    if (node.label === "repeated" || node.mapKey !== undefined) return "repeated";
    if (node.label === "required" || features.field_presence === "LEGACY_REQUIRED") return "required";
    const isExplicit = isMessage || isExtension || node.label === "optional" || node.oneof !== undefined;
    return isExplicit || features.field_presence === "EXPLICIT" ? "explicit" : "implicit";
  }
  #isPacked(options: readonly Option[], features: Features): boolean {
    const given = options.some(({ name }) => name === "packed");
    return given ? isTrue(options, "packed") : features.repeated_field_encoding === "PACKED";
  }

  #enum(node: EnumNode, around: Around): Enum {
    const element = this.#element("EnumOptions", node, around);
    const features = withFeatures(around.features, node.options);
    return {
      is: "enum",
      file: this.#file.path,
      ...element,
      values: node.values.map((value): EnumValue => ({
        ...this.#element("EnumValueOptions", value, around),
        number: Number(value.number.value),
        numberPlace: value.number.place,
      })),
      ...reservedOf(node.reserved, MOST_VALUE),
      isClosed: features.enum_type === "CLOSED",
      hasJson: features.json_format === "ALLOW",
      allowsAlias: isTrue(element.options, "allow_alias"),
      visibility: node.visibility,
    };
  }

  #service(node: ServiceNode, around: Around): Service {
    const element = this.#element("ServiceOptions", node, around);
    const methods = node.methods.flatMap((method) => this.#method(method, element.fullName) ?? []);
    return { is: "service", file: this.#file.path, ...element, methods };
  }
  #method(node: MethodNode, service: string): Method | undefined {
    const element = this.#element("MethodOptions", node, { scope: service, features: defaultFeatures("proto3", undefined) });
    const messageOf = (name: Word): string | undefined => {
      // A message that is named like a scalar can only be meant with its package.
      if (isScalar(name.text)) return this.#problems.add(name.place, "wrong-kind", `"${name.text}" is a scalar, not a message.`);
      return this.#scope.find(name, service, ["message"])?.fullName;
    };
    const request = messageOf(node.request);
    const response = messageOf(node.response);
    if (request === undefined || response === undefined) return undefined;
    const level = element.options.find(({ name }) => name === "idempotency_level")?.value;
    const idempotency = level?.is === "name" ? level.text : "";
    return {
      ...element,
      path: `/${service}/${element.name}`,
      request,
      response,
      requestStream: node.requestStream,
      responseStream: node.responseStream,
      idempotency: idempotency === "NO_SIDE_EFFECTS" ? "no-side-effects" : idempotency === "IDEMPOTENT" ? "idempotent" : "unknown",
    };
  }
}

/** The name of a field in JSON: the letter after an underscore is a capital, and underscores are left out. */
const camelCase = (name: string): string => name.replace(/_+([a-zA-Z0-9])?/g, (_, after: string | undefined) => after?.toUpperCase() ?? "");

function stringOption(options: readonly Option[], name: string): string | undefined {
  const value = options.find((option) => option.name === name)?.value;
  return value?.is === "string" ? value.text : undefined;
}

const rangesOf = (nodes: readonly RangeNode[], max: number): Range[] =>
  nodes.map(({ start, end }) => ({
    start: Number(start.value),
    end: end === "max" ? max : Number(end.value),
    place: start.place,
  }));
const reservedOf = (
  { ranges, names }: ReservedNode,
  max: number,
): { reservedRanges: readonly Range[]; reservedNames: readonly ReservedName[] } => ({
  reservedRanges: rangesOf(ranges, max),
  reservedNames: names.map(({ text, place }) => ({ name: text, place })),
});
