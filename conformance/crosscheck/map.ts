import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseMap } from "./compare.ts";

/** `h2spec-map.json`: by their section and title, the ids of ours that check the same. Versions 2.2.1 (146 cases) and 2.6.0 (147) are both in it. */
export const H2SPEC_MAP = JSON.parse(readFileSync(join(import.meta.dirname, "h2spec-map.json"), "utf8")) as CaseMap;
