import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { codecCommand } from "../../conformance/harness/subject/codec-command.ts";
import { CodecProcess } from "../../vectors/codec.ts";
import { kindOf, loadVectors, vectorFiles } from "../../vectors/load.ts";
import { isAsked } from "../../vectors/questions.ts";
import { runVectors, type VectorRun } from "../../vectors/run.ts";
import { commandIn, orderFor } from "./hooked.ts";
import type { Catch } from "./judge.ts";
import type { Mutant } from "./mutants.ts";
import type { VectorsJudge } from "./targets.ts";

/** How long an answer may take: a mutant may loop. */
const ANSWER_MS = 20_000;

/** Judges mutants as `touchstone vectors run --codec` judges any codec. */
export class CodecVectors {
  readonly #root: string;
  /** What an unmutated codec fails, by its program. */
  readonly #clean = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The vector that detects the mistake. */
  async judge(mutant: Mutant, judge: VectorsJudge): Promise<Catch | undefined> {
    const { failures, unreachable } = await this.#run(mutant, judge);
    if (unreachable === undefined && failures.length === 0) return undefined;
    const failsAnyway = await this.#failsClean(judge);
    const found = failures.find((one) => !failsAnyway.has(nameOf(one)));
    if (found !== undefined) return { by: `${found.file} ${found.id}`, how: found.why };
    return unreachable === undefined || failsAnyway.has(UNREACHABLE) ? undefined : { by: judge.vectors, how: unreachable };
  }

  #failsClean(judge: VectorsJudge): Promise<ReadonlySet<string>> {
    const known =
      this.#clean.get(judge.codec) ??
      this.#run(undefined, judge).then(
        ({ failures, unreachable }) => new Set([...failures.map(nameOf), ...(unreachable === undefined ? [] : [UNREACHABLE])]),
      );
    this.#clean.set(judge.codec, known);
    return known;
  }

  async #run(mutant: Mutant | undefined, { vectors, codec }: VectorsJudge): Promise<VectorRun> {
    const names = vectorFiles().filter((name) => name.startsWith(`${vectors}/`) && isAsked(kindOf(loadVectors(name))));
    const order = orderFor(mutant, this.#root);
    const asked = new CodecProcess(commandIn(order, codecCommand(codec, pathToFileURL(join(this.#root, "package.json")).href)), ANSWER_MS);
    try {
      return await runVectors(asked, names);
    } finally {
      asked.stop();
      order.remove();
    }
  }
}

const UNREACHABLE = "unreachable";
const nameOf = ({ file, id }: { readonly file: string; readonly id: number }): string => `${file} ${id}`;
