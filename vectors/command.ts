import { InvalidArgumentError, type Command } from "commander";
import { CodecProcess } from "./codec.ts";
import { ASKED } from "./judge.ts";
import { linter } from "./lint.ts";
import { kindOf, loadVectors, vectorFiles, VectorFileError, VECTORS_FOLDER, type VectorFile } from "./load.ts";
import { runVectors, type VectorRun } from "./run.ts";

type Common = { readonly folder: string; readonly json?: true };

/** `touchstone vectors list | lint | run`: the vectors, whether they are in order, and whether a codec agrees with them. */
export function vectorsCommand(program: Command): void {
  const vectors = program
    .command("vectors")
    .description("list the vectors, check their files, or put them to a codec")
    .addHelpText(
      "after",
      `
Examples:
  touchstone vectors list hpack
  touchstone vectors lint
  touchstone vectors run --codec './my-codec'
`,
    );
  vectors
    .command("list")
    .argument("[files...]", "names or beginnings of names: hpack, hpack/huffman")
    .description("what vectors there are")
    .option("--json", "print them as JSON and nothing else")
    .option("--folder <folder>", "vectors of your own", VECTORS_FOLDER)
    .action((wanted: string[], options: Common) => guarded(() => list(wanted, options)));
  vectors
    .command("lint")
    .argument("[files...]", "names or beginnings of names")
    .description("check every file against its schema, its count, its ids and its flags")
    .option("--folder <folder>", "vectors of your own", VECTORS_FOLDER)
    .action((wanted: string[], options: Common) => guarded(() => lint(wanted, options)));
  vectors
    .command("run")
    .argument("[files...]", "names or beginnings of names; by default all that a codec can be asked")
    .requiredOption("--codec <command>", "starts the codec: JSON lines on stdin and stdout (vectors/README.md)")
    .option("--timeout <ms>", "the longest that one answer may take", milliseconds, 5_000)
    .option("--json", "print the result as JSON and nothing else")
    .option("--folder <folder>", "vectors of your own", VECTORS_FOLDER)
    .description("put the vectors to a codec, yours or ours")
    .addHelpText(
      "after",
      `
Examples:
  touchstone vectors run --codec './my-codec'
  touchstone vectors run hpack/huffman hpack/strings --codec 'python3 my-codec.py'
  touchstone vectors run http1 --codec 'python3 my-parser.py'

Exit status: 0 all passed, 1 something failed, 2 the command was wrong, 3 the codec does not answer.`,
    )
    .action((wanted: string[], options: Common & { readonly codec: string; readonly timeout: number }) =>
      guarded(async () => {
        const all = select(wanted, options.folder);
        const names = wanted.length > 0 ? all : all.filter((name) => ASKED.has(kindOf(loadVectors(name, options.folder))));
        const codec = new CodecProcess(options.codec, options.timeout);
        const stop = (): never => {
          codec.stop();
          process.exit(130);
        };
        process.once("SIGINT", stop);
        try {
          const run = await runVectors(codec, names, options.folder, (file) => {
            if (options.json !== true) console.log(`${file.file.padEnd(24)} ${counted(file)}`);
          });
          report(run, options);
        } finally {
          process.off("SIGINT", stop);
          codec.stop();
        }
      }),
    );
}

function milliseconds(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("A number of milliseconds is wanted.");
  return Number(text);
}

/** A wrong name and a damaged file are told in one line. */
async function guarded(action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof VectorFileError)) throw error;
    console.error(`touchstone: ${error.message}`);
    process.exitCode = 2;
  }
}

function select(wanted: readonly string[], folder: string): string[] {
  const all = vectorFiles(folder);
  const names =
    wanted.length === 0
      ? all
      : all.filter((name) => wanted.some((one) => name === one || name.startsWith(one.endsWith("/") ? one : `${one}/`)));
  const unknown = wanted.filter((one) => !names.some((name) => name === one || name.startsWith(one.endsWith("/") ? one : `${one}/`)));
  if (unknown.length > 0) throw new VectorFileError(`There are no vectors "${unknown[0]}". Known: ${all.join(", ")}.`);
  if (names.length === 0) throw new VectorFileError(`There are no vectors in ${folder}.`);
  return names;
}

function list(wanted: readonly string[], { folder, json }: Common): void {
  const files = select(wanted, folder).map((name) => ({ name, file: loadVectors(name, folder) }));
  if (json === true) {
    const rows = files.map(({ name, file }) => ({
      file: name,
      kind: kindOf(file),
      about: file.about,
      source: file.source,
      ...results(file),
    }));
    console.log(JSON.stringify(rows));
    return;
  }
  for (const { name, file } of files) {
    const { valid, invalid, acceptable } = results(file);
    console.log(`${name.padEnd(24)} ${String(file.vectors.length).padStart(4)}  ${file.about}`);
    console.log(`${"".padEnd(31)}${valid} valid, ${invalid} invalid, ${acceptable} acceptable; ${file.source.name}, ${file.source.spec}`);
  }
}

function results({ vectors }: VectorFile): { count: number; valid: number; invalid: number; acceptable: number } {
  const of = (result: string): number => vectors.filter((vector) => vector.result === result).length;
  return { count: vectors.length, valid: of("valid"), invalid: of("invalid"), acceptable: of("acceptable") };
}

function lint(wanted: readonly string[], { folder }: Common): void {
  const check = linter(folder);
  const names = select(wanted, folder);
  const wrong = names.flatMap((name) => check(name));
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
  else console.log(`${names.length} files of vectors are in order.`);
}

function report(run: VectorRun, { json, codec }: { readonly json?: true; readonly codec: string }): void {
  const { files, failures, unreachable } = run;
  const passed = files.reduce((sum, file) => sum + file.passed, 0);
  const failed = failures.length;
  if (json === true) console.log(JSON.stringify({ codec, summary: { passed, failed }, ...run }));
  else {
    for (const { file, id, note, spec, why } of failures)
      console.log(`FAIL ${file} ${id} (${note}${spec === undefined ? "" : `, ${spec}`}): ${why}`);
    if (files.length > 0) console.log(`${passed} passed, ${failed} failed`);
  }
  const wrong = unreachable ?? (passed + failed === 0 ? "the codec has none of the operations that these vectors ask for" : undefined);
  if (wrong !== undefined) console.error(`touchstone: ${wrong}. Check the command: ${codec}`);
  process.exitCode = wrong !== undefined ? 3 : failed > 0 ? 1 : 0;
}

const counted = ({ passed, failed, unasked }: { passed: number; failed: number; unasked: number }): string =>
  [`${passed} passed`, `${failed} failed`, ...(unasked > 0 ? [`${unasked} not for a codec`] : [])].join(", ");
