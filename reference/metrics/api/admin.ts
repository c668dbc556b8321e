import { type Answer, ApiError } from "./answer.ts";
import type { Administration, ApiParts } from "./contract.ts";
import { invalid, type Params } from "./params.ts";

/** Requests that change the storage (Prometheus docs, querying/api.md, "TSDB Admin APIs"): refused unless enabled. */

/** `admin/tsdb/delete_series`: without times it covers all samples. When it returns, queries no longer see the samples; the disk space is freed later. */
export function deleteSeries(parts: ApiParts, params: Params): undefined {
  const admin = enabled(parts);
  const sets = params.selectors();
  if (sets.length === 0) throw new ApiError("bad_data", "no match[] parameter provided");
  const { start, end } = params.range();
  for (const matchers of sets) admin.deleteSeries(matchers, start, end);
}

/** `admin/tsdb/snapshot`: returns the name of the copy; `skip_head` leaves out samples that are only in memory. */
export function snapshot(parts: ApiParts, params: Params): Answer {
  const admin = enabled(parts);
  const skipHead = params.text("skip_head");
  if (!/^(?:|true|false|1|0|t|f|T|F|TRUE|FALSE|True|False)$/.test(skipHead))
    throw invalid("skip_head", `unable to parse boolean ${JSON.stringify(skipHead)}`);
  return { data: { name: admin.snapshot(/^(?:true|1|t)$/i.test(skipHead)) } };
}

/** `admin/tsdb/clean_tombstones`: frees the disk space of deleted samples before it returns. */
export function cleanTombstones(parts: ApiParts): undefined {
  enabled(parts).cleanTombstones();
}

function enabled({ admin }: ApiParts): Administration {
  if (admin === undefined) throw new ApiError("unavailable", "admin APIs disabled");
  return admin;
}
