import type { Stop } from "../../harness/connection/stage.ts";
import { fill, octetsOf, repeated, type Values } from "../../wire/http1/build.ts";
import { build } from "../../wire/http2/build.ts";
import { fromLatin1, join } from "../../wire/octets.ts";
import type { StreamRef } from "../../http2/vocabulary.ts";
import type { Step } from "../vocabulary.ts";
import type { Connection } from "./connection.ts";
import { sightInWords } from "./describe.ts";
import { connectionsOf } from "./sights.ts";
import type { Http1Stage } from "./stage.ts";

/** Octets of a flood written at once. */
const BATCH = 65_536;

type Sending = {
  readonly connection: Connection;
  readonly values: Values;
  /** Whether the rest of a flood is pointless. */
  readonly isOver: () => boolean;
};

/** Sends a text once, or many times in batches. */
export async function sendText(step: Extract<Step, { do: "send" | "repeat" }>, { connection, values, isOver }: Sending): Promise<void> {
  if (step.do === "send") return connection.send(octetsOf(step.text, values), step.cut);
  const octets = fromLatin1(repeated(step.text, step.times, values));
  if (step.cut !== undefined) return connection.send(octets, step.cut);
  for (let at = 0; at < octets.length && !isOver(); at += BATCH) await connection.send(octets.subarray(at, at + BATCH));
}

/** Performs one step on a server; returns why it failed. */
export async function performOnServer(step: Step, stage: Http1Stage): Promise<Stop> {
  switch (step.do) {
    case "send":
    case "repeat": {
      const connection = await stage.connection(step.on ?? 1);
      await sendText(step, { connection, values: stage.values, isOver: () => connection.unsent });
      return undefined;
    }
    case "await":
      return stage.expectOn(step.see, sightInWords(step.see), connectionsOf(step.see));
    case "half-close": {
      const connection = await stage.connection(step.on ?? 1);
      if (step.with === undefined) connection.end(step.do);
      else connection.endWith(octetsOf(step.with, stage.values));
      return undefined;
    }
    case "close":
    case "reset":
      (await stage.connection(step.on ?? 1)).end(step.do);
      return undefined;
    case "wait":
      return stage.rest(step);
    case "http2": {
      const setting = { stream: (ref: StreamRef) => (typeof ref === "number" ? ref : 1), text: (text: string) => fill(text, stage.values) };
      await (await stage.connection(1)).send(join(step.frames.map((frame) => build(frame, setting))));
      return undefined;
    }
    case "answer":
    case "origin":
    case "origin send":
      throw new Error(`A case for a server cannot have the step "${step.do}".`);
  }
}
