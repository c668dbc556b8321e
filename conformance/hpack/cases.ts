import { loadFolder } from "../harness/load.ts";
import type { Case } from "./vocabulary.ts";

/** All cases, by section. */
export const loadCases = (): Promise<Case[]> => loadFolder<Case>(import.meta.dirname);
