import Table from "cli-table3";
import { allPeers, versionOf, type Peer } from "./registry.ts";

const ROLES = ["server", "client", "proxy"] as const;

/** `http1 server`, `http2 client` and so on, in the order of the suites. */
const rolesOf = ({ speaks }: Peer, suites: readonly string[]): string[] =>
  suites.flatMap((suite) => ROLES.filter((role) => speaks[suite]?.[role] !== undefined).map((role) => `${suite} ${role}`));

/** Prints the peers of one suite or of all. Returns the exit status. */
export async function listPeers(suites: readonly string[], suite: string | undefined, json: boolean): Promise<number> {
  if (suite !== undefined && !suites.includes(suite)) {
    console.error(`touchstone: There is no suite "${suite}". Known: ${suites.join(", ")}.`);
    return 2;
  }
  const peers = allPeers().filter(({ speaks }) => suite === undefined || speaks[suite] !== undefined);
  if (peers.length === 0) {
    console.error(
      `touchstone: No peer speaks ${suite} yet. To add one, write conformance/peers/NAME/peer.json with "${suite}" under "speaks".`,
    );
    return 2;
  }
  const rows = await Promise.all(
    peers.map(async (p) => ({
      name: p.name,
      about: p.about,
      roles: rolesOf(p, suite === undefined ? suites : [suite]),
      version: (await versionOf(p)) ?? null,
      install: p.install,
    })),
  );
  if (json) {
    console.log(JSON.stringify(rows, null, 2));
    return 0;
  }
  const table = new Table({ head: ["peer", "role", "version", "about"], style: { head: [], border: [] } });
  for (const { name, roles, version, install, about } of rows)
    table.push([name, roles.join(", "), version ?? `not installed: ${install}`, about]);
  console.log(table.toString());
  return 0;
}
