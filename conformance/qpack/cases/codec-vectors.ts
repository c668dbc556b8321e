import type { SpecRef } from "../../../reference/core/index.ts";
import { loadVectors } from "../../../vectors/load.ts";
import { askedOf, permittedOf } from "../../../vectors/qpack/question.ts";
import type { QpackVector } from "../../../vectors/qpack/source/craft.ts";
import { requirementFiles } from "../../harness/coverage.ts";
import { type Duty, owedLevel } from "../../harness/levels.ts";
import type { Case, Outcome, Step } from "../vocabulary.ts";

/** The cases for decoders: one for each vector of `vectors/qpack`. */

/** The files, with what each is about in a title. */
const FILES = {
  "appendix-b": "an example of the specification",
  "static-table": "the static table",
  instructions: "instructions",
  sections: "a section",
  blocked: "sections and their insertions",
} as const;

const stepOf = (vector: QpackVector): Step => {
  const { op, ...asked } = askedOf(vector);
  return { do: op, ...asked };
};
/** A static field, which every decoder can read. */
export const PLAIN: Step = { do: "qpack-decode", capacity: 220, blocked: 16, steps: [{ section: "0000c1", stream: 4 }] };

/** One case per vector, in the order of the files; the ids contain the names of the vectors. */
export function vectorCases(): Case[] {
  const duties = new Map(
    requirementFiles().flatMap(({ spec, requirements }) => requirements.map((one): [string, Duty] => [`${spec}#${one.id}`, one])),
  );
  return Object.entries(FILES).flatMap(([file, subject]) =>
    loadVectors<QpackVector>(`qpack/${file}`).vectors.map((vector): Case => {
      const isRefused = vector.result === "invalid";
      const allowed = permittedOf(vector).map((see, at): Outcome =>
        at === 0 || vector.by === undefined ? { see } : { see, by: vector.by },
      );
      return {
        id: `qpack/decoder-${file}-${vector.name}`,
        spec: vector.spec as SpecRef,
        covers: vector.rules,
        level: owedLevel(
          vector.rules.flatMap((rule) => duties.get(rule) ?? []),
          "codec",
          isRefused,
        ),
        role: "codec",
        title: `A decoder ${isRefused ? "refuses" : "reads"} ${subject}: ${vector.note}.`,
        needs: ["decode"],
        steps: [stepOf(vector)],
        control: [PLAIN],
        allowed: [allowed[0]!, ...allowed.slice(1)],
      };
    }),
  );
}
