import type { Enum, EnumValue, Field, Message, Method, Oneof, Service } from "../model.ts";
import { each, styled } from "./find.ts";
import type { Linted } from "./linted.ts";
import type { LintRule } from "./rule.ts";
import { isLowerSnakeCase, isPascalCase, isUpperSnakeCase, lowerSnakeCase, pascalCase, upperSnakeCase } from "./words.ts";

const PASCAL = { is: isPascalCase, to: pascalCase, style: "PascalCase" } as const;
const LOWER = { is: isLowerSnakeCase, to: lowerSnakeCase, style: "lower_snake_case" } as const;
const UPPER = { is: isUpperSnakeCase, to: upperSnakeCase, style: "UPPER_SNAKE_CASE" } as const;

const messages = ({ messages }: Linted): readonly Message[] => messages;
const fields = ({ fields }: Linted): readonly Field[] => fields;
const oneofs = ({ oneofs }: Linted): readonly Oneof[] => oneofs;
const enums = ({ enums }: Linted): readonly Enum[] => enums;
const values = ({ values }: Linted): readonly EnumValue[] => values.map(({ value }) => value);
const services = ({ services }: Linted): readonly Service[] => services;
const methods = ({ methods }: Linted): readonly Method[] => methods.map(({ method }) => method);

const ZERO_SUFFIX = "_UNSPECIFIED";
const SERVICE_SUFFIX = "Service";

/** Names by style, and what names must say. */
export const NAME_RULES: readonly LintRule[] = [
  { name: "MESSAGE_PASCAL_CASE", group: "standard", find: styled(messages, { ...PASCAL, kind: "message" }) },
  {
    name: "FIELD_LOWER_SNAKE_CASE",
    group: "standard",
    // A group gives its field the name of its type.
    find: styled(({ fields }) => fields.filter(({ isDelimited }) => !isDelimited), { ...LOWER, kind: "field" }),
  },
  { name: "ONEOF_LOWER_SNAKE_CASE", group: "standard", find: styled(oneofs, { ...LOWER, kind: "oneof" }) },
  { name: "ENUM_PASCAL_CASE", group: "standard", find: styled(enums, { ...PASCAL, kind: "enum" }) },
  { name: "ENUM_VALUE_UPPER_SNAKE_CASE", group: "standard", find: styled(values, { ...UPPER, kind: "value" }) },
  {
    name: "ENUM_VALUE_PREFIX",
    group: "standard",
    find: ({ values }) =>
      values.flatMap(({ value, of }) => {
        const prefix = `${upperSnakeCase(of.name)}_`;
        if (value.name.startsWith(prefix)) return [];
        const text = `The name of the value "${value.name}" does not begin with "${prefix}": values share the scope around their enum.`;
        return [{ on: value, at: value.place, text }];
      }),
  },
  {
    name: "ENUM_ZERO_VALUE_SUFFIX",
    group: "standard",
    find: each(values, ({ name, number }) =>
      number !== 0 || name.endsWith(ZERO_SUFFIX)
        ? undefined
        : `The name of the value "${name}" does not end with "${ZERO_SUFFIX}": zero is what a reader sees in a field that nobody set.`,
    ),
  },
  {
    name: "ENUM_FIRST_VALUE_ZERO",
    group: "standard",
    find: ({ enums }) =>
      enums.flatMap(({ name, values: [first] }) => {
        if (first === undefined || first.number === 0) return [];
        const text = `The first value of the enum "${name}" is ${first.number}: begin with one that is 0 and means unspecified.`;
        return [{ on: first, at: first.place, text }];
      }),
  },
  {
    name: "ENUM_NO_ALLOW_ALIAS",
    group: "standard",
    find: ({ enums }) =>
      enums
        .filter(({ allowsAlias }) => allowsAlias)
        .map((one) => ({
          on: one,
          at: one.options.find(({ name }) => name === "allow_alias")?.place ?? one.place,
          text: `The enum "${one.name}" gives several names to a number: use one, since JSON writes only one of them.`,
        })),
  },
  {
    name: "FIELD_NOT_REQUIRED",
    group: "standard",
    find: each(fields, ({ name, presence }) =>
      presence === "required" ? `The field "${name}" is required, so that it can never be removed: make it optional.` : undefined,
    ),
  },
  { name: "SERVICE_PASCAL_CASE", group: "standard", find: styled(services, { ...PASCAL, kind: "service" }) },
  {
    name: "SERVICE_SUFFIX",
    group: "standard",
    find: each(services, ({ name }) =>
      name.endsWith(SERVICE_SUFFIX) ? undefined : `The name of the service "${name}" does not end with "${SERVICE_SUFFIX}".`,
    ),
  },
  { name: "RPC_PASCAL_CASE", group: "standard", find: styled(methods, { ...PASCAL, kind: "method" }) },
];
