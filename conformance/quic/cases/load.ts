import { loadRoles } from "../../harness/load.ts";
import type { Case } from "../vocabulary.ts";

/** The cases of one role, by section. */
export const loadCases = loadRoles<Case>(import.meta.dirname, { server: ["server", "server/rfc9001"], client: ["client"] });
