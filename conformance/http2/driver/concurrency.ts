import { emptyResponse, get, promise, pushed } from "../cases/phrases.ts";
import type { FrameSpec, Step } from "../vocabulary.ts";
import type { Http2Stage } from "./stage.ts";

/** Steps that open as many streams as the subject allows (rfc9113#5.1.2). */

/** The most streams that are worth opening in a test. */
const OPENABLE = 1000;

/** The limit of the subject and `beyond` more streams, the last of which is `last`; undefined if that is too many for a test. */
function streamsUpTo({ last, beyond }: { readonly last: number; readonly beyond: number }, stage: Http2Stage): number[] | undefined {
  const limit = stage.wire.theirSettings.get("MAX_CONCURRENT_STREAMS");
  if (limit === undefined || limit > OPENABLE) {
    stage.skip =
      limit === undefined ? "it sets no limit on concurrent streams" : `its limit of ${limit} concurrent streams is too high to be reached`;
    return undefined;
  }
  const first = last - 2 * (limit + beyond - 1);
  return Array.from({ length: limit + beyond }, (_, n) => first + 2 * n);
}

/** Sends as many requests as the subject allows at once, and `beyond` more. */
export async function fillStreams(step: Extract<Step, { do: "fill streams" }>, stage: Http2Stage): Promise<void> {
  const streams = streamsUpTo(step, stage);
  if (streams !== undefined) await stage.wire.send(streams.map((stream) => get(stream)));
}

/** Promises and begins as many responses as the subject allows at once, and `beyond` more; then ends them. */
export async function fillPushes(step: Extract<Step, { do: "fill pushes" }>, stage: Http2Stage): Promise<void> {
  const streams = streamsUpTo(step, stage);
  if (streams === undefined) return;
  const begin = streams.flatMap((stream): FrameSpec[] => [
    promise(stream, [...pushed().slice(0, -1), [":path", `/pushed/${stream}`]]),
    { ...emptyResponse(stream), flags: ["END_HEADERS"] },
  ]);
  await stage.wire.send([...begin, ...streams.map((stream): FrameSpec => ({ type: "DATA", stream, flags: ["END_STREAM"] }))]);
}
