import type { Command } from "commander";
import { wholeNumber } from "../options.ts";

export type Common = { readonly folder?: string; readonly json?: true };
export type RunOptions = Common & { readonly codec: string; readonly timeout: number };

/** `touchstone vectors list | lint | run`: lists the vectors, checks their files, or runs them on a codec. */
export function vectorsCommand(vectors: Command, suites: readonly string[]): void {
  vectors.addHelpText(
    "after",
    `
Examples:
  touchstone vectors list hpack
  touchstone vectors lint
  touchstone vectors run --codec './my-codec'
`,
  );
  const files = `folders or files: ${suites.join(", ")}, or hpack/huffman`;
  vectors
    .command("list")
    .argument("[files...]", files)
    .description("list the vectors")
    .option("--json", "print only JSON")
    .option("--folder <folder>", "use the vectors in this folder")
    .action(async (wanted: string[], options: Common) => (await act()).list(wanted, options, suites));
  vectors
    .command("lint")
    .argument("[files...]", files)
    .description("check every file against its schema, and its count, ids and flags")
    .option("--folder <folder>", "use the vectors in this folder")
    .action(async (wanted: string[], options: Common) => (await act()).lint(wanted, options, suites));
  vectors
    .command("run")
    .argument("[files...]", `${files} (default: all that a codec can answer)`)
    .requiredOption("--codec <command>", "the codec to start: JSON lines on stdin and stdout (vectors/README.md)")
    .option("--timeout <ms>", "the longest time to wait for an answer", wholeNumber(1, 9_999_999), 5_000)
    .option("--json", "print only the result, as JSON")
    .option("--folder <folder>", "use the vectors in this folder")
    .description("run the vectors on a codec")
    .addHelpText(
      "after",
      `
Examples:
  touchstone vectors run --codec './my-codec'
  touchstone vectors run hpack/huffman hpack/strings --codec 'python3 my-codec.py'
  touchstone vectors run http1 --codec 'python3 my-parser.py'

Exit status: 0 all passed, 1 something failed, 2 wrong command, 3 the codec does not answer.`,
    )
    .action(async (wanted: string[], options: RunOptions) => (await act()).run(wanted, options, suites));
}

const act = () => import("./act.ts");
