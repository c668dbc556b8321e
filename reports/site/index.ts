/** The public site: pages from published results, without a request to anywhere else. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cleaned } from "../clean.ts";
import { findingOf } from "./findings.ts";
import { heldBy } from "./held.ts";
import { implementationPages } from "./implementation.ts";
import type { SiteInput } from "./input.ts";
import { allJudged } from "./judged.ts";
import { landing } from "./landing.ts";
import { protocolOf } from "./protocol.ts";
import { questionOf } from "./question.ts";
import { documentOf } from "./requirements.ts";
import { searchIndex } from "./search-index.ts";
import { rendered, shared } from "./shell.ts";

export { readFinding } from "./finding-file.ts";
export type { Question, SiteInput } from "./input.ts";

/** The files of the site, by their path in it. */
export function siteFiles(dirty: SiteInput): Map<string, string> {
  const input = cleaned(dirty);
  const held = heldBy(allJudged(input));
  const pages = [
    landing(input, held),
    ...input.protocols.map((protocol) => protocolOf(input, protocol)),
    ...implementationPages(input),
    ...input.questions.map((question) => questionOf(input, question)),
    ...input.documents.map((document) => documentOf(input, held, document)),
    ...input.findings.map(findingOf),
  ];
  return new Map([...pages.map((page) => [page.path, rendered(page)] as const), ["search-index.js", searchIndex(input)], ...shared()]);
}

/** Writes the site, and nothing else stays in its folder. */
export function writeSite(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
