import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseMap } from "../../crosscheck/crosscheck.ts";

/** `h2spec-map.json`: the ids of our cases that check the same, by h2spec's section and title. It covers versions 2.2.1 (146 cases) and 2.6.0 (147). */
export const H2SPEC_MAP = JSON.parse(readFileSync(join(import.meta.dirname, "h2spec-map.json"), "utf8")) as CaseMap;
