import { octetsOf } from "../../wire/http1.ts";
import { fromHex } from "../../wire/octets.ts";
import type { Sight, Step } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import { leaves } from "./sights.ts";
import type { Stage } from "./stage.ts";

/** Why the steps did not come to their end; undefined when they did, or when the subject has ended the connection (which is judged). */
export type Stop = string | undefined;

/** Frames of a flood that are handed to the socket at once. */
const BATCH = 500;

/** Performs the steps in order, up to the first that the subject does not answer. */
export async function perform(steps: readonly Step[], stage: Stage): Promise<Stop> {
  for (const step of steps) {
    const stop = await one(step, stage);
    if (stop !== undefined) return stop;
  }
  return undefined;
}

async function one(step: Step, stage: Stage): Promise<Stop> {
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
      return awaitSight(step.see, stage);
    case "half-close":
    case "close":
    case "reset":
      (await stage.connection(step.on ?? 1)).end(step.do === "half-close" ? "half" : step.do === "close" ? "whole" : "reset");
      return undefined;
    case "wait":
      stage.recorder.remark(`we wait ${step.ms} ms`);
      await stage.until(() => stage.over || (step.until !== undefined && stage.sees(step.until)), Math.min(step.ms, stage.longestWait));
      return undefined;
    case "leave": {
      const connection = await stage.connection(1);
      if (step.what === "close") connection.answersClose = false;
      if (step.what === "ping") connection.answersPing = false;
      return undefined;
    }
  }
}

async function open(step: Extract<Step, { do: "open" }>, stage: Stage): Promise<Stop> {
  const { on = 1 } = step;
  const connection = await stage.connection(on);
  await connection.ask(step, step.cut);
  if (step.await === "nothing") return undefined;
  await stage.until(() => connection.open || connection.response?.complete === true || connection.ended !== undefined, stage.timeout);
  if (connection.open || step.await === "answer") return undefined;
  const { response } = connection;
  if (response !== undefined) return `the handshake was answered with ${response.status}`;
  return connection.ended === undefined
    ? `silence: within ${stage.timeout} ms no answer to the handshake`
    : "the connection ended without an answer";
}

/** Goes on when it was seen. The connection that it speaks of may end before: then it never will be. */
async function awaitSight(sight: Sight, stage: Stage): Promise<Stop> {
  const spokenOf = leaves(sight).map((leaf) => ("on" in leaf ? (leaf.on ?? 1) : 1));
  const over = (): boolean => spokenOf.every((on) => stage.connections.get(on)?.ended !== undefined);
  const ended = await stage.until(() => stage.sees(sight) || over(), stage.timeout);
  if (stage.sees(sight)) return undefined;
  return ended
    ? `the connection ended before this was seen: ${sightInWords(sight)}`
    : `within ${stage.timeout} ms this was not seen: ${sightInWords(sight)}`;
}
