import { FEDERATION_RULES } from "./federation-rules.ts";
import { JSON_RULES } from "./json-rules.ts";
import type { Rules } from "./seen.ts";
import { TARGET_RULES } from "./target-rules.ts";

/** All rules; a name occurs in one part only. */
export const RULES: Rules = { ...FEDERATION_RULES, ...JSON_RULES, ...TARGET_RULES };
