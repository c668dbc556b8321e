/** The types of single values in the language of contracts. */
export type ScalarName =
  | "double"
  | "float"
  | "int32"
  | "int64"
  | "uint32"
  | "uint64"
  | "sint32"
  | "sint64"
  | "fixed32"
  | "fixed64"
  | "sfixed32"
  | "sfixed64"
  | "bool"
  | "string"
  | "bytes";

/** One field of a message, as generated code describes it. What is left out is usual. */
export type FieldRow = {
  readonly number: number;
  readonly type: ScalarName | EnumObject | MessageKind;
  /** For a map: the type of its keys; `type` is that of its values. */
  readonly key?: ScalarName;
  /** For a list: whether its numbers are written in one piece. */
  readonly list?: "packed" | "expanded";
  /** `optional`: absent and zero are different; `required`: it must not be absent. Messages and members of a oneof are always optional. */
  readonly presence?: "optional" | "required";
  /** The property of the oneof that it is in. */
  readonly oneof?: string;
  /** The name in the contract, and the one in JSON, if it is not that of the property. */
  readonly source?: string;
  readonly json?: string;
  /** A message between tags, as a group. */
  readonly isDelimited?: true;
  /** A string that may hold octets that are not UTF-8 (proto2): they become U+FFFD. */
  readonly isLenient?: true;
};

/** A type of messages, whatever they are: made by `messageType`. */
export type MessageKind = {
  /** With its package: `package.Outer.Inner`. */
  readonly name: string;
  /** By the property of the message that holds the field; of a member of a oneof by the value of `is`. */
  readonly fields: FieldRows;
};
export type FieldRows = Readonly<Record<string, FieldRow>>;

/** The member of a oneof that is set, told apart by `is`; undefined if none is. */
export type OneOf<Members> =
  | { readonly [Name in keyof Members]: { readonly is: Name; readonly value: Members[Name] } }[keyof Members]
  | undefined;

type Leaf = string | number | bigint | boolean | Uint8Array | null | undefined;
/** What a message can be made of: every field may be left out, which is zero, empty or absent. */
export type MessageInit<Message> = unknown extends Message
  ? Message
  : Message extends Leaf
    ? Message
    : Message extends ReadonlyMap<infer Key, infer Value>
      ? ReadonlyMap<Key, MessageInit<Value>>
      : Message extends readonly (infer Element)[]
        ? readonly MessageInit<Element>[]
        : Message extends { readonly is: infer Name extends string; readonly value: infer Value }
          ? string extends Name
            ? InitOfFields<Message>
            : { readonly is: Name; readonly value: MessageInit<Value> }
          : InitOfFields<Message>;
type InitOfFields<Message> = { readonly [Name in keyof Message]?: MessageInit<Message[Name]> | undefined };

/** What JSON can express. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

export type JsonOptions = {
  /** Names as in the contract instead of lowerCamelCase (default false). */
  readonly sourceNames?: boolean;
  /** Also fields that are zero or empty (default false). */
  readonly zeros?: boolean;
  /** Finds the type of the message in an `Any` by its full name. */
  readonly typeOf?: (name: string) => MessageKind | undefined;
};
export type JsonReadOptions = {
  /** Ignore names that the message does not have (default false: they are refused). */
  readonly ignoreUnknown?: boolean;
  readonly typeOf?: (name: string) => MessageKind | undefined;
};

/** A type of messages: reads and writes them. Messages themselves are plain objects. */
export type MessageType<Message extends object> = MessageKind & {
  /** A message with all fields: what is left out is zero, empty or absent. */
  create(init?: MessageInit<Message>): Message;
  /** Throws `Misuse` for values that do not fit their fields. */
  encode(message: MessageInit<Message>): Uint8Array;
  /** Throws `MalformedMessage`. The result owns its octets. */
  decode(octets: Uint8Array): Message;
  /** Throws `Misuse` as `encode`, and for what JSON cannot express. */
  toJson(message: MessageInit<Message>, options?: JsonOptions): JsonValue;
  /** Throws `MalformedMessage`. */
  fromJson(json: JsonValue, options?: JsonReadOptions): Message;
};

/**
 * The values of an enum by their names. Its description for codecs is hidden in it. An interface, so that the declarations of generated code
 * name it: they cannot name the symbol.
 */
// oxlint-disable-next-line typescript/consistent-type-definitions -- an alias would be replaced by what it stands for
export interface EnumObject {
  readonly [description]: EnumDescription;
}
export const description: unique symbol = Symbol("enum");
export type EnumDescription = {
  readonly name: string;
  /** Names as in the contract. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<number, string>;
  /** The value of a field that is not set. */
  readonly zero: number;
  /** Whether numbers without a name are unknown fields (proto2). */
  readonly isClosed: boolean;
};
/** The numbers of a closed enum: others are unknown fields. */
export type ClosedEnum<Enum extends EnumObject> = Extract<Enum[keyof Enum], number>;
/** The numbers of an open enum, and any other: a peer with a newer contract sends numbers that have no name here. */
export type OpenEnum<Enum extends EnumObject> = ClosedEnum<Enum> | (number & NonNullable<unknown>);
