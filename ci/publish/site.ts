import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { coverage, requirementFiles } from "../../conformance/harness/coverage.ts";
import { allPeers, type Peer } from "../../conformance/peers/index.ts";
import { mergeColumns, readColumns, readFinding, type SiteInput } from "../../reports/index.ts";
import { MATRICES } from "./matrices.ts";
import { PROTOCOLS } from "./protocols.ts";
import { QUESTIONS } from "./questions.ts";

/** What the public site is made from: the published columns and findings in a folder, and the requirements. */
export function siteInput(published: string): SiteInput {
  const documents = requirementFiles();
  const peers = allPeers();
  return {
    protocols: PROTOCOLS.map((protocol) => ({
      ...protocol,
      matrices: protocol.matrices.map((name) => {
        const { title = "", nameOf = ({ name }: Peer) => name } = MATRICES[name] ?? {};
        const results = mergeColumns(readColumns(join(published, name)), [], peers.map(nameOf));
        return { name, title, results: results.map((result) => ({ ...result, coverage: coverage(documents, result.cases) })) };
      }),
    })),
    peers,
    documents,
    questions: QUESTIONS,
    findings: findingsIn(join(published, "findings")),
    reproduce: "node ci/reproduce.ts",
  };
}

const findingsIn = (folder: string): SiteInput["findings"] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .sort()
    .map((file) => readFinding(basename(file, ".md"), readFileSync(join(folder, file), "utf8")));
