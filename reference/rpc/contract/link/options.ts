import type { Option } from "../model.ts";
import type { OptionNode, OptionValue } from "../syntax.ts";
import type { Problems } from "../place.ts";
import type { Scope } from "./scope.ts";
import { FEATURE_VALUES } from "./features.ts";

/** The elements that have options, by the message of `google/protobuf/descriptor.proto` that describes them. */
export type Owner =
  | "FileOptions"
  | "MessageOptions"
  | "FieldOptions"
  | "OneofOptions"
  | "EnumOptions"
  | "EnumValueOptions"
  | "ServiceOptions"
  | "MethodOptions"
  | "ExtensionRangeOptions";

/** What the value of an option may be: a kind, or one of some words. */
type Allowed = "bool" | "string" | "any" | readonly string[];

/** The options that the language defines, in the order of `descriptor.proto`. */
const KNOWN: Readonly<Record<Owner, Readonly<Record<string, Allowed>>>> = {
  FileOptions: {
    java_package: "string",
    java_outer_classname: "string",
    java_multiple_files: "bool",
    java_generate_equals_and_hash: "bool",
    java_string_check_utf8: "bool",
    optimize_for: ["SPEED", "CODE_SIZE", "LITE_RUNTIME"],
    go_package: "string",
    cc_generic_services: "bool",
    java_generic_services: "bool",
    py_generic_services: "bool",
    deprecated: "bool",
    cc_enable_arenas: "bool",
    objc_class_prefix: "string",
    csharp_namespace: "string",
    swift_prefix: "string",
    php_class_prefix: "string",
    php_namespace: "string",
    php_metadata_namespace: "string",
    ruby_package: "string",
    features: "any",
  },
  MessageOptions: {
    message_set_wire_format: "bool",
    no_standard_descriptor_accessor: "bool",
    deprecated: "bool",
    deprecated_legacy_json_field_conflicts: "bool",
    features: "any",
  },
  FieldOptions: {
    ctype: ["STRING", "CORD", "STRING_PIECE"],
    packed: "bool",
    jstype: ["JS_NORMAL", "JS_STRING", "JS_NUMBER"],
    lazy: "bool",
    unverified_lazy: "bool",
    deprecated: "bool",
    weak: "bool",
    debug_redact: "bool",
    retention: ["RETENTION_UNKNOWN", "RETENTION_RUNTIME", "RETENTION_SOURCE"],
    targets: "any",
    edition_defaults: "any",
    features: "any",
    feature_support: "any",
    default: "any",
    json_name: "string",
  },
  OneofOptions: { features: "any" },
  EnumOptions: { allow_alias: "bool", deprecated: "bool", deprecated_legacy_json_field_conflicts: "bool", features: "any" },
  EnumValueOptions: { deprecated: "bool", features: "any", debug_redact: "bool", feature_support: "any" },
  ServiceOptions: { features: "any", deprecated: "bool" },
  MethodOptions: {
    deprecated: "bool",
    idempotency_level: ["IDEMPOTENCY_UNKNOWN", "NO_SIDE_EFFECTS", "IDEMPOTENT"],
    features: "any",
  },
  ExtensionRangeOptions: { declaration: "any", features: "any", verification: ["DECLARATION", "UNVERIFIED"] },
};
/** Options that can be given several times. */
export const REPEATED: ReadonlySet<string> = new Set(["targets", "edition_defaults", "declaration"]);

/** Checks the options of one element and resolves the names of extensions among them. */
export class Options {
  readonly #scope: Scope;
  readonly #problems: Problems;
  readonly #hasFeatures: boolean;

  constructor(scope: Scope, problems: Problems, hasFeatures: boolean) {
    this.#scope = scope;
    this.#problems = problems;
    this.#hasFeatures = hasFeatures;
  }

  resolve(owner: Owner, nodes: readonly OptionNode[], within: string): readonly Option[] {
    const seen = new Set<string>();
    return nodes.flatMap((node) => {
      const name = node.path[0]?.isExtension === true ? this.#extension(node, within) : this.#known(owner, node, within);
      if (name === undefined) return [];
      for (const extension of extensionsIn(node.value)) this.#scope.use(extension, within);
      // Options whose value is a list or a message may be given in several statements.
      if (seen.has(name) && !REPEATED.has(name) && !name.startsWith("("))
        this.#problems.add(node.place, "option-repeated", `The option "${name}" is given twice.`);
      seen.add(name);
      return [{ name, value: node.value, place: node.place }];
    });
  }

  #extension({ path, place }: OptionNode, within: string): string | undefined {
    const names = path.map(({ name, isExtension }) => {
      if (!isExtension) return name;
      const found = this.#scope.find({ text: name, place }, within, ["extension"]);
      return found === undefined ? undefined : `(${found.fullName})`;
    });
    return names.includes(undefined) ? undefined : names.join(".");
  }

  #known(owner: Owner, { path, value, place }: OptionNode, within: string): string | undefined {
    const [{ name } = { name: "" }, ...rest] = path;
    const full = path.map((part) => (part.isExtension ? `(${part.name})` : part.name)).join(".");
    const allowed = KNOWN[owner][name];
    const wrong = (rule: string, message: string): undefined => this.#problems.add(place, rule, message);
    if (owner === "MessageOptions" && name === "map_entry")
      return wrong("map-entry", 'The option "map_entry" is set by the compiler: write "map<key, value>".');
    if (allowed === undefined || !Object.hasOwn(KNOWN[owner], name))
      return wrong("unknown-option", `The option "${name}" is not known here; the name of an extension needs parentheses: "(${name})".`);
    if (name === "features") return this.#features(full, { path, value, place }, within);
    if (rest.length > 0 && allowed !== "any") return wrong("unknown-option", `The option "${name}" has no parts.`);
    if (allowed === "bool" && !(value.is === "name" && (value.text === "true" || value.text === "false")))
      return wrong("option-value", `The option "${name}" is either true or false.`);
    if (allowed === "string" && value.is !== "string") return wrong("option-value", `The value of "${name}" is a string in quotes.`);
    if (typeof allowed === "object" && !(value.is === "name" && allowed.includes(value.text)))
      return wrong("option-value", `The option "${name}" is one of ${allowed.join(", ")}.`);
    return full;
  }

  #features(full: string, { path, value, place }: OptionNode, within: string): string | undefined {
    if (!this.#hasFeatures) {
      this.#problems.add(place, "features", "Features need an edition: they are not part of proto2 and proto3.");
      return undefined;
    }
    const [, part] = path;
    const given = part === undefined ? (value.is === "message" ? value.fields : []) : [{ name: part.name, value }];
    // Features of languages are extensions; only their generators know the values.
    if (part?.isExtension === true) return this.#extension({ path, value, place }, within);
    for (const { name, value: one } of given) {
      const values = Object.entries(FEATURE_VALUES).find(([feature]) => feature === name)?.[1];
      if (name.startsWith("[")) continue;
      if (values === undefined) this.#problems.add(place, "features", `The feature "${name}" is not known.`);
      else if (one.is !== "name" || !values.some((each) => each === one.text))
        this.#problems.add(place, "features", `The feature "${name}" is one of ${values.join(", ")}.`);
    }
    return full;
  }
}

/** The names of the extensions in a value with braces: `{ [my.option]: 1 }`. */
function extensionsIn(value: OptionValue): readonly string[] {
  if (value.is === "list") return value.values.flatMap(extensionsIn);
  if (value.is !== "message") return [];
  return value.fields.flatMap((field) => [...(field.name.startsWith("[") ? [field.name.slice(1, -1)] : []), ...extensionsIn(field.value)]);
}

/** Whether an option that is either true or false is true. */
export const isTrue = (options: readonly Option[], name: string): boolean => {
  const value = options.find((option) => option.name === name)?.value;
  return value?.is === "name" && value.text === "true";
};
