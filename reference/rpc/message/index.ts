/** Messages of contracts as plain objects: what generated code uses to read and write them, as octets and as JSON. */
export { enumeration, enumName } from "./enumeration.ts";
export { MalformedMessage } from "./malformed.ts";
export { messageType } from "./message-type.ts";
export type {
  ClosedEnum,
  EnumDescription,
  EnumObject,
  FieldRow,
  FieldRows,
  JsonOptions,
  JsonReadOptions,
  JsonValue,
  MessageInit,
  MessageKind,
  MessageType,
  OneOf,
  OpenEnum,
  ScalarName,
} from "./types.ts";
export { unknownFields } from "./unknown.ts";
