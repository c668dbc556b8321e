import { loadRoles } from "../../harness/load.ts";
import type { Case } from "../vocabulary.ts";

/** The cases of one role or of all, servers' first, by section. */
export const loadCases = loadRoles<Case>(import.meta.dirname, {
  server: ["server", "server/rfc9204", "server/extensions"],
  client: ["client"],
});
