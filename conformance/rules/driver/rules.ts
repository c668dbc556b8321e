import { ALERT_RULES } from "./alert-rules.ts";
import { API_RULES } from "./api-rules.ts";
import type { Rules } from "./seen.ts";
import { STORE_RULES } from "./store-rules.ts";

/** All rules; a name occurs in one part only. */
export const RULES: Rules = { ...STORE_RULES, ...ALERT_RULES, ...API_RULES };
