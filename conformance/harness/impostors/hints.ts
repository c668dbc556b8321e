import { readFileSync, writeFileSync } from "node:fs";
import { type Party, uncaught } from "./catch.ts";

/**
 * Which impostor last failed which case, so that the search is short. A hint proves nothing by itself; for a case
 * without one all impostors are tried. Each `*parties.ts` writes its hints when run:
 * `node conformance/SUITE/impostors/ROLE-parties.ts && npx oxfmt conformance/SUITE/impostors/ROLE-hints.json`.
 */
export type Hints = Readonly<Record<string, readonly string[]>>;

export const readHints = (file: URL): Hints => JSON.parse(readFileSync(file, "utf8")) as Hints;

/** Runs all impostors of the parties. Returns which fails which case, and the ids that none fails. */
export async function searchHints(parties: readonly Party[]): Promise<{ readonly hints: Hints; readonly left: readonly string[] }> {
  const hints: Record<string, string[]> = {};
  const left: string[] = [];
  const note = (id: string, name: string): void => void (hints[name] ??= []).push(id);
  for (const party of parties) {
    // An impostor that stops serving for a while misses cases: repeat those that no other failed.
    const first = new Set(await uncaught(party, {}, note));
    left.push(...(await uncaught({ ...party, cases: party.cases.filter(({ id }) => first.has(id)) }, {}, note)));
  }
  // The first of each party fails most cases and runs all of them anyway.
  delete hints["lenient"];
  const sorted = Object.entries(hints).sort(([a], [b]) => a.localeCompare(b));
  return { hints: Object.fromEntries(sorted.map(([name, ids]) => [name, ids.sort()])), left };
}

/** Writes the hints, prints on standard error the cases that no impostor fails, and exits: an impostor may hold a connection forever. */
export async function writeHints(file: URL, parties: readonly Party[]): Promise<never> {
  const { hints, left } = await searchHints(parties);
  writeFileSync(file, `${JSON.stringify(hints, null, 2)}\n`);
  for (const id of left) console.error(`no impostor fails ${id}`);
  process.exit(left.length === 0 ? 0 : 1);
}
