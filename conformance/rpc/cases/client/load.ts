import { requirementFiles } from "../../../harness/coverage.ts";
import { sectionOf } from "../../../harness/case.ts";
import { leaves } from "../../../harness/connection/sights.ts";
import { type Duty, owedLevel } from "../../../harness/levels.ts";
import { listOf } from "../../../harness/shapes.ts";
import { REFUSALS, type RpcClientCase, type Sight } from "../../client-vocabulary.ts";
import type { Row } from "./phrases.ts";
import { rows as compression } from "./compression.ts";
import { rows as connection } from "./connection.ts";
import { rows as deadlines } from "./deadlines.ts";
import { rows as hedging } from "./hedging.ts";
import { rows as requests } from "./requests.ts";
import { rows as messages } from "./responses-messages.ts";
import { rows as metadata } from "./responses-metadata.ts";
import { rows as statuses } from "./responses-status.ts";
import { rows as retries } from "./retries.ts";
import { rows as streams } from "./streams.ts";
import { rows as throttling } from "./throttling.ts";
import { rows as tls } from "./tls.ts";

const ROWS: readonly Row[] = [
  ...requests,
  ...statuses,
  ...metadata,
  ...messages,
  ...compression,
  ...streams,
  ...deadlines,
  ...connection,
  ...retries,
  ...throttling,
  ...hedging,
  ...tls,
];

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
