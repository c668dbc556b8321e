import { outcomeWith, short, withOthers } from "../../harness/words.ts";
import { listOf } from "../../harness/shapes.ts";
import { readResponse } from "../../wire/rpc/contract.ts";
import { STATUSES } from "../../wire/rpc/statuses.ts";
import { partsInWords } from "../../wire/rpc/parts.ts";
import type { Sight } from "../vocabulary.ts";
import { Answer, contentsOf, messageOf, statusOf } from "./answers.ts";
import type { RpcStage } from "./stage.ts";
import type { Told } from "./view.ts";

/** Sights and observations in words. */

const CALL = ["see", "call", "status"];

export function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "answer":
      return `call ${sight.call} ends with ${sight.status ?? "OK"}${withOthers(sight, CALL)}`;
    case "failed":
      return `call ${sight.call} fails with ${sight.status === "any" ? "any status but OK" : listOf(sight.status).join(" or ")}${withOthers(sight, CALL)}`;
    case "http":
      return `call ${sight.call} gets the HTTP status ${listOf(sight.status).join(" or ")}`;
    case "reset":
      return `RST_STREAM on call ${sight.call} with ${listOf(sight.code).join(" or ")}`;
    case "goaway":
      return `GOAWAY with ${listOf(sight.code).join(" or ")}`;
    case "closed":
      return "the connection closed without a GOAWAY that names an error";
    case "headers":
      return `the response headers of call ${sight.call}${sight.headers === undefined ? "" : ` with ${short(sight.headers)}`}`;
    case "messages":
      return `${sight.count} messages on call ${sight.call}${withOthers(sight, [...CALL, "count"])}`;
    case "going on":
      return `call ${sight.call} goes on`;
    case "told":
      return `channelz answers with ${sight.status ?? "OK"}${withOthers(sight, CALL)}`;
    case "at most":
      return `at most ${sight.count} messages on call ${sight.call}`;
    case "lists":
      return `call ${sight.call} is answered with a list of encodings, without ${sight.without}`;
    case "open":
      return `no answer to call ${sight.call}`;
    case "fate":
      return `Fate reports that the call is ${sight.state}${sight.requests === undefined ? "" : ` after ${sight.requests} requests`}`;
    case "settings":
      return `${sight.name} of at least ${sight.least}`;
    case "pong":
      return `a PING answered with ${sight.hex}`;
    case "holds":
      return `${sight.monitor.replaceAll("-", " ")} held`;
    case "all":
      return sight.of.map(sightInWords).join(", and ");
    case "any":
      return sight.of.map(sightInWords).join(", or ");
  }
}

export const outcomeInWords = outcomeWith(sightInWords);

/** The payload of a response; all fields of a message that has none, such as one of a standard service. */
function contentInWords(octets: Uint8Array | undefined): string {
  const payload = octets === undefined ? undefined : readResponse(octets)?.payload;
  if (octets === undefined || payload === undefined) return "?";
  return payload.length === 0 && octets.length > 0 ? partsInWords(octets) : Buffer.from(payload).toString();
}

function answerInWords(answer: Answer, stage: RpcStage): string {
  const { head, reset, endedBy } = answer;
  const code = statusOf(answer, stage);
  const messages = answer.messages.messages.length;
  const words = [
    ...(head === undefined ? ["no headers"] : [`HTTP status ${Answer.statusOf(head)}`]),
    ...(messages === 0 ? [] : [`${messages} messages ${short(contentsOf(answer, stage).map(contentInWords))}`]),
    ...(code === undefined ? [] : [`status ${STATUSES[code] ?? code} "${messageOf(answer, stage)}"`]),
    ...(endedBy === undefined ? [] : [`ended by ${endedBy}`]),
    ...(reset === undefined ? [] : [`RST_STREAM ${reset}`]),
    ...(answer.isOver ? [] : ["not ended"]),
  ];
  return words.join(", ");
}

const toldInWords = ({ status, message }: Told): string =>
  `status ${STATUSES[status] ?? status}${message === undefined ? "" : ` ${partsInWords(message)}`}`;

/** Everything that was seen, call by call. */
export function observedInWords(stage: RpcStage): string {
  const main = stage.connections.get(1);
  if (main === undefined) return "nothing";
  const calls = [...stage.calls].map((stream) => `call ${stream}: ${answerInWords(main.answer(stream), stage)}`);
  return [
    ...calls,
    ...(main.goaway === undefined ? [] : [`GOAWAY ${main.goaway}`]),
    ...(main.garbage === undefined ? [] : [main.garbage]),
    ...(main.ended === undefined ? [] : ["the connection ended"]),
    ...(stage.told === undefined ? [] : [`channelz: ${toldInWords(stage.told)}`]),
    ...(stage.fate === undefined ? [] : [`Fate: ${stage.fate.state} after ${stage.fate.requests} requests`]),
  ].join("; ");
}
