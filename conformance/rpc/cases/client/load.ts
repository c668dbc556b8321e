import { requirementFiles } from "../../../harness/coverage.ts";
import { sectionOf } from "../../../harness/case.ts";
import { leaves } from "../../../harness/connection/sights.ts";
import { type Duty, owedLevel } from "../../../harness/levels.ts";
import { listOf } from "../../../harness/shapes.ts";
import { REFUSALS, type RpcClientCase, type Sight } from "../../client-vocabulary.ts";
import type { Row } from "./phrases.ts";
import { rows as requests } from "./requests.ts";
import { rows as statuses } from "./responses-status.ts";

const ROWS: readonly Row[] = [...requests, ...statuses];

/** The cases for clients. */
export function clientCases(): RpcClientCase[] {
  const duties = new Map(
    requirementFiles().flatMap(({ spec, requirements }) => requirements.map((one): [string, Duty] => [`${spec}#${one.id}`, one])),
  );
  return ROWS.map(({ id, title, covers, steps, control = steps, allowed, needs, level }): RpcClientCase => {
    const refs = listOf(covers) as RpcClientCase["covers"];
    const outcomes: RpcClientCase["allowed"] = "see" in allowed ? [{ see: allowed }] : allowed;
    const refuses = leaves<Sight>(outcomes[0].see).some(({ see }) => REFUSALS.some((one) => one === see));
    return {
      id: `rpc/client-${id}`,
      spec: sectionOf(refs[0]),
      covers: refs,
      level:
        level ??
        owedLevel(
          refs.flatMap((ref) => duties.get(ref) ?? []),
          "client",
          refuses,
        ),
      role: "client",
      title,
      ...(needs === undefined ? {} : { needs }),
      steps,
      control,
      allowed: outcomes,
    };
  });
}
