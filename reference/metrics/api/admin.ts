import { type Answer, ApiError } from "./answer.ts";
import type { Administration, ApiParts } from "./contract.ts";
import { invalid, type Params } from "./params.ts";

/** What changes the storage (Prometheus docs, querying/api.md, "TSDB Admin APIs"): refused where it is not enabled. */

/** `admin/tsdb/delete_series`: without times from the earliest to the latest; samples are gone for queries when it returns, and on the disk later. */
export function deleteSeries(parts: ApiParts, params: Params): undefined {
  const admin = enabled(parts);
  const sets = params.selectors();
  if (sets.length === 0) throw new ApiError("bad_data", "no match[] parameter provided");
  const { start, end } = params.range();
  for (const matchers of sets) admin.deleteSeries(matchers, start, end);
}

/** `admin/tsdb/snapshot`: answers with the name of the copy; `skip_head` leaves out what is in memory only. */
export function snapshot(parts: ApiParts, params: Params): Answer {
  const admin = enabled(parts);
  const skipHead = params.text("skip_head");
  if (!/^(?:|true|false|1|0|t|f|T|F|TRUE|FALSE|True|False)$/.test(skipHead))
    throw invalid("skip_head", `unable to parse boolean ${JSON.stringify(skipHead)}`);
  return { data: { name: admin.snapshot(/^(?:true|1|t)$/i.test(skipHead)) } };
}

/** `admin/tsdb/clean_tombstones`: what was deleted leaves the disk; it has when this returns. */
export function cleanTombstones(parts: ApiParts): undefined {
  enabled(parts).cleanTombstones();
}

function enabled({ admin }: ApiParts): Administration {
  if (admin === undefined) throw new ApiError("unavailable", "admin APIs disabled");
  return admin;
}
