import { writeFileSync } from "node:fs";
import { contractFolder, type Difference, differencesOf, INSTALL, type Mode, run, VERSION } from "./run.ts";

/** Writes what the runner says of our server and client: `node conformance/peers/connectconformance/publish.ts`. */

const FILE = new URL("../../../reports/published/connectconformance.md", import.meta.url);

const folder = await contractFolder();
if (folder === undefined) throw new Error(`connectconformance is absent: ${INSTALL}`);

const listed = (mode: Mode): string =>
  differencesOf(mode)
    .map(({ cases, why }: Difference) => `- ${cases.map((one) => `\`${one}\``).join(", ")}: ${why}`)
    .join("\n");
const rows: string[] = [];
for (const mode of ["server", "client"] as const) {
  console.error(`${mode}: running, up to a minute`);
  const { isAsExpected, passed, differing, said } = await run(mode, folder);
  if (!isAsExpected) throw new Error(said);
  rows.push(`| ${mode} | ${passed} | ${differing} |`);
}
writeFileSync(
  FILE,
  `# The conformance runner of the connect project

\`connectconformance\` ${VERSION} on our server (connect, grpc and grpc-web; HTTP/1.1 and HTTP/2; octets, and JSON in connect) and on our client (the same over HTTP/2, as octets),
in clear text, over TLS and with client certificates. \`conformance/peers/connectconformance\` has both adapters and the list of differences: those cases must fail.

| our | passed | differences |
| --- | --: | --: |
${rows.join("\n")}

## Differences of the server

${listed("server")}

## Differences of the client

${listed("client")}
`,
);
