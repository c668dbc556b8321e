import { writeFileSync } from "node:fs";
import { CASES } from "./cases.ts";
import { INSTALL, mustAgree, ourClient, ourServer, programs, theirClient, theirServer, VERSION } from "./run.ts";

/** Writes which interoperability tests pass between us and grpc-go: `node conformance/peers/interop/publish.ts`. */

const FILE = new URL("../../../reports/published/rpc-interop.md", import.meta.url);

const folder = await programs();
if (folder === undefined) throw new Error(`the interoperability programs of grpc-go are absent: ${INSTALL}`);
mustAgree();

const verdict = async (run: Promise<void>): Promise<string> => {
  try {
    await run;
    return "passed";
  } catch (error) {
    return `failed: ${(error as Error).message.replaceAll(/[\n|]+/g, " ").slice(0, 200)}`;
  }
};
await using ours = await ourServer();
await using theirs = await theirServer(folder);
const rows: string[] = [];
for (const one of CASES) {
  const server = await verdict(theirClient(folder, ours.port, one));
  const client = one.notTheirServer === undefined ? await verdict(ourClient(theirs.port, one)) : `not offered: ${one.notTheirServer}`;
  console.error(`${one.name}: ${server}; ${client}`);
  rows.push(`| \`${one.name}\` | ${server} | ${client} |`);
}
writeFileSync(
  FILE,
  `# The interoperability tests of grpc-go

The client and the server of grpc-go ${VERSION} (\`google.golang.org/grpc/interop\`) against our server and our client, in clear text: every case that needs no cloud.
Soak tests make 100 large calls by four threads of their client, ten one after the other by ours. \`orca_oob\` of our client reads the stream of reports itself: only their client has a policy that shows them.
\`conformance/peers/interop\` has the programs; \`node conformance/peers/interop/publish.ts\` writes this page.

| case | their client, our server | our client, their server |
| --- | --- | --- |
${rows.join("\n")}
`,
);
