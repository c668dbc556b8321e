/** Reads contracts: `.proto` files to a checked model with the place of every element. It performs no I/O. */
export { CONTRACT_LIMITS, type ContractLimits } from "./limits.ts";
export { type Loaded, loadContract, type ReadContract } from "./load.ts";
export type {
  Contract,
  ContractFile,
  Element,
  Enum,
  EnumValue,
  Field,
  FieldType,
  Import,
  Message,
  Method,
  Oneof,
  Option,
  Range,
  ReservedName,
  Scalar,
  Service,
  ValueType,
} from "./model.ts";
export type { Comments } from "./parse/comments.ts";
export { byPlace, type Place, type Problem, Problems, problemText } from "./place.ts";
export type { OptionValue } from "./syntax.ts";
