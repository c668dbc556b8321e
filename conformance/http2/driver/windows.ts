import type { Stop } from "../../harness/connection/stage.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import type { FrameSpec, Step } from "../vocabulary.ts";
import { pingRound } from "./fence.ts";
import { later } from "./later.ts";
import type { Http2Stage } from "./stage.ts";

/** Steps that use the windows of the subject (rfc9113#6.9.1). */

/** The largest window, in octets, that is worth filling in a test. */
const FILLABLE = 40_000_000;
/** The same with a frame per 257 octets. */
const FILLABLE_BY_PADDING = 2_200_000;
/** The largest window, in octets, that the subject receives together with what goes beyond it, before it can reopen the window. */
const AT_ONCE = 262_144;
/** DATA frames in one write. */
const SLICE = 64;
/** The octets of a window that are used one by one. */
const SINGLY = 64;
/** The streams over which a connection window is spent: few enough that no subject counts their errors as a flood. */
const SPREAD = 64;
/** The most content on one of them. */
const SHARE = DEFAULTS.window;

/**
 * Fills a window, and sends octets beyond it, at once. Without octets beyond, it respects the other window too, and waits for the subject to open
 * it.
 */
export async function fillWindow(step: Extract<Step, { do: "fill window" }>, stage: Http2Stage): Promise<void> {
  const { wire } = stage;
  const stream = stage.streamOf(step.stream);
  const windows = wire.theirWindows;
  const scope = step.of === "stream" ? stream : 0;
  const size = (): number => (step.of === "stream" ? windows.stream(stream) : windows.connection);
  const other = (): number => (step.of === "stream" ? windows.connection : windows.stream(stream));
  if (size() > (step.padded === true ? FILLABLE_BY_PADDING : FILLABLE)) {
    stage.skip = `its window of ${size()} octets is too large to be filled`;
    return;
  }
  if (step.of === "connection" && step.beyond > 0 && other() < size()) {
    stage.skip = `its stream window (${other()} octets) is smaller than its connection window (${size()}), so the stream's would be overrun first`;
    return;
  }
  const granted = (): number => windows.granted.get(scope) ?? 0;
  const before = granted();
  if (step.beyond > 0 && size() > AT_ONCE) {
    // Whether a larger window is reopened in time is chance on a subject that reads while it receives: first see whether this one does.
    await sendData(stage, dataFrames(stream, size() - 1, largestFrame(stage), false));
    await pingRound(stage);
    if (!stage.over) await pingRound(stage);
    if (granted() > before) {
      stage.skip = "it reopens its window while it is filled";
      return;
    }
  }
  stage.fill = { scope, beyond: step.beyond, granted: before };
  let left = size() + step.beyond;
  while (left > 0 && !stage.over) {
    const now = step.beyond > 0 ? left : Math.min(left, Math.max(0, other()));
    if (now === 0) {
      if (!(await stage.until(() => other() > 0 || stage.over, stage.timeout))) return;
      continue;
    }
    left -= now;
    const last = left === 0 && step.end === true;
    const singly = step.octetByOctet === true && left === 0 ? Math.min(now, SINGLY + step.beyond) : 0;
    const frames =
      step.padded === true ? paddedFrames(stream, now) : dataFrames(stream, now - singly, largestFrame(stage), last && singly === 0);
    await sendData(stage, frames);
    // In one write, so that no credit comes in between.
    if (singly > 0) await wire.send(dataFrames(stream, singly, 1, last));
  }
}

async function sendData({ wire }: Http2Stage, frames: readonly FrameSpec[]): Promise<void> {
  for (let at = 0; at < frames.length; at += SLICE) await wire.send(frames.slice(at, at + SLICE));
}

function dataFrames(stream: number, octets: number, largest: number, end: boolean): FrameSpec[] {
  const frames: FrameSpec[] = [];
  for (let left = octets; left > 0; left -= largest) {
    const data = Math.min(left, largest);
    frames.push({ type: "DATA", stream, data, ...(end && left <= largest ? { flags: ["END_STREAM"] } : {}) });
  }
  return frames;
}

/** Frames with one octet of content and maximum padding: 257 octets of a window each. The rest has no padding. */
function paddedFrames(stream: number, octets: number): FrameSpec[] {
  const frames: FrameSpec[] = Array.from({ length: Math.floor(octets / 257) }, () => ({ type: "DATA", stream, pad: 255, data: 1 }));
  return octets % 257 === 0 ? frames : [...frames, { type: "DATA", stream, data: octets % 257 }];
}

/** The largest frame that we send: small, because frames stay in memory until they are written. */
const largestFrame = ({ wire }: Http2Stage): number =>
  Math.min(wire.theirSettings.get("MAX_FRAME_SIZE") ?? DEFAULTS.maxFrameSize, DEFAULTS.maxFrameSize);

/** Sends content within both windows, and waits for credit while one of them is used up. */
export async function upload({ stream: ref, octets, end }: Extract<Step, { do: "upload" }>, stage: Http2Stage): Promise<Stop> {
  const stream = stage.streamOf(ref);
  const { theirWindows } = stage.wire;
  const room = (): number => Math.min(theirWindows.connection, theirWindows.stream(stream));
  for (let left = octets; left > 0;) {
    if (!(await stage.until(() => room() > 0 || stage.over, stage.timeout)))
      return `it gave no more credit within ${stage.timeout} ms, with ${left} octets left to send`;
    if (stage.over) return undefined;
    const now = Math.min(left, room());
    left -= now;
    await stage.wire.send(dataFrames(stream, now, largestFrame(stage), left === 0 && end === true));
  }
  return undefined;
}

/** Uses up the connection window at once, on new streams. */
export async function spendConnectionWindow(
  { frames }: Extract<Step, { do: "spend connection window" }>,
  stage: Http2Stage,
): Promise<Stop> {
  const { wire } = stage;
  const windows = wire.theirWindows;
  const size = windows.connection;
  const round = (n: number): FrameSpec[] => frames.map((frame) => later(frame, 2 * n));
  let left = size;
  for (let n = 0; left > 0 && !stage.over; n++) {
    const now = round(n);
    const stream = stage.streamOf(now.at(-1)?.stream ?? 0);
    const share = Math.min(left, SHARE, windows.stream(stream));
    if (share <= 0 || left > share * (SPREAD - n)) {
      stage.skip = `its connection window of ${size} octets is too large to be used up on streams with windows of ${windows.stream(stream)}`;
      return undefined;
    }
    left -= share;
    await wire.send([...now, ...dataFrames(stream, share, largestFrame(stage), false)]);
  }
  return undefined;
}
