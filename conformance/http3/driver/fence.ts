import { get } from "../cases/phrases.ts";
import type { Http3Stage } from "./stage.ts";
import { endedStream, responsesOn } from "./sights.ts";

/** A request that a subject must answer if it accepted everything before it: no verdict waits for silence alone. */

/** The outcome of the valid request on a new stream. */
export type Answer = "answered" | "reset" | "rejected" | "silence" | "over";

/** Sends a plain GET on a new stream and waits until its response is complete. After H3_REQUEST_REJECTED it tries once more. */
export async function requestRound(stage: Http3Stage): Promise<Answer> {
  const answer = await ask(stage);
  return answer === "rejected" && !stage.over ? ask(stage) : answer;
}

async function ask(stage: Http3Stage): Promise<Answer> {
  let stream: number | undefined;
  await stage.until(() => stage.over || (stream = stage.wire.open("bidirectional")) !== undefined, stage.timeout);
  if (stream === undefined) return stage.over ? "over" : "silence";
  const id = stream;
  stage.fences.add(id);
  stage.wire.send(id, [get()], true);
  const resets = (): string[] =>
    stage.log.seen.flatMap((seen) => (seen.is === "reset" && seen.on === 0 && seen.stream === id ? [seen.code] : []));
  const whole = (): boolean => {
    const view = stage.view(true);
    return responsesOn(view, id).some(({ status }) => status >= 200) && endedStream(view, id);
  };
  await stage.until(() => whole() || resets().length > 0 || stage.over, stage.timeout);
  if (whole()) return "answered";
  if (resets().length > 0) return resets().includes("H3_REQUEST_REJECTED") ? "rejected" : "reset";
  return stage.over ? "over" : "silence";
}
