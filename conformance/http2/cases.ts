import { join } from "node:path";
import type { Role } from "../harness/case.ts";
import { loadFolder } from "../harness/load.ts";
import type { Case } from "./vocabulary.ts";

const HERE = import.meta.dirname;
const FOLDERS: Readonly<Partial<Record<Role, readonly string[]>>> = {
  server: [HERE, join(HERE, "rfc7541"), join(HERE, "extensions")],
  client: [join(HERE, "client")],
};

/** The cases of one role or of all, servers' first, by section. */
export async function loadCases(role?: Role): Promise<Case[]> {
  const folders = role === undefined ? Object.values(FOLDERS).flat() : (FOLDERS[role] ?? []);
  return (await Promise.all(folders.map((folder) => loadFolder<Case>(folder)))).flat();
}
