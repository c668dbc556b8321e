/**
 * Runs some cases of a published matrix on one implementation again, and prints what crossed the wire. It writes nothing.
 * `node ci/reproduce.ts MATRIX NAME CASE …`: `node ci/reproduce.ts http1-servers nginx http1/range-with-post`. A case is an id, a glob or a
 * section. Exit status 0: the cases ran, whatever their verdicts; 2: the command was wrong; 3: the implementation is not installed here.
 */
import { renderText, type CaseResult } from "../conformance/index.ts";
import { allPeers, versionOf } from "../conformance/peers/index.ts";
import { MATRICES } from "./publish/matrices.ts";

/** The transcript of one case with its verdict, as text. */
const shown = (c: CaseResult): string =>
  [
    `${c.verdict.toUpperCase()} ${c.id} (${c.spec}, ${c.level})`,
    c.title,
    ...c.expected.map((one, at) => `${at === 0 ? "Expected:" : "      or:"} ${one}`),
    `Observed: ${c.observed}`,
    `Reason:   ${c.reason}`,
    renderText(c.transcript, { hex: false }),
  ].join("\n");

/** Exit status. */
async function reproduce([matrix = "", name = "", ...only]: readonly string[]): Promise<number> {
  const how = MATRICES[matrix];
  const found = allPeers().find((p) => how?.has(p) === true && (how.nameOf?.(p) ?? p.name) === name);
  if (how === undefined || found === undefined || only.length === 0) {
    const known = how === undefined ? Object.keys(MATRICES) : allPeers().flatMap((p) => (how.has(p) ? (how.nameOf?.(p) ?? p.name) : []));
    console.error(`Usage: node ci/reproduce.ts MATRIX NAME CASE …. ${how === undefined ? "Matrices" : "Names"}: ${known.join(", ")}.`);
    return 2;
  }
  if ((await versionOf(found)) === undefined) {
    console.error(`${name} is not installed here: ${found.install}.`);
    return 3;
  }
  const { subject, cases } = await how.judge(found, { only });
  console.log(`${subject.name} ${subject.version}`);
  for (const c of cases) console.log(`\n${shown(c)}`);
  return 0;
}

process.exitCode = await reproduce(process.argv.slice(2));
