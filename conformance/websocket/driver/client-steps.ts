import type { Stop } from "../../harness/connection/stage.ts";
import { octetsOf } from "../../wire/http1/build.ts";
import { fromHex } from "../../wire/octets.ts";
import type { Step } from "../vocabulary.ts";
import type { ServedConnection } from "./client-connection.ts";
import type { WebSocketClientStage } from "./client-stage.ts";
import { sightInWords } from "./describe.ts";

/** Frames of a flood written at once. */
const BATCH = 500;
/** Performs one step on a client; returns why it failed. */
export async function performOnClient(step: Step, stage: WebSocketClientStage): Promise<Stop> {
  switch (step.do) {
    case "open":
      return onConnection(step.on, stage, (connection) => connection.respond(step, stage.values(step.on), step.cut));
    case "text":
      return onConnection(step.on, stage, (connection) => connection.text(octetsOf(step.text, stage.values(step.on)), step.cut));
    case "send":
      return onConnection(step.on, stage, (connection) => connection.send(step.frames, step.cut));
    case "bytes":
      return onConnection(step.on, stage, (connection) => connection.bytes(fromHex(step.hex), step.note, step.cut));
    case "repeat":
      return onConnection(step.on, stage, async (connection) => {
        for (let left = step.times; left > 0 && connection.ended === undefined; left -= BATCH)
          await connection.send(Array.from({ length: Math.min(BATCH, left) }, () => step.frames).flat());
      });
    case "await":
      return stage.expect(step.see, sightInWords(step.see), { isOver: () => stage.over, ending: "the connection" });
    case "half-close":
    case "close":
    case "reset":
      return onConnection(step.on, stage, async (connection) => connection.end(step.do));
    case "wait":
      // Perhaps no handshake follows.
      if (!stage.announces) return stage.rest(step).then(() => undefined);
      // The wait begins with the handshake, not with the start of a program.
      return onConnection(1, stage, async () => {
        await stage.rest(step);
      });
    case "hear":
      return stage.hear().then(() => undefined);
    case "ignore":
      return onConnection(1, stage, async (connection) => {
        if (step.what === "close") connection.answersClose = false;
        else if (step.what === "ping") connection.answersPing = false;
        else connection.endsAfterClose = false;
      });
  }
}

/** Acts on a connection once its handshake has arrived. */
async function onConnection(on = 1, stage: WebSocketClientStage, act: (connection: ServedConnection) => Promise<void>): Promise<Stop> {
  const hasCome = (): boolean => stage.connections.get(on)?.request !== undefined;
  await stage.until(() => hasCome() || stage.over, stage.timeout);
  const connection = stage.connections.get(on);
  if (connection === undefined || !hasCome()) return missing(on === 1 ? "its handshake" : `its handshake on connection ${on}`, stage);
  await act(connection);
  return undefined;
}

const missing = (what: string, stage: WebSocketClientStage): string => stage.unseen(what, stage.over ? "the connection" : undefined);
