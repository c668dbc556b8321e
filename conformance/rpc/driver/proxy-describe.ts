import { orList, outcomeWith, short, withOthers } from "../../harness/words.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import type { Sight } from "../proxy-vocabulary.ts";
import { Answer, messageOf, statusOf } from "./answers.ts";
import type { RpcProxyStage } from "./proxy-stage.ts";

/** Sights and observations in words. */

export function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "response":
      return `call ${sight.call ?? 1} ends with ${sight.status ?? "OK"} of the origin${withOthers(sight, ["see", "call", "status"])}`;
    case "begun":
      return `the response to call ${sight.call ?? 1} has begun${withOthers(sight, ["see", "call"])}`;
    case "failed":
      return `call ${sight.call ?? 1} fails with ${sight.status === "any" ? "any status but OK" : orList(sight.status)}, as a client maps what came`;
    case "reset":
      return `RST_STREAM on call ${sight.call ?? 1} with ${orList(sight.code)}`;
    case "interim":
      return `the interim response ${sight.status} on call ${sight.call ?? 1}${withOthers(sight, ["see", "call", "status"])}`;
    case "open":
      return `call ${sight.call ?? 1} goes on`;
    case "request":
      return `request ${sight.request ?? 1} at the origin${withOthers(sight, ["see", "request"])}`;
    case "withdrawn":
      return `request ${sight.request ?? 1} reset at the origin${sight.code === undefined ? ", or its connection ended" : ` with ${sight.code}`}`;
    case "requests":
      return `${typeof sight.count === "number" ? sight.count : sight.count.join(" to ")} requests at the origin`;
    case "not whole":
      return `request ${sight.request ?? 1} not ended at the origin`;
    case "not answered":
      return `call ${sight.call ?? 1} not answered with OK`;
    case "apart":
      return `the requests ${sight.requests.join(" and ")} on different connections`;
    case "at once":
      return `at most ${sight.most} open requests at a time on a connection`;
    case "windows kept":
      return `no DATA beyond the windows of the ${sight.at}`;
    case "frames":
      return `no frame above ${sight.largest} octets at the ${sight.at}`;
    case "taken":
      return `at most ${sight.most} octets taken that nobody reads`;
    case "all":
      return sight.of.map(sightInWords).join(", and ");
    case "any":
      return sight.of.map(sightInWords).join(", or ");
  }
}

export const outcomeInWords = outcomeWith(sightInWords);

function answerInWords(answer: Answer, stage: RpcProxyStage): string {
  const { head, reset, endedBy } = answer;
  const code = statusOf(answer, stage);
  const { messages } = answer.messages;
  return [
    ...answer.sections.map((one) => Answer.statusOf(one) ?? "").filter((one) => one.startsWith("1")),
    head === undefined ? "no headers" : `HTTP status ${Answer.statusOf(head)}`,
    ...(messages.length === 0 ? [] : [`${messages.length} messages`]),
    ...(code === undefined ? [] : [`status ${STATUSES[code] ?? code} ${short(messageOf(answer, stage))}`]),
    ...(endedBy === undefined ? [] : [`ended by ${endedBy}`]),
    ...(reset === undefined ? [] : [`RST_STREAM ${reset}`]),
  ].join(", ");
}

/** How many calls and requests are listed one by one. */
const LISTED = 4;
const listed = (words: readonly string[]): string[] =>
  words.length > LISTED ? [...words.slice(0, LISTED), `${words.length - LISTED} more`] : [...words];

/** Everything that was seen at both ends. */
export function observedInWords(stage: RpcProxyStage): string {
  const calls = [...stage.calls.keys()].map((call) => `call ${call}: ${answerInWords(stage.answer(call) ?? new Answer(), stage)}`);
  const requests = stage.requests.map((one, at) => {
    const { messages, left } = one.messages;
    const words = [
      ...(messages.length === 0 ? [] : [`${messages.length} messages`]),
      ...(left === 0 ? [] : [`${left} octets of a message`]),
      one.endedBy === undefined ? "not ended" : "ended",
      ...(one.reset === undefined ? [] : [`RST_STREAM ${one.reset}`]),
      ...(one.connection.isOver ? ["its connection ended"] : []),
    ];
    return `request ${at + 1}: ${words.join(", ")}`;
  });
  return [
    ...listed(calls),
    ...(stage.over ? ["the client's connection ended"] : []),
    ...(requests.length === 0 ? ["at the origin nothing"] : [`at the origin ${listed(requests).join("; ")}`]),
    ...(stage.taken === undefined ? [] : [`${stage.taken} octets taken`]),
  ].join("; ");
}
