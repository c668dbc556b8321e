import { CodecProcess } from "./codec.ts";
import type { Common, RunOptions } from "./command.ts";
import { isAsked } from "./questions.ts";
import { linter } from "./lint.ts";
import { kindOf, loadVectors, vectorFiles, VectorFileError, VECTORS_FOLDER, type VectorFile } from "./load.ts";
import { runVectors, type VectorRun } from "./run.ts";

/** Runs `touchstone vectors list`. */
export const list = (wanted: readonly string[], options: Common, suites: readonly string[]): Promise<void> =>
  guarded(() => listed(wanted, options, suites));

/** Runs `touchstone vectors lint`. */
export const lint = (wanted: readonly string[], options: Common, suites: readonly string[]): Promise<void> =>
  guarded(() => linted(wanted, options, suites));

/** Runs `touchstone vectors run`. */
export const run = (wanted: readonly string[], options: RunOptions, suites: readonly string[]): Promise<void> =>
  guarded(async () => {
    const { folder = VECTORS_FOLDER } = options;
    const all = select(wanted, folder, suites);
    const names = wanted.length > 0 ? all : all.filter((name) => isAsked(kindOf(loadVectors(name, folder))));
    const codec = new CodecProcess(options.codec, options.timeout);
    const stop = (): never => {
      codec.stop();
      process.exit(130);
    };
    process.once("SIGINT", stop);
    try {
      const done = await runVectors(codec, names, folder, (file) => {
        if (options.json !== true) console.log(`${file.file.padEnd(24)} ${counted(file)}`);
      });
      report(done, options);
    } finally {
      process.off("SIGINT", stop);
      codec.stop();
    }
  });

/** Reports a wrong name or a damaged file in one line. */
async function guarded(action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof VectorFileError)) throw error;
    console.error(`touchstone: ${error.message}`);
    process.exitCode = 2;
  }
}

function select(wanted: readonly string[], folder: string, suites: readonly string[]): string[] {
  const all = vectorFiles(folder);
  const names =
    wanted.length === 0
      ? all
      : all.filter((name) => wanted.some((one) => name === one || name.startsWith(one.endsWith("/") ? one : `${one}/`)));
  const unknown = wanted.filter((one) => !names.some((name) => name === one || name.startsWith(one.endsWith("/") ? one : `${one}/`)));
  const [suite] = unknown.filter((one) => suites.includes(one));
  if (suite !== undefined) throw new VectorFileError(`${suite} has no vectors yet: add files to vectors/${suite}/.`);
  if (unknown.length > 0) throw new VectorFileError(`Unknown vectors "${unknown[0]}". Known: ${all.join(", ")}.`);
  if (names.length === 0) throw new VectorFileError(`No vectors in ${folder}.`);
  return names;
}

function listed(wanted: readonly string[], { folder = VECTORS_FOLDER, json }: Common, suites: readonly string[]): void {
  const files = select(wanted, folder, suites).map((name) => ({ name, file: loadVectors(name, folder) }));
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

function linted(wanted: readonly string[], { folder = VECTORS_FOLDER }: Common, suites: readonly string[]): void {
  const check = linter(folder);
  const names = select(wanted, folder, suites);
  const wrong = names.flatMap((name) => check(name));
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
  else console.log(`${names.length} vector files are valid.`);
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
  const wrong = unreachable ?? (passed + failed === 0 ? "the codec supports no operation of these vectors" : undefined);
  if (wrong !== undefined) console.error(`touchstone: ${wrong}. Check the command: ${codec}`);
  process.exitCode = wrong !== undefined ? 3 : failed > 0 ? 1 : 0;
}

const counted = ({ passed, failed, unasked }: { passed: number; failed: number; unasked: number }): string =>
  [`${passed} passed`, `${failed} failed`, ...(unasked > 0 ? [`${unasked} not for a codec`] : [])].join(", ");
