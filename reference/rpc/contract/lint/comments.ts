import type { Element } from "../model.ts";
import { each } from "./find.ts";
import type { Linted } from "./linted.ts";
import type { LintRule } from "./rule.ts";

/** Whether there is a comment before the element or after it on its line, apart from instructions for tools. */
const isExplained = ({ comments: { leading, trailing } }: Element): boolean =>
  `${leading}\n${trailing}`
    .split("\n")
    .some((line) => line.trim() !== "" && !/^\s*(?:touchstone-lint-ignore|buf:lint:ignore)\b/.test(line));

const explained = (kind: string, of: (linted: Linted) => readonly Element[]): LintRule => ({
  name: `COMMENT_${kind.toUpperCase().replace("METHOD", "RPC").replace("VALUE", "ENUM_VALUE")}`,
  group: "comments",
  find: each(of, (element) => (isExplained(element) ? undefined : `The ${kind} "${element.name}" has no comment: say what it is for.`)),
});

/** Every element has a comment. */
export const COMMENT_RULES: readonly LintRule[] = [
  explained("message", ({ messages }) => messages.filter(({ isGroup }) => !isGroup)),
  explained("field", ({ fields }) => fields),
  explained("oneof", ({ oneofs }) => oneofs),
  explained("enum", ({ enums }) => enums),
  explained("value", ({ values }) => values.map(({ value }) => value)),
  explained("service", ({ services }) => services),
  explained("method", ({ methods }) => methods.map(({ method }) => method)),
];
