import type { Vector } from "../../../load.ts";
import type { VectorSource } from "../../../write.ts";

/**
 * The functions that build pairs of contracts: an old one, a new one, and what breaks between them. Each pair holds one change, in a context small
 * enough to read. Append to lists only: the position of a pair is its id.
 */

/** Whom a change breaks: users of code generated for a file, or for a package, and peers that exchange JSON or binary messages. */
export const STRENGTHS = ["file", "package", "wireJson", "wire"] as const;
export type Strength = (typeof STRENGTHS)[number];

const ALL: readonly Strength[] = STRENGTHS;
const SOURCE: readonly Strength[] = ["file", "package"];
const JSON_TOO: readonly Strength[] = ["file", "package", "wireJson"];

/** The rules, by the names that `buf` gave them, and the strengths that each belongs to (`buf config ls-breaking-rules`). */
const RULES = {
  ENUM_NO_DELETE: ["file"],
  ENUM_SAME_JSON_FORMAT: JSON_TOO,
  ENUM_SAME_TYPE: SOURCE,
  ENUM_VALUE_NO_DELETE: SOURCE,
  ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED: ["wireJson"],
  ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED: ["wireJson", "wire"],
  ENUM_VALUE_SAME_NAME: JSON_TOO,
  EXTENSION_MESSAGE_NO_DELETE: SOURCE,
  EXTENSION_NO_DELETE: ["file"],
  EXTENSION_SAME_NUMBER: ALL,
  FIELD_NO_DELETE: SOURCE,
  FIELD_NO_DELETE_UNLESS_NAME_RESERVED: ["wireJson"],
  FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED: ["wireJson", "wire"],
  FIELD_SAME_CARDINALITY: SOURCE,
  FIELD_SAME_CPP_STRING_TYPE: SOURCE,
  FIELD_SAME_DEFAULT: ALL,
  FIELD_SAME_JAVA_UTF8_VALIDATION: SOURCE,
  FIELD_SAME_JSON_NAME: JSON_TOO,
  FIELD_SAME_JSTYPE: SOURCE,
  FIELD_SAME_NAME: JSON_TOO,
  FIELD_SAME_ONEOF: ALL,
  FIELD_SAME_TYPE: SOURCE,
  FIELD_SAME_UTF8_VALIDATION: SOURCE,
  FIELD_WIRE_COMPATIBLE_CARDINALITY: ["wire"],
  FIELD_WIRE_COMPATIBLE_TYPE: ["wire"],
  FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY: ["wireJson"],
  FIELD_WIRE_JSON_COMPATIBLE_TYPE: ["wireJson"],
  FILE_NO_DELETE: ["file"],
  FILE_SAME_CC_ENABLE_ARENAS: SOURCE,
  FILE_SAME_CC_GENERIC_SERVICES: SOURCE,
  FILE_SAME_CSHARP_NAMESPACE: SOURCE,
  FILE_SAME_GO_PACKAGE: SOURCE,
  FILE_SAME_JAVA_GENERIC_SERVICES: SOURCE,
  FILE_SAME_JAVA_MULTIPLE_FILES: SOURCE,
  FILE_SAME_JAVA_OUTER_CLASSNAME: SOURCE,
  FILE_SAME_JAVA_PACKAGE: SOURCE,
  FILE_SAME_OBJC_CLASS_PREFIX: SOURCE,
  FILE_SAME_OPTIMIZE_FOR: SOURCE,
  FILE_SAME_PACKAGE: ALL,
  FILE_SAME_PHP_CLASS_PREFIX: SOURCE,
  FILE_SAME_PHP_METADATA_NAMESPACE: SOURCE,
  FILE_SAME_PHP_NAMESPACE: SOURCE,
  FILE_SAME_PY_GENERIC_SERVICES: SOURCE,
  FILE_SAME_RUBY_PACKAGE: SOURCE,
  FILE_SAME_SWIFT_PREFIX: SOURCE,
  FILE_SAME_SYNTAX: SOURCE,
  MESSAGE_NO_DELETE: ["file"],
  MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR: SOURCE,
  MESSAGE_SAME_JSON_FORMAT: JSON_TOO,
  MESSAGE_SAME_REQUIRED_FIELDS: ALL,
  ONEOF_NO_DELETE: SOURCE,
  PACKAGE_ENUM_NO_DELETE: ["package"],
  PACKAGE_EXTENSION_NO_DELETE: ["package"],
  PACKAGE_MESSAGE_NO_DELETE: ["package"],
  PACKAGE_NO_DELETE: ["package"],
  PACKAGE_SERVICE_NO_DELETE: ["package"],
  RESERVED_ENUM_NO_DELETE: ALL,
  RESERVED_MESSAGE_NO_DELETE: ALL,
  RPC_NO_DELETE: SOURCE,
  RPC_SAME_CLIENT_STREAMING: ALL,
  RPC_SAME_IDEMPOTENCY_LEVEL: ALL,
  RPC_SAME_REQUEST_TYPE: ALL,
  RPC_SAME_RESPONSE_TYPE: ALL,
  RPC_SAME_SERVER_STREAMING: ALL,
  SERVICE_NO_DELETE: ["file"],
} as const satisfies Readonly<Record<string, readonly Strength[]>>;
export type BreakingRule = keyof typeof RULES;
export const isRule = (name: string): name is BreakingRule => Object.hasOwn(RULES, name);
export const RULE_NAMES: readonly BreakingRule[] = Object.keys(RULES).filter(isRule);

/** The texts of a contract, by the path of each file. */
export type Files = Readonly<Record<string, string>>;
/** The broken rules of each strength, in the order of the alphabet; a strength without any is not broken. */
export type Breaks = Readonly<Record<Strength, readonly string[]>>;
export type BreakingVector = Vector & {
  /** Permanent, and unique in its file. */
  readonly name: string;
  readonly old: Files;
  readonly new: Files;
  readonly breaks: Breaks;
  /** Where `buf` differs: its rules, and why. */
  readonly peer?: { readonly breaks: Breaks; readonly why: string };
};
export type BreakingDraft = Omit<BreakingVector, "id">;
export type BreakingSource = VectorSource<BreakingVector>;

/** The broken rules, by strength. */
export const breaksOf = (rules: readonly BreakingRule[]): Breaks => {
  const within = (strength: Strength): string[] => rules.filter((rule) => (RULES[rule] as readonly Strength[]).includes(strength)).sort();
  return { file: within("file"), package: within("package"), wireJson: within("wireJson"), wire: within("wire") };
};

type Draft = {
  readonly flag: string;
  readonly old: string | Files;
  readonly new: string | Files;
  readonly rules?: readonly BreakingRule[];
  /** The rules that `buf` reports, where they differ, and why. */
  readonly buf?: { readonly rules: readonly BreakingRule[]; readonly why: string };
};

/** A change from one contract to another. A contract in one file is called `shop.proto`. The words of the note are the permanent name. */
export function pair(note: string, { flag, old, new: changed, rules = [], buf }: Draft): BreakingDraft {
  const files = (texts: string | Files): Files => (typeof texts === "string" ? { "shop.proto": texts } : texts);
  return {
    name: note.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, ""),
    note,
    old: files(old),
    new: files(changed),
    breaks: breaksOf(rules),
    ...(buf === undefined ? {} : { peer: { breaks: breaksOf(buf.rules), why: buf.why } }),
    result: rules.length === 0 ? "valid" : "invalid",
    flags: [flag],
  };
}

/** A file of package `shop.v1`. */
export const proto3 = (...lines: string[]): string => ['syntax = "proto3";', "package shop.v1;", ...lines, ""].join("\n");
export const proto2 = (...lines: string[]): string => ['syntax = "proto2";', "package shop.v1;", ...lines, ""].join("\n");
export const edition2023 = (...lines: string[]): string => ['edition = "2023";', "package shop.v1;", ...lines, ""].join("\n");

/** A block of a contract: `block("message Order", "string id = 1;")`. */
export const block = (head: string, ...body: string[]): string => [`${head} {`, ...body.flatMap((lines) => lines.split("\n").map((line) => `  ${line}`)), "}"].join("\n");
/** The message that most changes are made to. */
export const order = (...body: string[]): string => block("message Order", ...body);

/** The rules for a field whose type has changed. */
export const TYPE = ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "FIELD_WIRE_COMPATIBLE_TYPE"] as const;
/** The same, where binary messages still mean the same. */
export const TYPE_BUT_WIRE = ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE"] as const;
/** The rules for a field that is deleted without a reservation. */
export const DELETED_FIELD = ["FIELD_NO_DELETE", "FIELD_NO_DELETE_UNLESS_NAME_RESERVED", "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED"] as const;
/** The rules for an enum value that is deleted without a reservation. */
export const DELETED_VALUE = [
  "ENUM_VALUE_NO_DELETE",
  "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED",
  "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED",
] as const;
/** The rules for a field whose cardinality has changed. */
export const CARDINALITY = ["FIELD_SAME_CARDINALITY", "FIELD_WIRE_COMPATIBLE_CARDINALITY", "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY"] as const;
