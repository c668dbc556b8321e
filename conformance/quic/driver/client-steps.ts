import type { Stop } from "../../harness/connection/stage.ts";
import type { ClientStep, SharedStep, Step } from "../vocabulary.ts";
import type { ClientStage } from "./client-stage.ts";
import { CONTROL } from "./server-steps.ts";
import { specInWords } from "../../wire/quic/words.ts";
import { begun, established, performShared, remembered, type StepOf } from "./steps.ts";

/** Performs one step on a client; returns why it could not. */
export async function performOnClient(step: Step, stage: ClientStage): Promise<Stop> {
  switch (step.do) {
    case "negotiate":
      return negotiate(step, stage);
    case "retry":
      return retry(step, stage);
    case "accept":
      return accept(step, stage);
    case "release":
      stage.end.release();
      return completed({ do: "accept" }, stage);
    case "stateless reset":
      stage.host.reset(step.token);
      return undefined;
    case "send from elsewhere": {
      const made = stage.end.packet(step, step.frames);
      if (made !== undefined) await stage.host.elsewhere(made.octets, `${step.level} packet ${made.number}: ${specInWords(step.frames)}`);
      return remembered(made?.number, step.level, stage);
    }
    case "connect":
    case "leave":
    case "version":
    case "request":
    case "fill connection":
    case "half-open":
    case "rebind":
      throw new Error(`a client has no step "${step.do}"`);
    default:
      return performShared(step satisfies SharedStep, stage);
  }
}

/** Waits for an Initial packet of the subject that is not answered yet; returns why none came. */
async function initial(stage: ClientStage): Promise<Stop> {
  if (stage.isConnected) return undefined;
  await stage.until(() => stage.host.first !== undefined || stage.over, stage.timeout);
  return stage.host.first === undefined ? `within ${stage.timeout} ms no further Initial packet came` : undefined;
}

async function negotiate({ versions }: StepOf<ClientStep, "negotiate">, stage: ClientStage): Promise<Stop> {
  const why = await initial(stage);
  if (stage.host.last !== undefined) stage.host.negotiate(versions, stage.host.last);
  return why;
}

async function retry({ ignored, ...spec }: StepOf<ClientStep, "retry">, stage: ClientStage): Promise<Stop> {
  const why = await initial(stage);
  const { first: answered = stage.host.last } = stage.host;
  if (answered === undefined) return why;
  stage.host.retry(spec, answered);
  if (ignored === true) return undefined;
  stage.host.forget();
  return initial(stage);
}

async function accept(step: StepOf<ClientStep, "accept">, stage: ClientStage): Promise<Stop> {
  const { do: _, until, certificate = "good", ...spec } = step;
  const why = await initial(stage);
  if (why !== undefined) return why;
  const end = await stage.accept(spec, certificate);
  if (until === "nothing") return undefined;
  return spec.hold === undefined ? completed(step, stage) : begun(stage, end);
}

/** Confirms the handshake, opens the control stream of HTTP/3, and waits for the request. */
async function completed({ until }: StepOf<ClientStep, "accept">, stage: ClientStage): Promise<Stop> {
  const { end } = stage;
  const why = await established(stage, end);
  if (why !== undefined || stage.over) return why;
  end.send({ level: "application" }, [{ type: "HANDSHAKE_DONE" }, { type: "STREAM", stream: 3, data: CONTROL }]);
  if (until === "handshake") return undefined;
  const isThere = (): boolean =>
    stage.all.some((one) => one.is === "frame" && one.frame.type === "STREAM" && one.frame.members["stream"] === 0);
  await stage.until(() => isThere() || stage.over, stage.timeout);
  return isThere() || stage.over ? undefined : `within ${stage.timeout} ms it sent no request on stream 0`;
}
