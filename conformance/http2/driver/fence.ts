import { get } from "../cases/phrases.ts";
import { toHex } from "../../wire/octets.ts";
import { endedStream, isFrame, responsesOn } from "./sights.ts";
import type { Http2Stage } from "./stage.ts";

/** Frames that a subject must answer if it accepted everything before them: no verdict waits for silence alone. */

/** Sends a PING and waits for its acknowledgement (rfc9113#6.7), or until `done`; false if the subject ended or stayed silent. */
export async function pingRound(stage: Http2Stage, done?: () => boolean): Promise<boolean> {
  const mark = new Uint8Array(8);
  new DataView(mark.buffer).setUint32(0, 0x70756e63);
  new DataView(mark.buffer).setUint32(4, stage.sent.length);
  const hex = toHex(mark);
  await stage.wire.send([{ type: "PING", hex }]);
  const answered = (): boolean =>
    stage.log.seen.some((seen) => isFrame(seen) && seen.on === 0 && seen.frame.ack === true && toHex(seen.frame.payload) === hex);
  await stage.until(done ?? (() => answered() || stage.over), done === undefined ? stage.timeout : stage.timeout / 2);
  return answered();
}

/** How long to wait for a free stream without any progress, in milliseconds. */
const ROOM_MS = 300;
const LAST_STREAM = 0x7fff_ffff;

/** The next stream that we may open, above all that either side has used. */
const nextStream = ({ wire }: Http2Stage): number => wire.highestStream + 1 + (wire.highestStream % 2);

/** The outcome of the valid request on a new stream. */
export type Answer = "answered" | "reset" | "refused" | "silence" | "over";

/** Sends a plain GET on a new stream and waits until its response is complete. After REFUSED_STREAM, for too many streams, it tries once more. */
export async function requestRound(stage: Http2Stage): Promise<Answer> {
  const stream = nextStream(stage);
  // Some subjects end the connection for one stream too many: if other streams are about to end, wait for that.
  await stage.until(() => stage.wire.hasRoom || stage.over, Math.min(ROOM_MS, stage.timeout));
  if (stream > LAST_STREAM) return (await pingRound(stage)) ? "answered" : "silence";
  const answer = await ask(stage, stream);
  return answer === "refused" && !stage.over ? ask(stage, nextStream(stage)) : answer;
}

async function ask(stage: Http2Stage, stream: number): Promise<Answer> {
  stage.fences.add(stream);
  await stage.wire.send([get(stream)]);
  const reset = (): string | undefined =>
    stage.log.seen.filter(isFrame).find(({ frame, on }) => on === 0 && frame.type === "RST_STREAM" && frame.stream === stream)?.frame.code;
  const whole = (): boolean =>
    responsesOn(stage.view(true), stream).some(({ status }) => status >= 200) && endedStream(stage.view(true), stream);
  const done = (): boolean => whole() || reset() !== undefined || stage.over;
  // Some subjects process what they have read only when more arrives: send a PING half-way through the silence.
  if (!(await stage.until(done, stage.timeout / 2))) await pingRound(stage, done);
  if (whole()) return "answered";
  if (reset() !== undefined) return reset() === "REFUSED_STREAM" ? "refused" : "reset";
  return stage.over ? "over" : "silence";
}
