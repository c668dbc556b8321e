import { HTTP_RULES } from "./http-rules.ts";
import { LINE_RULES } from "./line-rules.ts";
import { NAMING_RULES } from "./naming-rules.ts";
import type { Rule } from "./rule.ts";
import { SERIES_RULES } from "./series-rules.ts";
import { TYPE_RULES } from "./type-rules.ts";

/** All rules; a name occurs in one part only. */
const RULES: Readonly<{ [name: string]: Rule | undefined }> = {
  ...HTTP_RULES,
  ...LINE_RULES,
  ...TYPE_RULES,
  ...SERIES_RULES,
  ...NAMING_RULES,
};

/** The rule with this name. Throws `RangeError` for one that does not exist. */
export function ruleOf(name: string): Rule {
  const rule = RULES[name];
  if (rule === undefined) throw new RangeError(`There is no rule "${name}".`);
  return rule;
}
