import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * A file of cases begins with the number of its section: `6.9-window-update.ts`; in another document than the folder's own with that
 * before it: `rfc8441-4-extended-connect.ts`; floods begin with `abuse`. Everything else in a folder is machinery.
 */
const CASE_FILE = /^(?:(?:rfc\d{4}-)?\d[\d.]*|abuse)-[\w-]+\.(?:ts|js)$/;

/** Every case of a folder's files, in the order of the sections: a file that is put there is part of the suite. */
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
