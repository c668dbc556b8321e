import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What stands beside the files of cases. */
const MACHINERY = /^(?:index|vocabulary|phrases)\.|\.test\.|\.d\.ts$/;

/** Every case of a folder's files, in the order of the sections: a file that is put there is part of the suite. */
export async function loadFolder<C>(folder: string): Promise<C[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:ts|js)$/.test(name) && !MACHINERY.test(name));
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
