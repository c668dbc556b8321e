import { requirementFiles } from "../../../harness/coverage.ts";
import { type Duty, owedLevel } from "../../../harness/levels.ts";
import type { SpecRef } from "../../../../reference/core/index.ts";
import { kindOf, loadVectors } from "../../../../vectors/load.ts";
import { type DialectName, askedOf, permittedOf } from "../../../../vectors/rpc/question.ts";
import type { AnyVector, Kind } from "../../../../vectors/rpc/source/craft.ts";
import type { CodecCase, Step } from "../../codec-vocabulary.ts";
import { COMPRESSED, twinOf } from "./twins.ts";

/** The cases for codecs: one for each vector of `vectors/rpc`. */

/** The files, with what each is about in a title. */
const FILES = {
  envelopes: "the messages of a stream",
  compressed: "compressed messages",
  timeouts: "a timeout",
  "timeouts-written": "a timeout",
  "status-messages": "a status message",
  "status-messages-written": "a status message",
  metadata: "metadata",
  "metadata-written": "metadata",
  statuses: "the status of a call",
  resets: "the error code of a reset",
  "content-types": "a content type",
  "push-backs": "a push-back",
  encodings: "the encoding of a message",
  "envelopes-written": "the messages of a stream",
  "statuses-written": "the status of a call",
} as const;

/** The features that a vector needs: its operation, and its encoding if the codec must know it. */
function needsOf(kind: Kind, vector: AnyVector): string[] {
  if (!("cuts" in vector)) return [`${kind === "rpc-read" ? "read" : "write"}-${vector.of}`];
  const { encoding = "" } = vector;
  return ["messages", ...(Object.hasOwn(COMPRESSED, encoding) ? [encoding] : [])];
}

/** One case per vector, in the order of the files; the ids contain the names of the vectors. */
export function codecCases(dialect: DialectName): CodecCase[] {
  const duties = new Map(
    requirementFiles().flatMap(({ spec, requirements }) => requirements.map((one): [string, Duty] => [`${spec}#${one.id}`, one])),
  );
  return Object.entries(FILES).flatMap(([file, subject]) => {
    const loaded = loadVectors<AnyVector>(`rpc/${file}`);
    // The files of this folder have these kinds only.
    const kind = kindOf(loaded) as Kind;
    return loaded.vectors.map((vector): CodecCase => {
      const { op, ...asked } = askedOf(kind, vector, dialect);
      const twin = twinOf(kind, vector, dialect);
      const isRefused = vector.result === "invalid";
      const verb = isRefused ? "refuses" : kind === "rpc-write" ? "writes" : "reads";
      return {
        id: `rpc/codec-${file}-${vector.name}`,
        spec: vector.spec as SpecRef,
        covers: vector.rules,
        level: owedLevel(
          vector.rules.flatMap((rule) => duties.get(rule) ?? []),
          "codec",
          isRefused,
        ),
        role: "codec",
        title: `The codec ${verb} ${subject}: ${vector.note}.`,
        needs: needsOf(kind, vector),
        steps: [{ do: op, ...asked } as Step],
        control: [twin.step],
        controlSees: twin.see,
        allowed: permittedOf(kind, vector, dialect),
      };
    });
  });
}
