import type { Examination } from "./baseline.ts";
import { type Catch, type Course, Judging, type Stage } from "./judge.ts";
import type { OriginalLives } from "./lives.ts";
import { CodecVectors } from "./codec-vectors.ts";
import type { Mutant } from "./mutants.ts";
import type { Asked, Outcome } from "./outcome.ts";
import { livesOf } from "./survey.ts";
import type { Judge, SuiteJudge } from "./targets.ts";
import { UnitTests } from "./units.ts";

/** A prepared judge: a suite with its unmutated subjects, vectors, or test files. */
export type Prepared = { readonly examinations: readonly Examination[] } | Exclude<Judge, SuiteJudge>;

export type Work = {
  readonly root: string;
  readonly judges: readonly Prepared[];
  /** Folders of unit tests. */
  readonly units: readonly string[];
  readonly asked: Asked;
  readonly lives: readonly OriginalLives[];
};

/** Judges one mutant after another. */
export class Worker {
  readonly #work: Work;
  readonly #judging: Judging;
  readonly #tests: UnitTests;
  readonly #vectors: CodecVectors;

  constructor(work: Work) {
    this.#work = work;
    this.#judging = new Judging(work.root);
    this.#tests = new UnitTests(work.root);
    this.#vectors = new CodecVectors(work.root);
  }

  /**
   * `hints`: cases to run first. `isPastCases`: an earlier run has tried all cases except floods. `isListed`: a `survivors.json` explains it, so
   * that floods, which take a minute, are not worth their time; nor are they for a mutant that is alike in every life.
   */
  async judge(
    mutant: Mutant,
    { hints, isPastCases, isListed }: { readonly hints: readonly string[]; readonly isPastCases: boolean; readonly isListed: boolean },
  ): Promise<Outcome> {
    const began = performance.now();
    const { root, judges, asked, units } = this.#work;
    const lived = await livesOf(root, mutant, this.#work.lives);
    const done = (found: Pick<Outcome, "suite" | "unit">): Outcome => ({
      mutant,
      ...found,
      ...(lived === undefined ? {} : { lived }),
      asked,
      ms: Math.round(performance.now() - began),
    });
    const course: Course = { hints, passed: new Set() };
    // What merely moved is caught by a verdict perhaps elsewhere.
    let moved: Catch | undefined;
    for (const judge of isPastCases ? [] : judges) {
      const suite = await this.#asked(mutant, judge, course);
      if (suite !== undefined && suite.moved !== true) return done({ suite });
      moved ??= suite;
    }
    if (moved !== undefined) return done({ suite: moved });
    // Floods mostly wait, so the unit tests run beside them.
    const isSettled = isListed || (lived !== undefined && lived.witness === undefined);
    const floods = asked.abuse && !isSettled ? this.#floods(mutant, course) : undefined;
    const unit = asked.units ? await this.#tests.related(mutant, units) : undefined;
    const suite = await floods;
    return done(suite !== undefined ? { suite } : unit !== undefined ? { unit } : {});
  }

  close(): Promise<void> {
    return this.#judging.close();
  }

  #asked(mutant: Mutant, judge: Prepared, course: Course): Promise<Catch | undefined> {
    if ("tests" in judge) return this.#tests.these(mutant, judge.tests);
    if ("vectors" in judge) return this.#vectors.judge(mutant, judge);
    return this.#stage(mutant, judge.examinations, "cases", course);
  }

  async #floods(mutant: Mutant, course: Course): Promise<Catch | undefined> {
    for (const judge of this.#work.judges) {
      const found = !("examinations" in judge) ? undefined : await this.#stage(mutant, judge.examinations, "floods", course);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #stage(mutant: Mutant, examinations: readonly Examination[], stage: Stage, course: Course): Promise<Catch | undefined> {
    // The subject whose cases caught the last mutants of this file runs first.
    const [hint] = course.hints;
    let moved: Catch | undefined;
    const isHinted = ({ ids, abuse }: Examination): boolean => hint !== undefined && (ids.includes(hint) || abuse.includes(hint));
    for (const one of [...examinations.filter(isHinted), ...examinations.filter((other) => !isHinted(other))]) {
      const found = await this.#judging.judge(mutant, one, stage, course);
      if (found !== undefined && found.moved !== true) return found;
      moved ??= found;
    }
    return moved;
  }
}
