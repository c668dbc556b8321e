import { performAll } from "../../harness/connection/connection-driver.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import { fromHex } from "../../wire/octets.ts";
import type { FrameSpec, SettingName, Sight, Step } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import { pingRound, requestRound } from "./fence.ts";
import { framesFor, isFrame } from "./sights.ts";
import { fillPushes, fillStreams } from "./concurrency.ts";
import { later } from "./later.ts";
import type { Http2Stage } from "./stage.ts";
import { offerTls } from "./tls.ts";
import { fillWindow, spendConnectionWindow, upload } from "./windows.ts";

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
    case "upload":
      return upload(step, stage);
    case "spend connection window":
      return spendConnectionWindow(step, stage);
    case "fill streams":
      await fillStreams(step, stage);
      return undefined;
    case "fill pushes":
      await fillPushes(step, stage);
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

/** Sends a fence between steps, and continues when it is answered or the subject has refused something. */
async function fenceStep(by: "ping" | "request", stage: Http2Stage): Promise<Stop> {
  const refusedAt = stage.log.seen.length;
  const refused = (): boolean => stage.log.seen.slice(refusedAt).some((seen) => isFrame(seen) && seen.frame.type === "RST_STREAM");
  const answered = by === "ping" || stage.role === "client" ? await pingRound(stage) : (await requestRound(stage)) === "answered";
  return answered || refused() || stage.over ? undefined : `it answered nothing within ${stage.timeout} ms`;
}
