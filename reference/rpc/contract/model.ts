import type { Comments } from "./parse/comments.ts";
import type { Place } from "./place.ts";
import type { OptionValue, Syntax } from "./syntax.ts";

/**
 * A contract that was read and checked: every name is resolved, every default is decided. References between types are full names without a
 * leading point (`package.Outer.Inner`), to be looked up in the maps of `Contract`.
 */
export type Contract = {
  /** Every file, imported ones included, by path; a file comes after those that it imports. */
  readonly files: ReadonlyMap<string, ContractFile>;
  /** The files that were asked for, in that order. */
  readonly roots: readonly ContractFile[];
  /** Every message, nested ones included, by full name. Entries of maps are no messages here. */
  readonly messages: ReadonlyMap<string, Message>;
  readonly enums: ReadonlyMap<string, Enum>;
  readonly services: ReadonlyMap<string, Service>;
  readonly extensions: ReadonlyMap<string, Field>;
};

/** An option: `deprecated`, `features.field_presence`, or the full name of an extension in parentheses, `(my.option).part`. */
export type Option = { readonly name: string; readonly value: OptionValue; readonly place: Place };

/** What every element has. */
export type Element = {
  readonly name: string;
  /** With package and outer messages. A value of an enum has the scope of its enum, as the language demands: `package.VALUE`. */
  readonly fullName: string;
  /** Where its name is written. */
  readonly place: Place;
  readonly comments: Comments;
  readonly options: readonly Option[];
  readonly isDeprecated: boolean;
};

export type ContractFile = {
  readonly path: string;
  readonly syntax: Syntax;
  /** `2023`; only with editions. */
  readonly edition: string | undefined;
  /** Where the syntax is declared; undefined if it is not, which means proto2. */
  readonly syntaxPlace: Place | undefined;
  readonly syntaxComments: Comments;
  /** Empty without a package. */
  readonly package: string;
  readonly packagePlace: Place | undefined;
  readonly packageComments: Comments;
  readonly imports: readonly Import[];
  readonly messages: readonly Message[];
  readonly enums: readonly Enum[];
  readonly services: readonly Service[];
  readonly extensions: readonly Field[];
  readonly options: readonly Option[];
  readonly isDeprecated: boolean;
};
export type Import = {
  readonly path: string;
  readonly kind: "plain" | "public" | "weak" | "option";
  readonly place: Place;
  /** Whether a name of this file needs it. */
  readonly isUsed: boolean;
};

/** Numbers of fields or of enum values, both ends included. */
export type Range = { readonly start: number; readonly end: number; readonly place: Place };
export type ReservedName = { readonly name: string; readonly place: Place };

export type Message = Element & {
  readonly is: "message";
  /** The path of its file. */
  readonly file: string;
  /** In the order of the text, those of oneofs included. */
  readonly fields: readonly Field[];
  readonly oneofs: readonly Oneof[];
  readonly messages: readonly Message[];
  readonly enums: readonly Enum[];
  /** Extensions declared inside of it, of whichever message. */
  readonly extensions: readonly Field[];
  readonly extensionRanges: readonly Range[];
  readonly reservedRanges: readonly Range[];
  readonly reservedNames: readonly ReservedName[];
  /** Whether it is the type of a group. */
  readonly isGroup: boolean;
  /** Whether it promises a form in JSON: not in proto2, unless a feature says otherwise. */
  readonly hasJson: boolean;
  readonly visibility: "export" | "local" | undefined;
};

export const SCALARS = [
  "double",
  "float",
  "int32",
  "int64",
  "uint32",
  "uint64",
  "sint32",
  "sint64",
  "fixed32",
  "fixed64",
  "sfixed32",
  "sfixed64",
  "bool",
  "string",
  "bytes",
] as const;
export type Scalar = (typeof SCALARS)[number];

/** The type of a value. */
export type ValueType =
  | { readonly is: "scalar"; readonly scalar: Scalar }
  | { readonly is: "message"; readonly name: string }
  | { readonly is: "enum"; readonly name: string };
export type FieldType = ValueType | { readonly is: "map"; readonly key: Scalar; readonly value: ValueType };

export type Field = Element & {
  readonly number: number;
  readonly numberPlace: Place;
  readonly type: FieldType;
  readonly typePlace: Place;
  /** Its name in JSON, and whether an option gives it. */
  readonly jsonName: string;
  readonly hasJsonName: boolean;
  /** The word before it in the text, if any. */
  readonly label: "optional" | "required" | "repeated" | undefined;
  /** How a reader sees whether it was sent: not at all (`implicit`), by presence, or because it must be; `repeated` for lists and maps. */
  readonly presence: "implicit" | "explicit" | "required" | "repeated";
  /** The name of its oneof. */
  readonly oneof: string | undefined;
  /** Whether numbers of a list are written packed. */
  readonly isPacked: boolean;
  /** Whether the message is written between tags, as a group. */
  readonly isDelimited: boolean;
  /** Whether a string that is not UTF-8 is refused. */
  readonly isUtf8: boolean;
  /** The default as written, if there is an option for it. */
  readonly default: OptionValue | undefined;
  /** The full name of the message that it extends; only for extensions. */
  readonly extendee: string | undefined;
};
export type Oneof = Element & { readonly fields: readonly string[] };

export type Enum = Element & {
  readonly is: "enum";
  readonly file: string;
  readonly values: readonly EnumValue[];
  readonly reservedRanges: readonly Range[];
  readonly reservedNames: readonly ReservedName[];
  /** Whether numbers that have no name are refused (proto2) or kept as they are. */
  readonly isClosed: boolean;
  readonly allowsAlias: boolean;
  /** As of a message. */
  readonly hasJson: boolean;
  readonly visibility: "export" | "local" | undefined;
};
export type EnumValue = Element & { readonly number: number; readonly numberPlace: Place };

export type Service = Element & { readonly is: "service"; readonly file: string; readonly methods: readonly Method[] };
export type Method = Element & {
  /** `/package.Service/Method`, the path of its requests. */
  readonly path: string;
  /** Full names of messages. */
  readonly request: string;
  readonly response: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  /** What the contract promises about repetition. */
  readonly idempotency: "unknown" | "no-side-effects" | "idempotent";
};
