import { type Answer, ApiError } from "./answer.ts";
import type { ApiParts } from "./contract.ts";
import type { Params } from "./params.ts";

/** The status of the server (Prometheus docs, querying/api.md, "Status"). */

const SHOWN = 10;
const MOST_SHOWN = 10_000;

/** `status/tsdb`: `limit` entries in each table, 10 by default and 10,000 at most. */
export function tsdb(parts: ApiParts, params: Params): Answer {
  const asked = params.limit();
  if (Number.isFinite(asked) && asked > MOST_SHOWN) throw new ApiError("bad_data", `limit must not exceed ${MOST_SHOWN}`);
  return { data: parts.stats(Number.isFinite(asked) ? asked : SHOWN) };
}

export const blocks = (parts: ApiParts): Answer => ({ data: { blocks: parts.blocks() } });
export const config = ({ status }: ApiParts): Answer => ({ data: { yaml: status.config() } });
export const flags = ({ status }: ApiParts): Answer => ({ data: status.flags() });
export const build = ({ status }: ApiParts): Answer => ({ data: status.build() });
export const runtime = ({ status }: ApiParts): Answer => ({ data: status.runtime() });
/** `status/walreplay`: the server listens once the log has been read, so nothing is left to report. */
export const walReplay = (): Answer => ({ data: { min: 0, max: 0, current: 0, state: "done" } });
/** `notifications`: those that are active. */
export const notifications = ({ notifications: active }: ApiParts): Answer => ({ data: active?.() ?? [] });
