import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { uncaught } from "./catch.ts";
import { http1ServerParties } from "./http1-server-parties.ts";
import { parties } from "./parties.ts";

/**
 * Which impostor was last seen to fail which case: where the search begins, so that it is short. It proves nothing by itself, and a case
 * that is not in it is searched for among all. To write it anew: `node conformance/impostors/hints.ts && npx oxfmt conformance/impostors/hints.json`.
 */
export type Hints = Readonly<Record<string, readonly string[]>>;

const FILE = join(import.meta.dirname, "hints.json");

export const readHints = (): Hints => JSON.parse(readFileSync(FILE, "utf8")) as Hints;

async function search(): Promise<void> {
  const { servers, tls, clients, tlsClients, codecs } = await parties();
  const http1 = await http1ServerParties();
  const hints: Record<string, string[]> = {};
  const note = (id: string, name: string): void => void (hints[name] ??= []).push(id);
  const left = [
    ...(await uncaught(servers, {}, note)),
    ...(await uncaught(tls, {}, note)),
    ...(await uncaught(clients, {}, note)),
    ...(await uncaught(tlsClients, {}, note)),
    ...(await uncaught(codecs, {}, note)),
    ...(await uncaught(http1.servers, {}, note)),
    ...(await uncaught(http1.floods, {}, note)),
  ];
  for (const id of left) console.error(`no impostor fails ${id}`);
  const sorted = Object.entries(hints).sort(([a], [b]) => a.localeCompare(b));
  // The first of each kind catches most, and is asked everything anyway.
  const lines = sorted
    .filter(([name]) => name !== "lenient")
    .map(
      ([name, ids]) =>
        `  ${JSON.stringify(name)}: [\n${ids
          .sort()
          .map((id) => `    "${id}"`)
          .join(",\n")}\n  ]`,
    );
  writeFileSync(FILE, `{\n${lines.join(",\n")}\n}\n`);
}

if (import.meta.main) {
  await search();
  process.exit();
}
