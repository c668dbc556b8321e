import type { Stop } from "../../harness/connection/stage.ts";
import { build as http3 } from "../../wire/http3/build.ts";
import { fromHex, join, toHex, toLatin1 } from "../../wire/octets.ts";
import { specInWords } from "../../wire/quic/words.ts";
import { turn } from "../../wire/writes.ts";
import type { FrameSpec, Level, Step } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import { ping } from "./fence.ts";
import type { QuicStage } from "./stage.ts";

type StepOf<Do extends Step["do"]> = Extract<Step, { readonly do: Do }>;

/** Performs one step; returns why it could not. */
export async function perform(step: Step, stage: QuicStage): Promise<Stop> {
  if (step.do === "connect") return connect(step, stage);
  if (step.do === "stop") return stop(step, stage);
  // A connection that has ended may still be sent to: some cases do.
  const { line } = stage;
  const { end } = line;
  switch (step.do) {
    case "release":
      end.release();
      return completed(stage);
    case "send":
      return remembered(end.send(step, step.frames), step.level, stage);
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
    case "version": {
      const datagram = line.ofVersion(step.version, step.octets);
      end.transmit([datagram], `a packet of version 0x${step.version.toString(16)}`);
      return undefined;
    }
    case "datagram": {
      const octets = fromHex(step.octets.replaceAll("{id}", toHex(end.destination)));
      for (let n = 0; n < (step.times ?? 1); n++) {
        end.transmit([octets], step.note);
        if (n % AT_ONCE === AT_ONCE - 1) await pause(stage);
      }
      return undefined;
    }
    case "request":
      return request(step, stage);
    case "fill connection":
      return fill(step, stage);
    case "half-open":
      for (let n = 0; n < step.times; n++) {
        await stage.halfOpen(step.with ?? {});
        if (n % AT_ONCE === AT_ONCE - 1) await pause(stage);
      }
      return undefined;
    case "rebind":
      await line.rebind();
      return undefined;
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
      for (const frame of ids) end.send({ level: "application" }, [frame]);
      return undefined;
    }
    case "mark":
      stage.seen = [];
      return undefined;
    case "await":
      return stage.expect(step.see, sightInWords(step.see), { isOver: () => stage.over, ending: "the connection" });
    case "fence":
      return ping(stage);
    case "wait":
      return stage.rest(step);
  }
}

const sent = (isSent: boolean, level: string, stage: QuicStage): Stop =>
  isSent || stage.over ? undefined : `there are no keys for packets of level ${level}`;
/** Takes down the number of the packet for the sights about it. */
function remembered(number: number | undefined, level: Level, stage: QuicStage): Stop {
  if (number !== undefined) stage.last = { level, number };
  return sent(number !== undefined, level, stage);
}
function stop({ what }: StepOf<"stop">, stage: QuicStage): Stop {
  if (what === "acknowledgments") stage.acknowledges = false;
  if (!stage.isConnected) return undefined;
  if (what === "acknowledgments") stage.line.end.acknowledges = false;
  else stage.line.end.answersPaths = false;
  return undefined;
}
const nthId = (n: number): string => n.toString(16).padStart(16, "0");

async function connect({ impatient, ...spec }: StepOf<"connect">, stage: QuicStage): Promise<Stop> {
  const { end } = await stage.dial(spec);
  if (spec.hold === "nothing") return undefined;
  end.start();
  if (impatient === true) return undefined;
  if (spec.hold === undefined) return completed(stage);
  const ready = (): boolean => end.spaces.handshake.write !== undefined && end.theirs.octets.size > 0;
  await stage.until(() => ready() || stage.over, stage.timeout);
  return ready() || stage.over ? undefined : "it did not answer the first flight";
}

/** Waits for the end of the handshake, then opens the control stream of HTTP/3, without which servers may end a connection (rfc9114#6.2.1). */
async function completed(stage: QuicStage): Promise<Stop> {
  const { end } = stage.line;
  await stage.until(() => end.established || stage.over, stage.timeout);
  if (stage.over) return undefined;
  if (!end.established) return `the handshake was not completed within ${stage.timeout} ms`;
  end.send({ level: "application" }, [{ type: "STREAM", stream: 2, data: CONTROL }]);
  // The handshake is confirmed by then, so that both ends have left the earlier levels.
  await stage.until(
    () => stage.over || stage.all.some((one) => one.is === "frame" && one.frame.type === "HANDSHAKE_DONE"),
    stage.timeout / 4,
  );
  return undefined;
}

/** After how many packets of a flood the subject has to keep up, and how long it may take, in milliseconds. */
const AT_ONCE = 50;
const KEEP_UP_MS = 200;

async function repeat({ times, frames, ...packet }: StepOf<"repeat">, stage: QuicStage): Promise<Stop> {
  const { end } = stage.line;
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
async function pause(stage: QuicStage): Promise<void> {
  const { end } = stage.line;
  const number = end.established ? end.send({ level: "application" }, [{ type: "PING" }]) : undefined;
  await turn();
  if (number === undefined) return;
  await stage.until(() => stage.over || end.hasAcknowledged("application", number), KEEP_UP_MS);
  // A subject that stops acknowledging is judged by the fence.
  stage.timedOut = false;
}

async function request({ stream, order }: StepOf<"request">, stage: QuicStage): Promise<Stop> {
  const data = requestOctets(stage);
  const half = Math.floor(data.length / 2);
  const first: FrameSpec = { type: "STREAM", stream, data: data.slice(0, half) };
  const second: FrameSpec = { type: "STREAM", stream, offset: half, data: data.slice(half), end: true };
  const parts =
    order === undefined
      ? [{ type: "STREAM", stream, data, end: true } as const]
      : order === "reversed"
        ? [second, first]
        : [first, first, second, second];
  return parts
    .map((frame) => remembered(stage.line.end.send({ level: "application" }, [frame]), "application", stage))
    .find((why) => why !== undefined);
}

/** Octets on streams 0, 4, 8 …, each up to its limit, until the limit of all is reached; what the control stream holds counts, too. */
async function fill({ beyond }: StepOf<"fill connection">, stage: QuicStage): Promise<Stop> {
  const { end } = stage.line;
  const most = end.theirs.value({ limit: "data", plus: beyond - CONTROL_OCTETS }, "number");
  const each = end.theirs.value({ limit: "stream data", plus: 0 }, "number");
  for (let stream = 0, left = most; left > 0; stream += 4, left -= each)
    end.send({ level: "application" }, [
      { type: "STREAM", stream, data: RESERVED },
      { type: "STREAM", stream, offset: Math.min(each, left) - 1, data: "a" },
    ]);
  return undefined;
}
/** The type of the control stream and empty SETTINGS. */
const CONTROL = "\0\u0004\0";
const CONTROL_OCTETS = CONTROL.length;
/** A frame of a reserved type with a gigabyte of content, which HTTP/3 ignores. */
const RESERVED = "!\u00bf\u00ff\u00ff\u00ff";

function requestOctets({ target }: QuicStage): string {
  const fields = [
    [":method", "GET"],
    [":scheme", target.scheme],
    [":authority", target.authority],
    [":path", target.path],
  ] as const;
  const octets = join([http3({ type: "HEADERS", fields }, { text: (value) => value })]);
  return toLatin1(octets);
}
