import { outcomeWith, short, withOthers } from "../../../harness/words.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { WebSight } from "../../web-vocabulary.ts";
import { payloadText, type WebAnswer } from "./answer.ts";
import type { WebView } from "./view.ts";

/** Sights and observations in words. */

const CALL = ["see", "call", "status"];

export function sightInWords(sight: WebSight): string {
  switch (sight.see) {
    case "answer":
      return `call ${sight.call} ends with ${sight.status ?? "OK"}${withOthers(sight, CALL)}`;
    case "failed":
      return `call ${sight.call} fails with ${sight.status === "any" ? "any status but OK" : sight.status}${withOthers(sight, CALL)}`;
    case "http":
      return `call ${sight.call} gets the HTTP status ${sight.status.join(" or ")}`;
    case "messages":
      return `${sight.count} messages on call ${sight.call}`;
    case "cut off":
      return `call ${sight.call} ends without a whole answer`;
    case "fate":
      return `Fate reports that the call is ${sight.state}`;
    case "holds":
      return `${sight.monitor.replaceAll("-", " ")} held`;
    case "all":
      return sight.of.map(sightInWords).join(", and ");
    case "any":
      return sight.of.map(sightInWords).join(", or ");
  }
}

export const outcomeInWords = outcomeWith(sightInWords);

function answerInWords({ http, status, message, responses, details, leading, trailing, isWhole, isOver }: WebAnswer): string {
  const payloads = responses.map((one) => (one === undefined ? "?" : payloadText(one.payload)));
  return [
    http === undefined ? "no answer" : `HTTP status ${http}`,
    ...(payloads.length === 0 ? [] : [`messages ${short(payloads)}`]),
    ...(status === undefined ? [] : [`status ${STATUSES[status] ?? status} ${JSON.stringify(message)}`]),
    ...(details.length === 0 ? [] : [`details ${short(details)}`]),
    ...(leading.length === 0 ? [] : [`fields ${short(leading)}`]),
    ...(trailing.length === 0 ? [] : [`trailers ${short(trailing)}`]),
    ...(isWhole ? [] : [isOver ? "cut off" : "not ended"]),
  ].join(", ");
}

/** Everything that was seen, call by call. */
export const observedInWords = ({ calls, fate }: WebView): string =>
  [
    ...[...calls].map(([call, { answer }]) => `call ${call}: ${answerInWords(answer)}`),
    ...(fate === undefined ? [] : [`Fate: ${fate.state} after ${fate.requests} requests`]),
  ].join("; ") || "nothing";
