import { readFileSync, writeFileSync } from "node:fs";
import { type Party, uncaught } from "./catch.ts";

/**
 * Which impostor was last seen to fail which case: where the search begins, so that it is short. It proves nothing by itself, and a case
 * that is not in it is searched for among all. The `*parties.ts` write theirs anew when they are run:
 * `node conformance/SUITE/impostors/ROLE-parties.ts && npx oxfmt conformance/SUITE/impostors/ROLE-hints.json`.
 */
export type Hints = Readonly<Record<string, readonly string[]>>;

export const readHints = (file: URL): Hints => JSON.parse(readFileSync(file, "utf8")) as Hints;

/** Asks all of the parties' impostors: who fails what, and the ids that nobody fails. */
export async function searchHints(parties: readonly Party[]): Promise<{ readonly hints: Hints; readonly left: readonly string[] }> {
  const hints: Record<string, string[]> = {};
  const left: string[] = [];
  const note = (id: string, name: string): void => void (hints[name] ??= []).push(id);
  for (const party of parties) {
    // Who serves nobody for a while has no time for all: it is asked again what nobody else has failed.
    const first = new Set(await uncaught(party, {}, note));
    left.push(...(await uncaught({ ...party, cases: party.cases.filter(({ id }) => first.has(id)) }, {}, note)));
  }
  // The first of each party catches most, and is asked everything anyway.
  delete hints["lenient"];
  const sorted = Object.entries(hints).sort(([a], [b]) => a.localeCompare(b));
  return { hints: Object.fromEntries(sorted.map(([name, ids]) => [name, ids.sort()])), left };
}

/** Writes the hints anew, names on standard error what nobody fails, and ends the process: an impostor may hold a connection for ever. */
export async function writeHints(file: URL, parties: readonly Party[]): Promise<never> {
  const { hints, left } = await searchHints(parties);
  writeFileSync(file, `${JSON.stringify(hints, null, 2)}\n`);
  for (const id of left) console.error(`no impostor fails ${id}`);
  process.exit(left.length === 0 ? 0 : 1);
}
