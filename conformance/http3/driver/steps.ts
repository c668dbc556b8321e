import { performAll } from "../../harness/connection/connection-driver.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { toHex, fromHex, join } from "../../wire/octets.ts";
import { insert } from "../../wire/qpack/build.ts";
import type { FrameSpec, Sight, Step, StreamRef } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import { requestRound } from "./fence.ts";
import { fits, isFrame } from "./sights.ts";
import type { Http3Stage } from "./stage.ts";

/** Performs the steps in order until one fails. */
export const perform = (steps: readonly Step[], stage: Http3Stage): Promise<Stop> =>
  performAll(
    steps,
    (step) => one(step, stage),
    () => stage.skip !== undefined || (stage.over && stage.role === "server"),
  );

async function one(step: Step, stage: Http3Stage): Promise<Stop> {
  const { wire } = stage;
  switch (step.do) {
    case "handshake":
      return handshake(step, stage);
    case "open":
      return open(step.on, step.kind, stage);
    case "send":
      return on(step.on, stage, async (id) => {
        if (step.cut === undefined) wire.send(id, step.frames, step.end);
        else await wire.sendCut(id, step.frames, step.end === true, step.cut);
      });
    case "octets":
      return on(step.on, stage, (id) => {
        stage.bare ||= isRequest(step.on) && !wire.written.has(id);
        wire.octets(id, fromHex(step.hex), step.note, step.end);
      });
    case "repeat":
      return repeat(step, stage);
    case "repeat on":
      return on(step.on, stage, (id) => flood(step, id, stage));
    case "block streams": {
      const times = (wire.theirSettings.get("QPACK_BLOCKED_STREAMS") ?? 0) + step.beyond;
      return repeat({ do: "repeat", times, frames: step.frames }, stage);
    }
    case "large section":
      return largeSection(step, stage);
    case "capacity": {
      const most = wire.theirSettings.get("QPACK_MAX_TABLE_CAPACITY") ?? 0;
      const hex = toHex(insert.capacity(most + step.beyond));
      return on("encoder", stage, (id) => wire.octets(id, fromHex(hex), `Set Dynamic Table Capacity ${most + step.beyond}`));
    }
    case "end":
      return on(step.on, stage, (id) => wire.finish(id));
    case "reset":
      return on(step.on, stage, (id) => wire.reset(id, step.code));
    case "stop":
      wire.stop(stage.theirs(step.on), step.code);
      await wire.flushed();
      return undefined;
    case "close":
      wire.close(step.code);
      return undefined;
    case "await":
      return awaitSight(step.see, stage);
    case "fence":
      return (await requestRound(stage)) === "answered" || stage.over ? undefined : `it answered nothing within ${stage.timeout} ms`;
    case "wait":
      return restAlive(step, stage);
  }
}

/** How often a client that waits shows that it is alive, in milliseconds: below every idle timeout. */
const ALIVE_MS = 5_000;
async function restAlive(step: Extract<Step, { do: "wait" }>, stage: Http3Stage): Promise<Stop> {
  const timer = setInterval(() => stage.wire.ping(), ALIVE_MS);
  try {
    return await stage.rest(step);
  } finally {
    clearInterval(timer);
  }
}

const isRequest = (ref: StreamRef): boolean => ref.startsWith("request") || ref === "bidirectional";

/** Acts on the stream of this name, which is opened if it is a new one for a request. What was sent leaves in a datagram of its own. */
async function on(ref: StreamRef, stage: Http3Stage, act: (id: number) => void | Promise<void>): Promise<Stop> {
  const known = stage.streamOf(ref);
  const id = known >= 0 ? known : isRequest(ref) && stage.role === "server" ? await stage.open(ref, "bidirectional") : undefined;
  if (id === undefined) return stage.over ? undefined : `it permits no stream for "${ref}"`;
  await act(id);
  await stage.wire.flushed();
  return undefined;
}

/** The unidirectional streams that a subject must permit (rfc9114#6.2): beyond them the limit is its own choice. */
const OWED: readonly StreamRef[] = ["control", "encoder", "decoder", "bidirectional"];
function notPermitted(ref: StreamRef, stage: Http3Stage): Stop {
  if (stage.over) return undefined;
  if (!OWED.includes(ref)) stage.skip = `it permits no further stream, and "${ref}" needs one`;
  return `it permits no stream for "${ref}"`;
}

async function open(ref: StreamRef, kind: Extract<Step, { do: "open" }>["kind"], stage: Http3Stage): Promise<Stop> {
  const id = await stage.open(ref, ref === "bidirectional" ? "bidirectional" : "unidirectional");
  if (id === undefined) return notPermitted(ref, stage);
  if (kind !== undefined) stage.wire.begin(id, kind);
  await stage.wire.flushed();
  return undefined;
}

/** Our streams of the connection, and the subject's SETTINGS (rfc9114#6.2.1, rfc9204#4.2). */
async function handshake({ settings = [], without = [] }: Extract<Step, { do: "handshake" }>, stage: Http3Stage): Promise<Stop> {
  for (const ref of (["control", "encoder", "decoder"] as const).filter((ref) => !without.some((one) => one === ref))) {
    const stop = await open(ref, ref, stage);
    if (stop !== undefined) return stop;
    if (ref === "control") stage.wire.send(stage.streamOf(ref), [{ type: "SETTINGS", settings }]);
  }
  await stage.until(() => stage.wire.hasTheirSettings || stage.over, stage.timeout);
  return stage.wire.hasTheirSettings || stage.over ? undefined : "the handshake was not completed: no SETTINGS of the subject came";
}

async function awaitSight(sight: Sight, stage: Http3Stage): Promise<Stop> {
  const outlivesConnection = leaves(sight).some(({ see }) => see === "exit" || see === "request" || see === "closed");
  await stage.until(() => stage.sees(sight) || (stage.over && !outlivesConnection), stage.timeout);
  if (stage.sees(sight)) {
    const taken = sight.see === "frame" ? stage.log.seen.find((seen) => isFrame(seen) && fits(seen, sight, stage.view(true))) : undefined;
    if (taken !== undefined) stage.log.taken.add(taken);
    return undefined;
  }
  if (stage.over) return `it never showed ${sightInWords(sight)}`;
  stage.recorder.remark(`waited ${stage.timeout} ms in vain for ${sightInWords(sight)}`);
  return `it never showed ${sightInWords(sight)} within ${stage.timeout} ms`;
}

async function repeat({ times, frames, after = "end", kind }: Extract<Step, { do: "repeat" }>, stage: Http3Stage): Promise<Stop> {
  for (let round = 0; round < times && !stage.over; round++) {
    const ref: StreamRef = kind === undefined ? `request ${1_000 + round}` : `extra ${1_000 + round}`;
    const refused = kind === undefined ? undefined : await open(ref, kind, stage);
    if (refused !== undefined || stage.over) return refused;
    const stop = await on(ref, stage, (id) => {
      stage.wire.send(id, frames, after === "end");
      if (after === "reset") stage.wire.reset(id, "H3_REQUEST_CANCELLED");
    });
    if (stop !== undefined) return stop;
  }
  return undefined;
}

/** How many repetitions leave at once. */
const AT_ONCE = 100;

async function flood({ times, frames = [], hex }: Extract<Step, { do: "repeat on" }>, id: number, stage: Http3Stage): Promise<void> {
  const once = hex === undefined ? stage.wire.build(frames) : fromHex(hex);
  for (let left = times; left > 0 && !stage.over; left -= AT_ONCE) {
    const now = Math.min(left, AT_ONCE);
    stage.wire.octets(id, join(Array.from({ length: now }, () => once)), `${now} times ${hex === undefined ? "the frames" : "the octets"}`);
    await stage.wire.flushed();
  }
}

async function largeSection({ on: ref, fields, beyond }: Extract<Step, { do: "large section" }>, stage: Http3Stage): Promise<Stop> {
  const most = stage.wire.theirSettings.get("MAX_FIELD_SECTION_SIZE");
  if (most === undefined) {
    stage.skip = "it announces no SETTINGS_MAX_FIELD_SECTION_SIZE";
    return undefined;
  }
  const frame: FrameSpec = { type: "HEADERS", fields, sectionSize: most + beyond };
  return on(ref, stage, (id) => stage.wire.send(id, [frame], true));
}
