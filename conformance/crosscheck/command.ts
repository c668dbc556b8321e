import type { Command } from "commander";
import { check } from "../check.ts";
import { guarded } from "../guarded.ts";
import { WrongUse } from "../harness/driver.ts";
import { compare, comparisonText } from "./compare.ts";
import { findH2spec, h2specVersion, runH2spec } from "./h2spec.ts";
import { H2SPEC_MAP } from "./map.ts";

type Flags = { h2spec?: string; json?: boolean; timeout?: string };

/** `touchstone crosscheck`: h2spec and this suite on the same server, and where they disagree. */
export function crosscheckCommand(program: Command): void {
  program
    .command("crosscheck")
    .description("Run h2spec and our cases on the same server, and list where the verdicts differ, with our evidence.")
    .argument("<suite>", "http2")
    .argument("<url>", "the server: http:// or https://")
    .option("--h2spec <path>", "the program; found on the PATH by default")
    .option("--timeout <seconds>", "what h2spec waits for an answer", "2")
    .option("--json", "print the comparison as JSON")
    .addHelpText(
      "after",
      `
Examples:
  touchstone crosscheck http2 http://127.0.0.1:8080/
  touchstone crosscheck http2 https://127.0.0.1:8443/ --h2spec ~/go/bin/h2spec

ci/h2spec.sh installs h2spec with Go.

Exit status: 0 the verdicts agree, 1 they differ somewhere, 2 the command was wrong or h2spec is absent, 3 the server could not be reached.`,
    )
    .action(async (suite: string, url: string, flags: Flags) => {
      process.exitCode = await guarded(() => act(suite, url, flags));
    });
}

async function act(suite: string, url: string, flags: Flags): Promise<number> {
  if (suite !== "http2") throw new WrongUse(`There is nothing to cross-check "${suite}" with: only http2.`);
  const seconds = Number(flags.timeout ?? 2);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 60) throw new WrongUse("--timeout is a number of seconds from 1 to 60.");
  const program = findH2spec(flags.h2spec);
  // Ours first: it tells a wrong address in one line.
  const ours = await check({ suite: "http2", subject: url });
  const theirs = await runH2spec(program, url, seconds);
  const comparisons = compare(theirs, ours.cases, H2SPEC_MAP);
  if (flags.json === true)
    process.stdout.write(`${JSON.stringify({ subject: ours.subject, h2spec: await h2specVersion(program), comparisons }, null, 2)}\n`);
  else process.stdout.write(comparisonText(comparisons, `touchstone check http2 ${url}`));
  return comparisons.some(({ is }) => is === "differ") ? 1 : 0;
}
