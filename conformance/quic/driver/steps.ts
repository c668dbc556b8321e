import type { Stop } from "../../harness/connection/stage.ts";
import { fromHex, toHex } from "../../wire/octets.ts";
import type { RawEnd } from "../../wire/quic/end.ts";
import { specInWords } from "../../wire/quic/words.ts";
import { turn } from "../../wire/writes.ts";
import type { FrameSpec, Level, SharedStep } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import { ping } from "./fence.ts";
import type { QuicStage } from "./stage.ts";

export type StepOf<Of, Do> = Extract<Of, { readonly do: Do }>;

/** Performs a step that the roles share; returns why it could not. */
export async function performShared(step: SharedStep, stage: QuicStage): Promise<Stop> {
  switch (step.do) {
    case "stop":
      return stop(step, stage);
    case "mark":
      stage.seen = [];
      return undefined;
    case "await":
      return stage.expect(step.see, sightInWords(step.see), { isOver: () => stage.over, ending: "the connection" });
    case "need":
      if (!stage.over && !stage.sees(step.see)) stage.skip = `the subject did not show ${sightInWords(step.see)}`;
      return undefined;
    case "wait":
      return stage.rest(step);
    case "fence":
      return ping(stage);
    default:
      return send(step, stage);
  }
}

/** Performs a step that sends something. */
async function send(
  step: Exclude<SharedStep, { readonly do: "stop" | "mark" | "await" | "need" | "wait" | "fence" }>,
  stage: QuicStage,
): Promise<Stop> {
  // A connection that has ended may still be sent to: some cases do.
  const { end } = stage;
  switch (step.do) {
    case "send":
      return remembered(end.send(step, step.frames), step.early === true ? "0-RTT" : step.level, stage);
    case "coalesce": {
      const made = step.packets.map((packet) => end.packet(packet, packet.frames));
      const octets = made.flatMap((one) => (one === undefined ? [] : [one.octets]));
      const words = step.packets.map(({ level, frames }) => `${level}: ${specInWords(frames)}`).join(" + ");
      if (octets.length === made.length) end.transmit([...octets, fromHex(step.trailing ?? "")], words);
      const last = step.packets.at(-1);
      return last === undefined
        ? undefined
        : remembered(octets.length === made.length ? made.at(-1)?.number : undefined, last.level, stage);
    }
    case "repeat":
      return repeat(step, stage);
    case "datagram": {
      const octets = fromHex(step.octets.replaceAll("{id}", toHex(end.destination)));
      for (let n = 0; n < (step.times ?? 1); n++) {
        end.transmit([octets], step.note);
        if (n % AT_ONCE === AT_ONCE - 1) await pause(stage);
      }
      return undefined;
    }
    case "use id": {
      const id = end.ids.get(step.sequence);
      if (id === undefined) return `it has issued no connection ID with sequence number ${step.sequence}`;
      end.destination = id;
      return undefined;
    }
    case "issue ids": {
      const most = end.theirs.value({ limit: "ids", plus: step.beyond }, "number");
      const ids: FrameSpec[] = Array.from({ length: most - 1 }, (_, n) => ({
        type: "NEW_CONNECTION_ID",
        sequence: n + 1,
        id: nthId(n + 1),
        token: nthId(n + 1).repeat(2),
      }));
      // Together: one that retires an ID meanwhile, as it may, would have room for another.
      for (let at = 0; at < ids.length; at += IDS_A_PACKET) end.send({ level: "application" }, ids.slice(at, at + IDS_A_PACKET));
      return undefined;
    }
  }
}

const sent = (isSent: boolean, level: string, stage: QuicStage): Stop =>
  isSent || stage.over ? undefined : `there are no keys for packets of level ${level}`;
/** Takes down the number of the packet for the sights about it. */
export function remembered(number: number | undefined, level: Level | "0-RTT", stage: QuicStage): Stop {
  if (number !== undefined) stage.last = { level: level === "0-RTT" ? "application" : level, number };
  return sent(number !== undefined, level, stage);
}
function stop({ what }: StepOf<SharedStep, "stop">, stage: QuicStage): Stop {
  if (what === "acknowledgments") stage.acknowledges = false;
  if (!stage.isConnected) return undefined;
  if (what === "acknowledgments") stage.end.acknowledges = false;
  else stage.end.answersPaths = false;
  return undefined;
}
/** As many NEW_CONNECTION_ID frames fit into 1,200 octets. */
const IDS_A_PACKET = 30;
const nthId = (n: number): string => n.toString(16).padStart(16, "0");

/** Waits until the keys of Handshake packets are there and the subject's transport parameters. */
export async function begun(stage: QuicStage, end: RawEnd): Promise<Stop> {
  const ready = (): boolean => end.spaces.handshake.write !== undefined && end.theirs.octets.size > 0;
  await stage.until(() => ready() || stage.over, stage.timeout);
  return ready() || stage.over ? undefined : "it did not answer the first flight";
}
/** Waits for the end of the handshake. */
export async function established(stage: QuicStage, end: RawEnd): Promise<Stop> {
  await stage.until(() => end.established || stage.over, stage.timeout);
  return end.established || stage.over ? undefined : `the handshake was not completed within ${stage.timeout} ms`;
}

/** After how many packets of a flood the subject has to keep up, and how long it may take, in milliseconds. */
export const AT_ONCE = 50;
const KEEP_UP_MS = 200;

async function repeat({ times, frames, ...packet }: StepOf<SharedStep, "repeat">, stage: QuicStage): Promise<Stop> {
  const { end } = stage;
  for (let round = 0; round < times && !stage.over; round++) {
    const number = end.send(
      packet,
      frames.map((frame) => counted(frame, round)),
    );
    if (number === undefined) return sent(false, packet.level, stage);
    stage.last = { level: packet.level, number };
    if (round % AT_ONCE === AT_ONCE - 1) await pause(stage);
  }
  return undefined;
}

/** Members that count up with the rounds. */
function counted(frame: FrameSpec, round: number): FrameSpec {
  if (frame.counting === undefined) return frame;
  const more = Object.fromEntries(frame.counting.map((name) => [name, Number(frame[name] ?? 0) + (name === "stream" ? 4 * round : round)]));
  return { ...frame, ...more, ...(frame.type === "NEW_CONNECTION_ID" ? { id: nthId(round + 1), token: nthId(round + 1).repeat(2) } : {}) };
}

/** Lets the subject catch up: what the kernel cannot keep would be lost. */
export async function pause(stage: QuicStage): Promise<void> {
  const { end } = stage;
  const number = end.established ? end.send({ level: "application" }, [{ type: "PING" }]) : undefined;
  await turn();
  if (number === undefined) return;
  await stage.until(() => stage.over || end.hasAcknowledged("application", number), KEEP_UP_MS);
  // A subject that stops acknowledging is judged by the fence.
  stage.timedOut = false;
}
