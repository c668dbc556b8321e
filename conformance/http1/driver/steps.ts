import { fill, octetsOf, repeated } from "../../wire/http1.ts";
import { build } from "../../wire/http2.ts";
import { fromLatin1, join } from "../../wire/octets.ts";
import type { StreamRef } from "../../http2/vocabulary.ts";
import type { Sight, Step } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import { leaves } from "./sights.ts";
import type { Stage } from "./stage.ts";

/** Why the steps did not come to their end; undefined when they did, or when the subject has ended the connection (which is judged). */
export type Stop = string | undefined;

/** Octets of a flood that are handed to the socket at once. */
const BATCH = 65_536;

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
    case "send":
      await (await stage.connection(step.on ?? 1)).send(octetsOf(step.text, stage.values), step.cut);
      return undefined;
    case "repeat": {
      const connection = await stage.connection(step.on ?? 1);
      const octets = fromLatin1(repeated(step.text, step.times, stage.values));
      for (let at = 0; at < octets.length && !connection.unsent; at += BATCH) await connection.send(octets.subarray(at, at + BATCH));
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
    case "http2": {
      const setting = { stream: (ref: StreamRef) => (typeof ref === "number" ? ref : 1), text: (text: string) => fill(text, stage.values) };
      await (await stage.connection(1)).send(join(step.frames.map((frame) => build(frame, setting))));
      return undefined;
    }
    case "answer":
    case "origin":
    case "origin send":
      throw new Error(`A server is not judged by a step that does "${step.do}".`);
  }
}

/** Goes on when it was seen. The connection that it speaks of may end before: then it never will be. */
async function awaitSight(sight: Sight, stage: Stage): Promise<Stop> {
  const spokenOf = leaves(sight).map((leaf) => ("on" in leaf ? (leaf.on ?? 1) : 1));
  const over = (): boolean => spokenOf.every((on) => stage.connections.get(on)?.ended !== undefined);
  const seen = await stage.until(() => stage.sees(sight) || over(), stage.timeout);
  if (stage.sees(sight)) return undefined;
  return seen
    ? `the connection ended before this was seen: ${sightInWords(sight)}`
    : `within ${stage.timeout} ms this was not seen: ${sightInWords(sight)}`;
}
