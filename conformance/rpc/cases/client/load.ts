import { REFUSALS, type RpcClientCase } from "../../client-vocabulary.ts";
import { casesOf } from "../rows.ts";
import type { Row } from "./phrases.ts";
import { rows as balancing } from "./balancing.ts";
import { rows as policies } from "./policies.ts";
import { rows as names } from "./names.ts";
import { rows as outliers } from "./outliers.ts";
import { rows as configs } from "./published-configs.ts";
import { rows as compression } from "./compression.ts";
import { rows as connection } from "./connection.ts";
import { rows as scaling } from "./connection-scaling.ts";
import { rows as deadlines } from "./deadlines.ts";
import { rows as health } from "./health.ts";
import { rows as hedging } from "./hedging.ts";
import { rows as requests } from "./requests.ts";
import { rows as messages } from "./responses-messages.ts";
import { rows as metadata } from "./responses-metadata.ts";
import { rows as statuses } from "./responses-status.ts";
import { rows as retries } from "./retries.ts";
import { rows as streams } from "./streams.ts";
import { rows as throttling } from "./throttling.ts";
import { rows as tls } from "./tls.ts";
import { rows as weights } from "./weights.ts";
import { rows as weightStreams } from "./weights-streams.ts";

const ROWS: readonly Row[] = [
  ...requests,
  ...statuses,
  ...metadata,
  ...messages,
  ...compression,
  ...streams,
  ...deadlines,
  ...connection,
  ...scaling,
  ...retries,
  ...throttling,
  ...hedging,
  ...health,
  ...balancing,
  ...policies,
  ...outliers,
  ...weights,
  ...weightStreams,
  ...names,
  ...configs,
  ...tls,
];

/** The cases for clients. */
export const clientCases = (): RpcClientCase[] => casesOf("client", ROWS, REFUSALS);
