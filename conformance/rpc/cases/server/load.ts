import type { DialectName } from "../../../../vectors/rpc/question.ts";
import { requirementFiles } from "../../../harness/coverage.ts";
import { sectionOf } from "../../../harness/case.ts";
import { leaves } from "../../../harness/connection/sights.ts";
import { type Duty, owedLevel } from "../../../harness/levels.ts";
import { listOf } from "../../../harness/shapes.ts";
import { REFUSALS, type RpcCase, type Sight } from "../../vocabulary.ts";
import type { Row } from "./phrases.ts";
import { rows as compression } from "./compression.ts";
import { rows as interop } from "./interop.ts";
import { rows as headers } from "./requests-headers.ts";
import { rows as messages } from "./requests-messages.ts";
import { rows as metadata } from "./requests-metadata.ts";
import { rows as responses } from "./responses.ts";
import { rows as streams } from "./streams.ts";

const ROWS: readonly Row[] = [...headers, ...metadata, ...messages, ...compression, ...responses, ...streams];

/** The cases for servers. The service of existing interoperability tests belongs to its dialect. */
export function serverCases(dialect: DialectName = "rpc"): RpcCase[] {
  const duties = new Map(
    requirementFiles().flatMap(({ spec, requirements }) => requirements.map((one): [string, Duty] => [`${spec}#${one.id}`, one])),
  );
  return [...ROWS, ...(dialect === "grpc" ? interop : [])].map(
    ({ id, title, covers, steps, control = steps, allowed, needs, level }): RpcCase => {
      const refs = listOf(covers) as RpcCase["covers"];
      const outcomes: RpcCase["allowed"] = "see" in allowed ? [{ see: allowed }] : allowed;
      const refuses = leaves<Sight>(outcomes[0].see).some(({ see }) => REFUSALS.some((one) => one === see));
      return {
        id: `rpc/server-${id}`,
        spec: sectionOf(refs[0]),
        covers: refs,
        level:
          level ??
          owedLevel(
            refs.flatMap((ref) => duties.get(ref) ?? []),
            "server",
            refuses,
          ),
        role: "server",
        title,
        ...(needs === undefined ? {} : { needs }),
        steps,
        control,
        allowed: outcomes,
      };
    },
  );
}
