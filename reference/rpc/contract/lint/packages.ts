import type { Contract, ContractFile, Import } from "../model.ts";

/** The packages on the way from an imported file back to the package of the file that imports it; undefined if there is no way. */
export function importCycle(file: ContractFile, { path }: Import, contract: Contract): readonly string[] | undefined {
  const imported = contract.files.get(path)?.package;
  if (imported === undefined || imported === file.package) return undefined;
  const imports = packageImports(contract);
  // Breadth first: the shortest way is the clearest.
  const ways: string[][] = [[file.package, imported]];
  const seen = new Set([imported]);
  for (const way of ways)
    for (const next of imports.get(way.at(-1) ?? "") ?? []) {
      if (next === file.package) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  return undefined;
}

/** Which packages each package imports. */
function packageImports({ files }: Contract): ReadonlyMap<string, ReadonlySet<string>> {
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
