import type { Level } from "../../../../reference/core/index.ts";
import type { ExpositionKind } from "../../../../vectors/exposition/question.ts";
import type { PageVector } from "../../../../vectors/exposition/source/craft.ts";
import { loadVectors } from "../../../../vectors/load.ts";
import { sectionOf } from "../../../harness/case.ts";
import { requirementFiles } from "../../../harness/coverage.ts";
import type { CodecCase } from "../../codec-vocabulary.ts";

/** The cases for parsers of metrics pages: one for each page of `vectors/exposition` that must be accepted or must be refused. Pages that may be either are vectors only. */

const FILES: readonly (readonly [file: string, kind: ExpositionKind])[] = [
  ["text-lines", "exposition-text"],
  ["text-families", "exposition-text"],
  ["openmetrics-lines", "exposition-openmetrics"],
  ["openmetrics-families", "exposition-openmetrics"],
];
const FORMATS: Readonly<Record<ExpositionKind, string>> = {
  "exposition-text": "in the text format",
  "exposition-openmetrics": "of OpenMetrics",
};

/** One case for each vector with a required verdict, in both formats, in the order of the files. */
export function codecCases(): CodecCase[] {
  const levels = new Map(
    requirementFiles().flatMap(({ spec, requirements }) => requirements.map(({ id, level }): [string, Level] => [`${spec}#${id}`, level])),
  );
  return FILES.flatMap(([file, kind]) => {
    const { vectors } = loadVectors<PageVector>(`exposition/${file}`);
    return vectors
      .filter(({ result }) => result !== "acceptable")
      .map((vector): CodecCase => ({
        id: `metrics/${kind === "exposition-text" ? "text-" : ""}${vector.name}`,
        spec: sectionOf(vector.rule),
        covers: [vector.rule],
        level: levels.get(vector.rule) ?? "MUST",
        role: "codec",
        title: `${vector.result === "valid" ? "Accepts" : "Refuses"} a page ${FORMATS[kind]}: ${vector.note}.`,
        needs: [kind],
        steps: [{ do: kind, page: vector.page }],
        control: [{ do: kind, page: vector.control ?? "" }],
        allowed: [{ see: vector.result === "valid" ? { see: "read", samples: vector.samples ?? [] } : { see: "refused" } }],
      }));
  });
}
