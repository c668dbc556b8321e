import type { Operator } from "./edit.ts";
import { FLOW_OPERATORS } from "./operators-flow.ts";
import { VALUE_OPERATORS } from "./operators-value.ts";

/** Every kind of mistake. Names are part of the keys in `survivors.json`. */
export const OPERATORS: readonly Operator[] = [...VALUE_OPERATORS, ...FLOW_OPERATORS];
