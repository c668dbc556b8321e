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
export { type Breakage, breakages, BREAKING_RULES, type BreakingRule, type Strength, STRENGTHS } from "./breaking/index.ts";
export { LINT_GROUPS, LINT_RULES, lintContract, type LintGroup, type LintRule } from "./lint/index.ts";
export { byPlace, type Place, type Problem, Problems, problemText } from "./place.ts";
export type { OptionValue } from "./syntax.ts";
export { generate, type GeneratedFile, type GenerateOptions, withNeeded } from "./generate/index.ts";
export { type AnyMessage, messageTypes } from "./types.ts";
export { methodName } from "./generate/names.ts";
