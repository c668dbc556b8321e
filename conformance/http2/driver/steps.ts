import { performAll } from "../../harness/connection/connection-driver.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { DEFAULTS, MAGIC } from "../../wire/http2/numbers.ts";
import { fromHex } from "../../wire/octets.ts";
import type { FrameSpec, SettingName, Sight, Step } from "../vocabulary.ts";
import { get } from "../cases/phrases.ts";
import { sightInWords } from "./describe.ts";
import { pingRound, requestRound } from "./fence.ts";
import { framesFor, isFrame } from "./sights.ts";
import type { Http2Stage } from "./stage.ts";
import { offerTls } from "./tls.ts";

/** The largest window, in octets, that is worth filling in a test. */
const FILLABLE = 40_000_000;
/** The same with a frame per 257 octets. */
const FILLABLE_BY_PADDING = 2_200_000;
/** DATA frames in one write. */
const SLICE = 64;
/** Octets of a flood that are written before other work gets a turn. */
const BATCH = 65_536;

/** Performs the steps in order until one fails. */
export const perform = (steps: readonly Step[], stage: Http2Stage): Promise<Stop> =>
  performAll(
    steps,
    (step) => one(step, stage),
    () => stage.skip !== undefined || (stage.over && stage.role === "server"),
  );

async function one(step: Step, stage: Http2Stage): Promise<Stop> {
  const { wire } = stage;
  switch (step.do) {
    case "handshake":
      return handshake(step.settings ?? [], stage);
    case "preface":
      wire.acknowledges = false;
      await wire.preface(stage.role === "server" ? (step.magic ?? MAGIC) : "", settingsFrame(step.settings ?? []), step.cut);
      return undefined;
    case "send":
      await wire.send(step.frames, step.cut);
      return undefined;
    case "bytes":
      wire.octets(fromHex(step.hex), step.note);
      return undefined;
    case "repeat":
      await repeat(step, stage);
      return undefined;
    case "await":
      return awaitSight(step.see, stage);
    case "fill window":
      await fillWindow(step, stage);
      return undefined;
    case "fill streams":
      await fillStreams(step, stage);
      return undefined;
    case "hold windows":
      wire.holdWindows(true);
      return undefined;
    case "release windows":
      wire.holdWindows(false);
      return undefined;
    case "fence":
      return fenceStep(step.by, stage);
    case "half-close":
    case "close":
      wire.end(step.do);
      return undefined;
    case "wait":
      return stage.rest(step);
    case "tls":
      stage.log.push({ is: "tls", at: stage.recorder.now, ...(await offerTls(step.offer, stage)) });
      return undefined;
  }
}

const settingsFrame = (settings: readonly (readonly [SettingName | number, number])[] | "none"): FrameSpec | undefined =>
  settings === "none" ? undefined : { type: "SETTINGS", settings };

/** Both prefaces, and both acknowledgements (rfc9113#3.4, rfc9113#6.5.3). */
async function handshake(settings: readonly (readonly [SettingName | number, number])[], stage: Http2Stage): Promise<Stop> {
  await stage.wire.preface(stage.role === "server" ? MAGIC : "", settingsFrame(settings));
  const theirs: Sight = { see: "frame", type: "SETTINGS", where: { ack: false } };
  const acknowledged: Sight = { see: "frame", type: "SETTINGS", where: { ack: true } };
  const stop = (await awaitSight(theirs, stage)) ?? (await awaitSight(acknowledged, stage));
  return stop === undefined ? undefined : `the handshake was not completed: ${stop}`;
}

async function awaitSight(sight: Sight, stage: Http2Stage): Promise<Stop> {
  const outlivesConnection = leaves(sight).some(({ see }) => see === "exit" || see === "request" || see === "closed");
  const done = (): boolean => stage.sees(sight) || (stage.over && !outlivesConnection);
  // Some subjects send a finished response only when more arrives (rfc9113 sets no time): send a PING half-way through the silence.
  const isNudged = stage.role === "server" && sight.see === "response";
  const met = await stage.until(done, isNudged ? stage.timeout / 2 : stage.timeout);
  if (!met && isNudged) await pingRound(stage, done);
  if (stage.sees(sight)) {
    const taken = sight.see === "frame" ? framesFor(sight, stage.view(true)).slice(0, sight.count ?? 1) : [];
    for (const seen of taken) stage.log.taken.add(seen);
    return undefined;
  }
  if (stage.over) return `it never showed ${sightInWords(sight)}`;
  stage.recorder.remark(`waited ${stage.timeout} ms in vain for ${sightInWords(sight)}`);
  return `it never showed ${sightInWords(sight)} within ${stage.timeout} ms`;
}

async function repeat(step: Extract<Step, { do: "repeat" }>, stage: Http2Stage): Promise<void> {
  const stride = step.stride ?? 0;
  let batch: FrameSpec[] = [];
  let octets = 0;
  const flush = async (): Promise<void> => {
    await stage.wire.send(batch);
    batch = [];
    octets = 0;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  };
  for (let round = 0; round < step.times && !stage.over; round++) {
    for (const frame of step.frames) {
      batch.push(later(frame, round * stride));
      octets += 64 + (typeof frame.data === "number" ? frame.data : 0);
    }
    if (octets >= BATCH) await flush();
  }
  if (batch.length > 0) await flush();
}

/** The frame as it is sent in a later round. */
function later(frame: FrameSpec, by: number): FrameSpec {
  if (by === 0) return frame;
  if (frame.type === "PRIORITY_UPDATE" && typeof frame.promised === "number") return { ...frame, promised: frame.promised + by };
  return typeof frame.stream === "number" ? { ...frame, stream: frame.stream + by } : frame;
}

/**
 * Fills a window, and sends octets beyond it, at once. Without octets beyond, it respects the other window too, and waits for the subject to open
 * it.
 */
async function fillWindow(step: Extract<Step, { do: "fill window" }>, stage: Http2Stage): Promise<void> {
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
  stage.fill = { scope, beyond: step.beyond, granted: windows.granted.get(scope) ?? 0 };
  let left = size() + step.beyond;
  while (left > 0 && !stage.over) {
    const now = step.beyond > 0 ? left : Math.min(left, Math.max(0, other()));
    if (now === 0) {
      if (!(await stage.until(() => other() > 0 || stage.over, stage.timeout))) return;
      continue;
    }
    left -= now;
    // Small frames, because frames stay in memory until they are written.
    const largest = Math.min(wire.theirSettings.get("MAX_FRAME_SIZE") ?? DEFAULTS.maxFrameSize, DEFAULTS.maxFrameSize);
    const last = left === 0 && step.end === true;
    const frames = step.padded === true ? paddedFrames(stream, now) : dataFrames(stream, now, largest, last);
    for (let at = 0; at < frames.length; at += SLICE) await wire.send(frames.slice(at, at + SLICE));
  }
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

/** The most streams that are worth opening in a test. */
const OPENABLE = 1000;

/** Sends as many requests as the subject allows at once, and `beyond` more. */
async function fillStreams({ last, beyond }: Extract<Step, { do: "fill streams" }>, stage: Http2Stage): Promise<void> {
  const limit = stage.wire.theirSettings.get("MAX_CONCURRENT_STREAMS");
  if (limit === undefined || limit > OPENABLE) {
    stage.skip =
      limit === undefined ? "it sets no limit on concurrent streams" : `its limit of ${limit} concurrent streams is too high to be reached`;
    return;
  }
  const first = last - 2 * (limit + beyond - 1);
  await stage.wire.send(Array.from({ length: limit + beyond }, (_, n) => get(first + 2 * n)));
}

/** Sends a fence between steps, and continues when it is answered or the subject has refused something. */
async function fenceStep(by: "ping" | "request", stage: Http2Stage): Promise<Stop> {
  const refusedAt = stage.log.seen.length;
  const refused = (): boolean => stage.log.seen.slice(refusedAt).some((seen) => isFrame(seen) && seen.frame.type === "RST_STREAM");
  const answered = by === "ping" || stage.role === "client" ? await pingRound(stage) : (await requestRound(stage)) === "answered";
  return answered || refused() || stage.over ? undefined : `it answered nothing within ${stage.timeout} ms`;
}
