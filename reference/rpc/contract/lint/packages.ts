import type { Contract } from "../model.ts";

/** Which packages each package imports. */
export type PackageImports = ReadonlyMap<string, ReadonlySet<string>>;

/** The packages on the shortest way from an imported package back to the one that imports it; undefined if there is no way. */
export function importCycle(from: string, imported: string, imports: PackageImports): readonly string[] | undefined {
  if (imported === from) return undefined;
  // Breadth first: the shortest way is the clearest.
  const ways: string[][] = [[from, imported]];
  const seen = new Set([imported]);
  for (const way of ways)
    for (const next of imports.get(way.at(-1) ?? "") ?? []) {
      if (next === from) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  return undefined;
}

export function packageImports({ files }: Contract): PackageImports {
  const imports = new Map<string, Set<string>>();
  for (const file of files.values()) {
    const own = imports.get(file.package) ?? new Set();
    imports.set(file.package, own);
    for (const { path } of file.imports) {
      const imported = files.get(path)?.package;
      if (imported !== undefined && imported !== file.package) own.add(imported);
    }
  }
  return imports;
}
