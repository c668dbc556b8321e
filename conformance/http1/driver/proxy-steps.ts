import { octetsOf, repeated } from "../../wire/http1.ts";
import { fromLatin1 } from "../../wire/octets.ts";
import type { Sight, Step } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import type { ProxyStage } from "./proxy-stage.ts";
import { leaves } from "./sights.ts";
import type { Stop } from "./steps.ts";

/** Octets of a flood that are handed to the socket at once. */
const BATCH = 65_536;

/** Performs the steps in order, on both sides of a proxy, up to the first that it does not answer. */
export async function performBetween(steps: readonly Step[], stage: ProxyStage): Promise<Stop> {
  for (const step of steps) {
    const stop = await one(step, stage);
    if (stop !== undefined) return stop;
  }
  return undefined;
}

async function one(step: Step, stage: ProxyStage): Promise<Stop> {
  switch (step.do) {
    case "send":
      await (await stage.connection(step.on ?? 1)).send(octetsOf(step.text, stage.values), step.cut);
      return undefined;
    case "repeat": {
      const connection = await stage.connection(step.on ?? 1);
      const octets = fromLatin1(repeated(step.text, step.times, stage.values));
      for (let at = 0; at < octets.length && connection.ended === undefined; at += BATCH)
        await connection.send(octets.subarray(at, at + BATCH));
      return undefined;
    }
    case "await":
      return awaitSight(step.see, stage);
    case "half-close":
    case "close":
    case "reset":
      (stage.front ?? (await stage.connection(step.on ?? 1))).end(
        step.do === "half-close" ? "half" : step.do === "close" ? "whole" : "reset",
      );
      return undefined;
    case "wait":
      stage.recorder.remark(`we wait ${step.ms} ms`);
      await stage.until(() => step.until !== undefined && stage.sees(step.until), step.ms);
      return undefined;
    case "origin": {
      const { do: _, ...script } = step;
      stage.scene.follow(script);
      return undefined;
    }
    case "origin send":
      stage.scene.send(step);
      return undefined;
    case "http2":
      (await stage.http2()).send(step.frames);
      return undefined;
    case "answer":
      throw new Error('A proxy is not judged by a step that does "answer".');
  }
}

/** What is seen at the origin, whose connections end on their own. */
const AT_ORIGIN: readonly Sight["see"][] = ["request", "requests", "origin octets"];

/** Goes on when it was seen. The connection that it speaks of may end before: then it never will be. */
async function awaitSight(sight: Sight, stage: ProxyStage): Promise<Stop> {
  const onlyOrigin = leaves(sight).every(({ see }) => AT_ORIGIN.includes(see));
  const over = (): boolean => !onlyOrigin && stage.over;
  const seen = await stage.until(() => stage.sees(sight) || over(), stage.timeout);
  if (stage.sees(sight)) return undefined;
  return seen
    ? `the connection ended before this was seen: ${sightInWords(sight)}`
    : `within ${stage.timeout} ms this was not seen: ${sightInWords(sight)}`;
}
