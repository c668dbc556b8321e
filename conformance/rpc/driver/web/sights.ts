import type { Entry } from "../../../wire/rpc/contract.ts";
import type { ReadField } from "../../../wire/http2/read.ts";
import { STATUSES } from "../../../wire/rpc/statuses.ts";
import type { WebEnded, WebSight, WebWanted } from "../../web-vocabulary.ts";
import { joinedValues, payloadText, type WebAnswer } from "./answer.ts";
import type { WebView } from "./view.ts";

/** Whether a sight has been seen. */
export function isSeen(sight: WebSight, stage: WebView): boolean {
  if (sight.see === "all") return sight.of.every((one) => isSeen(one, stage));
  if (sight.see === "any") return sight.of.some((one) => isSeen(one, stage));
  if (sight.see === "holds") return monitor(sight.monitor, stage) === undefined;
  if (sight.see === "fate") return stage.fate?.state === sight.state;
  const answer = stage.calls.get(sight.call)?.answer;
  if (answer === undefined) return false;
  switch (sight.see) {
    case "answer":
      return answer.isWhole && answer.status === STATUSES.indexOf(sight.status ?? "OK") && isEnded(sight, answer);
    case "failed":
      return (
        answer.isWhole &&
        answer.status !== undefined &&
        (sight.status === "any" ? answer.status !== 0 : answer.status === STATUSES.indexOf(sight.status)) &&
        isEnded(sight, answer)
      );
    case "http":
      return answer.isWhole && answer.http !== undefined && sight.status.includes(answer.http);
    case "messages":
      return answer.responses.length >= sight.count;
    case "cut off":
      return answer.isOver && !answer.isWhole;
  }
}

function isEnded(wanted: WebEnded, answer: WebAnswer): boolean {
  const { responses } = answer;
  const seen = responses[0]?.seen;
  const same = (some: readonly unknown[] | undefined, found: () => readonly unknown[]): boolean =>
    some === undefined || JSON.stringify(some) === JSON.stringify(found());
  const { left } = wanted;
  return (
    same(wanted.payloads, () => responses.map((one) => (one === undefined ? undefined : payloadText(one.payload)))) &&
    same(wanted.sizes, () => responses.map((one) => one?.payload.length)) &&
    same(wanted.numbers, () => responses.map((one) => one?.number)) &&
    same(wanted.details, () => answer.details) &&
    (wanted.message === undefined || answer.message === wanted.message) &&
    (wanted.mentions === undefined || answer.message.toLowerCase().includes(wanted.mentions.toLowerCase())) &&
    has(wanted.headers, (name) => joinedValues(answer.leading, name)) &&
    has(wanted.trailers, (name) => joinedValues(answer.trailing, name)) &&
    (wanted.metadata === undefined || (seen !== undefined && has(wanted.metadata, (name) => entries(seen.metadata, name)))) &&
    (left === undefined ||
      (seen !== undefined && (left === false ? seen.leftMs === undefined : seen.leftMs !== undefined && within(seen.leftMs, left))))
  );
}
const within = (value: number, [least, most]: readonly [number, number]): boolean => value >= least && value <= most;

/** What a handler reports is decoded; several values may be one, joined. */
function entries(metadata: readonly Entry[], name: string): string | undefined {
  const found: readonly ReadField[] = metadata.filter(([one]) => one.toLowerCase() === name);
  return found.length === 0 ? undefined : found.map(([, value]) => value.replaceAll(", ", ",")).join(",");
}
const has = (wanted: WebWanted | undefined, valueOf: (name: string) => string | undefined): boolean =>
  Object.entries(wanted ?? {}).every(([name, one]) => (one === false ? valueOf(name) === undefined : valueOf(name) === one));

/** What breaks the property in the answers of the case's calls; undefined if it holds. */
export function monitor(name: string, stage: WebView): string | undefined {
  for (const [call, { answer }] of stage.calls) {
    const broken = answer.problems.get(name);
    if (broken !== undefined) return `Of call ${call}, ${broken}.`;
  }
  return undefined;
}
