import type { Stop } from "../../harness/connection/stage.ts";
import { build as http3 } from "../../wire/http3/build.ts";
import { join, toLatin1 } from "../../wire/octets.ts";
import type { FrameSpec, ServerStep, SharedStep, Step } from "../vocabulary.ts";
import type { ServerStage } from "./server-stage.ts";
import { AT_ONCE, begun, established, pause, performShared, remembered, type StepOf } from "./steps.ts";

/** Performs one step on a server; returns why it could not. */
export async function performOnServer(step: Step, stage: ServerStage): Promise<Stop> {
  switch (step.do) {
    case "connect":
      return connect(step, stage);
    case "leave":
      stage.leave();
      return undefined;
    case "release":
      stage.end.release();
      return completed(stage);
    case "version": {
      const datagram = stage.line.ofVersion(step.version, step.octets);
      stage.end.transmit([datagram], `a packet of version 0x${step.version.toString(16)}`);
      return undefined;
    }
    case "request":
      return request(step, stage);
    case "fill connection":
      return fill(step, stage);
    case "half-open":
      for (let n = 0; n < step.times; n++) {
        await stage.halfOpen(step.with ?? {}, step.recorded);
        if (n % AT_ONCE === AT_ONCE - 1) await pause(stage);
      }
      return undefined;
    case "rebind":
      await stage.line.rebind();
      return undefined;
    case "accept":
    case "retry":
    case "negotiate":
    case "stateless reset":
    case "send from elsewhere":
      throw new Error(`a server has no step "${step.do}"`);
    default:
      return performShared(step satisfies SharedStep, stage);
  }
}

async function connect({ impatient, early = [], recorded, ...spec }: StepOf<ServerStep, "connect">, stage: ServerStage): Promise<Stop> {
  const why = spec.resume === undefined || recorded === true ? undefined : await stage.getSession();
  if (why !== undefined) return why;
  const { end } = await stage.dial(spec, recorded === true);
  if (spec.hold === "nothing") return undefined;
  end.start();
  for (const frames of early) {
    const unsent = remembered(end.send({ level: "application", early: true }, frames), "0-RTT", stage);
    if (unsent !== undefined) return unsent;
  }
  if (impatient === true) return undefined;
  return spec.hold === undefined ? completed(stage) : begun(stage, end);
}

/** Waits for the end of the handshake, then opens the control stream of HTTP/3, without which servers may end a connection (rfc9114#6.2.1). */
async function completed(stage: ServerStage): Promise<Stop> {
  const { end } = stage;
  const why = await established(stage, end);
  if (why !== undefined || stage.over) return why;
  end.send({ level: "application" }, [{ type: "STREAM", stream: 2, data: CONTROL }]);
  // The handshake is confirmed by then, so that both ends have left the earlier levels.
  await stage.until(
    () => stage.over || stage.all.some((one) => one.is === "frame" && one.frame.type === "HANDSHAKE_DONE"),
    stage.timeout / 4,
  );
  return undefined;
}

async function request({ stream, order }: StepOf<ServerStep, "request">, stage: ServerStage): Promise<Stop> {
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
    .map((frame) => remembered(stage.end.send({ level: "application" }, [frame]), "application", stage))
    .find((why) => why !== undefined);
}

/** Octets on streams 0, 4, 8 …, each up to its limit, until the limit of all is reached; what the control stream holds counts, too. */
async function fill({ beyond }: StepOf<ServerStep, "fill connection">, stage: ServerStage): Promise<Stop> {
  const { end } = stage;
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
export const CONTROL = "\0\u0004\0";
const CONTROL_OCTETS = CONTROL.length;
/** A frame of a reserved type with a gigabyte of content, which HTTP/3 ignores. */
const RESERVED = "!\u00bf\u00ff\u00ff\u00ff";

function requestOctets({ target }: ServerStage): string {
  const fields = [
    [":method", "GET"],
    [":scheme", target.scheme],
    [":authority", target.authority],
    [":path", target.path],
  ] as const;
  const octets = join([http3({ type: "HEADERS", fields }, { text: (value) => value })]);
  return toLatin1(octets);
}
