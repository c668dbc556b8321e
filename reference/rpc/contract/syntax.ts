import type { Comments } from "./parse/comments.ts";
import type { Place } from "./place.ts";

/** A contract as it is written: names are not resolved, and nothing is checked. The text parser and the reader of descriptors make it. */

export type Word = { readonly text: string; readonly place: Place };
export type Whole = { readonly value: bigint; readonly place: Place };

/** The value of an option. A name is a word without quotes (`SPEED`, `true`, `inf`); a message is written with braces. */
export type OptionValue =
  | { readonly is: "name" | "string"; readonly text: string }
  | { readonly is: "integer"; readonly value: bigint }
  | { readonly is: "float"; readonly value: number }
  | { readonly is: "list"; readonly values: readonly OptionValue[] }
  | { readonly is: "message"; readonly fields: readonly { readonly name: string; readonly value: OptionValue }[] };

/** `deprecated = true` or `(my.option).part = 1`: names of extensions are in parentheses. */
export type OptionNode = {
  readonly path: readonly { readonly name: string; readonly isExtension: boolean }[];
  readonly value: OptionValue;
  readonly place: Place;
};

type Node = { readonly name: Word; readonly comments: Comments; readonly options: readonly OptionNode[] };

export type RangeNode = { readonly start: Whole; readonly end: Whole | "max" };
export type FieldNode = Node & {
  readonly label: "optional" | "required" | "repeated" | undefined;
  /** The name of a scalar, a message or an enum; of the values of a map. */
  readonly type: Word;
  /** The type of the keys, for a map. */
  readonly mapKey: Word | undefined;
  /** Which of the message's oneofs it is in. */
  readonly oneof: number | undefined;
  readonly isGroup: boolean;
  readonly number: Whole;
};
export type OneofNode = Node;
export type ReservedNode = { readonly ranges: readonly RangeNode[]; readonly names: readonly Word[] };
export type MessageNode = Node & {
  readonly is: "message";
  readonly fields: readonly FieldNode[];
  readonly oneofs: readonly OneofNode[];
  readonly messages: readonly MessageNode[];
  readonly enums: readonly EnumNode[];
  readonly extends: readonly ExtendNode[];
  readonly extensionRanges: readonly (RangeNode & { readonly options: readonly OptionNode[] })[];
  readonly reserved: ReservedNode;
  /** Whether it is written as the type of a group, in one piece with its field. */
  readonly isGroup: boolean;
  readonly visibility: "export" | "local" | undefined;
};
export type EnumValueNode = Node & { readonly number: Whole };
export type EnumNode = Node & {
  readonly is: "enum";
  readonly values: readonly EnumValueNode[];
  readonly reserved: ReservedNode;
  readonly visibility: "export" | "local" | undefined;
};
export type ExtendNode = { readonly extendee: Word; readonly fields: readonly FieldNode[] };
export type MethodNode = Node & {
  readonly request: Word;
  readonly response: Word;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
};
export type ServiceNode = Node & { readonly methods: readonly MethodNode[] };
export type ImportNode = { readonly path: Word; readonly kind: "plain" | "public" | "weak" | "option" };

export type Syntax = "proto2" | "proto3" | "editions";
export type FileNode = {
  readonly path: string;
  readonly syntax: Syntax;
  /** `2023`; only with editions. */
  readonly edition: string | undefined;
  /** Where the syntax is declared; a file without a declaration is proto2. */
  readonly syntaxPlace: Place | undefined;
  readonly syntaxComments: Comments;
  readonly package: (Word & { readonly comments: Comments }) | undefined;
  readonly imports: readonly ImportNode[];
  readonly options: readonly OptionNode[];
  readonly messages: readonly MessageNode[];
  readonly enums: readonly EnumNode[];
  readonly extends: readonly ExtendNode[];
  readonly services: readonly ServiceNode[];
};
