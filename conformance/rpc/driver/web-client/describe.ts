import { outcomeWith, withOthers } from "../../../harness/words.ts";
import type { WebClientSight } from "../../web-client-vocabulary.ts";
import { callInWords } from "../client-describe.ts";
import type { WebClientView } from "./view.ts";

/** Sights and observations in words. */

export function sightInWords(sight: WebClientSight): string {
  switch (sight.see) {
    case "answer":
      return `call ${sight.call ?? 1} ends with ${sight.status ?? "OK"}${withOthers(sight, ["see", "call", "status"])}`;
    case "failed":
      return `call ${sight.call ?? 1} fails with ${sight.status === "any" ? "any status but OK" : sight.status}${withOthers(sight, ["see", "call", "status"])}`;
    case "request":
      return `request ${sight.request ?? 1}${withOthers(sight, ["see", "request"])}`;
    case "requests":
      return `${sight.count} requests`;
    case "left":
      return `the client leaves request ${sight.request ?? 1}`;
    case "holds":
      return `${sight.monitor.replaceAll("-", " ")} held`;
    case "all":
      return sight.of.map(sightInWords).join(", and ");
    case "any":
      return sight.of.map(sightInWords).join(", or ");
  }
}
export const outcomeInWords = outcomeWith(sightInWords);

/** Everything that was seen: what the subject reports, and its requests. */
export function observedInWords({ calls, requests, report }: WebClientView): string {
  const reported = calls?.map((one, at) => `call ${at + 1}: ${callInWords(one)}`) ?? [];
  const seen = requests.map(({ verb, isWhole, hasLeft }, at) => {
    const more = [...(isWhole ? [] : ["not ended"]), ...(hasLeft ? ["left"] : [])];
    return `request ${at + 1} by ${verb}${more.length === 0 ? "" : ` ${more.join(", ")}`}`;
  });
  const none = report === undefined ? "no report" : report.is === "trouble" ? report.why : "an unreadable report";
  return [...(reported.length > 0 ? reported : [none]), ...seen].join("; ");
}
