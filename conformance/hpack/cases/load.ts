import { loadRoles } from "../../harness/load.ts";
import type { Case } from "../vocabulary.ts";

/** All cases, by section. */
export const loadCases = loadRoles<Case>(import.meta.dirname, { codec: ["codec"] });
