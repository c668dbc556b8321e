import type { CodecProcess } from "./codec.ts";
import { questionOf } from "./questions.ts";
import { kindOf, loadVectors } from "./load.ts";

export type Failure = { readonly file: string; readonly id: number; readonly note: string; readonly spec?: string; readonly why: string };
export type FileRun = { readonly file: string; readonly passed: number; readonly failed: number; readonly unasked: number };
export type VectorRun = {
  readonly files: readonly FileRun[];
  readonly failures: readonly Failure[];
  /** Why the run stopped early, if it did: the codec does not answer. */
  readonly unreachable?: string;
};

/** The run stops after this many requests in a row without an answer. */
const MAX_SILENCES = 3;

/** Runs the vectors of the files on the codec, one by one. */
export async function runVectors(
  codec: CodecProcess,
  names: readonly string[],
  folder?: string,
  progress: (run: FileRun) => void = () => {},
): Promise<VectorRun> {
  const files: FileRun[] = [];
  const failures: Failure[] = [];
  const first = await codec.ask({ op: "hpack-decode", tableSize: 4_096, blocks: ["82"] });
  if (first.is === "trouble") return { files, failures, unreachable: first.why };
  let silences = 0;
  for (const name of names) {
    const file = loadVectors(name, folder);
    const before = failures.length;
    let passed = 0;
    let unasked = 0;
    let unreachable: string | undefined;
    for (const vector of file.vectors) {
      const question = questionOf(kindOf(file), vector);
      if (question === undefined) {
        unasked++;
        continue;
      }
      const answer = await codec.ask(question.request);
      if (answer.is === "unknown") {
        unasked++;
        continue;
      }
      const why = question.judge(answer);
      if (why === undefined) passed++;
      else
        failures.push({ file: name, id: vector.id, note: vector.note, ...(vector.spec === undefined ? {} : { spec: vector.spec }), why });
      silences = answer.is === "trouble" ? silences + 1 : 0;
      if (answer.is === "trouble" && silences === MAX_SILENCES) {
        unreachable = `${answer.why} (${MAX_SILENCES} times in a row)`;
        break;
      }
    }
    const run = { file: name, passed, failed: failures.length - before, unasked };
    files.push(run);
    progress(run);
    if (unreachable !== undefined) return { files, failures, unreachable };
  }
  return { files, failures };
}
