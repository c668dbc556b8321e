import { InvalidArgumentError, type Command } from "commander";

export type Common = { readonly folder?: string; readonly json?: true };
export type RunOptions = Common & { readonly codec: string; readonly timeout: number };

/** `touchstone vectors list | lint | run`: the vectors, whether their files are valid, and whether a codec agrees with them. */
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
  const files = `names or beginnings of names: ${suites.join(", ")}, or hpack/huffman`;
  vectors
    .command("list")
    .argument("[files...]", files)
    .description("list the vectors")
    .option("--json", "print them as JSON and nothing else")
    .option("--folder <folder>", "vectors of your own")
    .action(async (wanted: string[], options: Common) => (await act()).list(wanted, options, suites));
  vectors
    .command("lint")
    .argument("[files...]", files)
    .description("check every file against its schema, its count, its ids and its flags")
    .option("--folder <folder>", "vectors of your own")
    .action(async (wanted: string[], options: Common) => (await act()).lint(wanted, options, suites));
  vectors
    .command("run")
    .argument("[files...]", `${files}; by default all that a codec can be asked`)
    .requiredOption("--codec <command>", "starts the codec: JSON lines on stdin and stdout (vectors/README.md)")
    .option("--timeout <ms>", "the longest time to wait for an answer", milliseconds, 5_000)
    .option("--json", "print the result as JSON and nothing else")
    .option("--folder <folder>", "vectors of your own")
    .description("run the vectors on a codec, yours or ours")
    .addHelpText(
      "after",
      `
Examples:
  touchstone vectors run --codec './my-codec'
  touchstone vectors run hpack/huffman hpack/strings --codec 'python3 my-codec.py'
  touchstone vectors run http1 --codec 'python3 my-parser.py'

Exit status: 0 all passed, 1 something failed, 2 the command was wrong, 3 the codec does not answer.`,
    )
    .action(async (wanted: string[], options: RunOptions) => (await act()).run(wanted, options, suites));
}

const act = () => import("./act.ts");

function milliseconds(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("Give a number of milliseconds.");
  return Number(text);
}
