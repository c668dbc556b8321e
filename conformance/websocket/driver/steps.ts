import type { Stop } from "../../harness/connection/stage.ts";
import { octetsOf } from "../../wire/http1/build.ts";
import { fromHex } from "../../wire/octets.ts";
import type { Step } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import { connectionsOf } from "./sights.ts";
import type { WebSocketStage } from "./stage.ts";

/** Frames of a flood written at once. */
const BATCH = 500;

/** Performs one step on a server; returns why it failed. */
export async function performOnServer(step: Step, stage: WebSocketStage): Promise<Stop> {
  switch (step.do) {
    case "open":
      return open(step, stage);
    case "text":
      await (await stage.connection(step.on ?? 1)).text(octetsOf(step.text, stage.values(step.on)), step.cut);
      return undefined;
    case "send":
      await (await stage.connection(step.on ?? 1)).send(step.frames, step.cut);
      return undefined;
    case "bytes":
      await (await stage.connection(step.on ?? 1)).bytes(fromHex(step.hex), step.note, step.cut);
      return undefined;
    case "repeat": {
      const connection = await stage.connection(step.on ?? 1);
      for (let left = step.times; left > 0 && connection.ended === undefined; left -= BATCH)
        await connection.send(Array.from({ length: Math.min(BATCH, left) }, () => step.frames).flat());
      return undefined;
    }
    case "await":
      return stage.expectOn(step.see, sightInWords(step.see), connectionsOf(step.see));
    case "half-close":
    case "close":
    case "reset":
      (await stage.connection(step.on ?? 1)).end(step.do);
      return undefined;
    case "wait":
      return stage.rest(step);
    case "hear":
      await stage.hear([step.on ?? 1]);
      return undefined;
    case "ignore": {
      const connection = await stage.connection(1);
      if (step.what === "close") connection.answersClose = false;
      if (step.what === "ping") connection.answersPing = false;
      return undefined;
    }
  }
}

async function open(step: Extract<Step, { do: "open" }>, stage: WebSocketStage): Promise<Stop> {
  const { on = 1 } = step;
  const connection = await stage.connection(on);
  await connection.ask(stage.named(step, on), step.cut);
  if (step.await === "nothing") return undefined;
  await stage.until(() => connection.open || connection.response?.complete === true || connection.ended !== undefined, stage.timeout);
  if (connection.open || step.await === "answer") return undefined;
  const { response } = connection;
  if (response !== undefined) return `the handshake was answered with ${response.status}`;
  return connection.ended === undefined
    ? `silence: within ${stage.timeout} ms no response to the handshake`
    : "the connection ended without a response";
}
