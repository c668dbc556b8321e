import { type Answer, ApiError } from "./answer.ts";
import type { Administration, ApiParts } from "./contract.ts";
import { invalid, type Params } from "./params.ts";

/** What changes the storage (querying/api.md, "TSDB Admin APIs"): refused where it is not enabled. */

export function deleteSeries(parts: ApiParts, params: Params): undefined {
  const admin = enabled(parts);
  const sets = params.selectors();
  if (sets.length === 0) throw new ApiError("bad_data", "no match[] parameter provided");
  const { start, end } = params.range();
  for (const matchers of sets) admin.deleteSeries(matchers, start, end);
}

export function snapshot(parts: ApiParts, params: Params): Answer {
  const admin = enabled(parts);
  const skipHead = params.text("skip_head");
  if (!/^(?:|true|false|1|0|t|f|T|F|TRUE|FALSE|True|False)$/.test(skipHead))
    throw invalid("skip_head", `unable to parse boolean ${JSON.stringify(skipHead)}`);
  return { data: { name: admin.snapshot(/^(?:true|1|t)$/i.test(skipHead)) } };
}

export function cleanTombstones(parts: ApiParts): undefined {
  enabled(parts).cleanTombstones();
}

function enabled({ admin }: ApiParts): Administration {
  if (admin === undefined) throw new ApiError("unavailable", "admin APIs disabled");
  return admin;
}
