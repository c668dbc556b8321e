import Table from "cli-table3";
import type { Command } from "commander";
import { allPeers, versionOf, type Peer, type PeerProtocol } from "./registry.ts";

/** `http1 server`, `http2 client` and so on. */
const rolesOf = (p: Peer): string[] =>
  PROTOCOLS.flatMap((protocol) =>
    (["server", "client", "proxy"] as const).filter((role) => p[protocol]?.[role] !== undefined).map((role) => `${protocol} ${role}`),
  );
const PROTOCOLS: readonly PeerProtocol[] = ["http1", "http2", "websocket", "metrics"];

/** `touchstone peers`: which third-party implementations are here, and how to get the others. */
export function peersCommand(program: Command): void {
  program
    .command("peers")
    .description("list the third-party implementations that this project knows how to start, and which are here")
    .option("--json", "print an array of {name, about, roles, version, install} instead of a table")
    .addHelpText("after", "\nExamples:\n  touchstone peers\n  touchstone peers --json | jq '.[] | select(.version == null) | .install'\n")
    .action(async (options: { json?: boolean }) => {
      const rows = await Promise.all(
        allPeers().map(async (p) => ({
          name: p.name,
          about: p.about,
          roles: rolesOf(p),
          version: (await versionOf(p)) ?? null,
          install: p.install,
        })),
      );
      if (options.json === true) {
        console.log(JSON.stringify(rows, null, 2));
        return;
      }
      const table = new Table({ head: ["peer", "role", "version", "what it is"], style: { head: [], border: [] } });
      for (const row of rows) table.push([row.name, row.roles.join(", "), row.version ?? `not here: ${row.install}`, row.about]);
      console.log(table.toString());
    });
}
