import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Role } from "./case.ts";

/**
 * A file of cases starts with the number of its section (`6.9-window-update.ts`), preceded by the document if it is not the folder's own
 * (`rfc8441-4-extended-connect.ts`), or with `abuse`. No other file holds cases.
 */
const CASE_FILE = /^(?:(?:rfc\d{4}-)?\d[\d.]*|abuse)-[\w-]+\.(?:ts|js)$/;

/** Every case in a folder, in the order of the sections. A new file is part of the suite without being listed. */
export async function loadFolder<C>(folder: string): Promise<C[]> {
  const names = (await readdir(folder)).filter((name) => CASE_FILE.test(name));
  names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const loaded = await Promise.all(
    names.map(async (name) => {
      const module = (await import(pathToFileURL(join(folder, name)).href)) as { readonly cases?: readonly C[] };
      if (module.cases === undefined) throw new Error(`${name} exports no cases`);
      return module.cases;
    }),
  );
  return loaded.flat();
}

/** A loader of the cases of one role, or of all roles in this order. Each role has its folders below `root`. */
export function loadRoles<C>(root: string, folders: Readonly<Partial<Record<Role, readonly string[]>>>): (role?: Role) => Promise<C[]> {
  return async (role) => {
    const wanted = role === undefined ? Object.values(folders).flat() : (folders[role] ?? []);
    return (await Promise.all(wanted.map((folder) => loadFolder<C>(join(root, folder))))).flat();
  };
}
