import type { Stop } from "../../harness/connection/stage.ts";
import { octetsOf, repeated } from "../../wire/http1/build.ts";
import { fromLatin1 } from "../../wire/octets.ts";
import type { Sight, Step } from "../vocabulary.ts";
import type { ServedConnection } from "./client-connection.ts";
import type { Http1ClientStage } from "./client-stage.ts";
import { sightInWords } from "./describe.ts";

type Answer = Extract<Step, { do: "answer" }>;

/** Octets of a flood written at once. */
const BATCH = 65_536;
/** The most requests beyond the case that are answered. */
const MOST_ANSWERS = 40;
/** The default response. */
export const PLAIN = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok";

/** Answers requests beyond those of the case like the last of them, until the client ends: a retry meets the same response again. */
export async function answerOn(steps: readonly Step[], stage: Http1ClientStage): Promise<void> {
  const last = steps.findLast((step): step is Answer => step.do === "answer");
  const next = () => stage.answerable[stage.answered];
  for (let rounds = 0; rounds < MOST_ANSWERS; rounds++) {
    await stage.until(() => stage.gone || next()?.request.complete === true, stage.timeout);
    const due = next();
    if (stage.gone || due?.request.complete !== true) return;
    await answer(last ?? { do: "answer", text: PLAIN }, due.connection, stage);
  }
}

/** Performs one step on a client; returns why it failed. */
export async function performOnClient(step: Step, stage: Http1ClientStage): Promise<Stop> {
  switch (step.do) {
    case "answer": {
      const nth = step.nth ?? 1;
      const due = () => stage.answerable[nth - 1];
      await stage.until(() => due()?.request.complete === true || stage.gone, stage.timeout);
      const came = due();
      if (came?.request.complete !== true) return missing(`request number ${nth}`, stage);
      stage.answered = Math.max(stage.answered, nth - 1);
      await answer(step, came.connection, stage);
      return undefined;
    }
    case "send":
      return onConnection(step.on, stage, (connection) => connection.write(octetsOf(step.text, stage.values), step.cut));
    case "repeat":
      return onConnection(step.on, stage, async (connection) => {
        const octets = fromLatin1(repeated(step.text, step.times, stage.values));
        for (let at = 0; at < octets.length && connection.ended === undefined; at += BATCH)
          await connection.write(octets.subarray(at, at + BATCH));
      });
    case "half-close":
    case "close":
    case "reset":
      return onConnection(step.on, stage, async (connection) => connection.end(step.do));
    case "await":
      return awaitSight(step.see, stage);
    case "wait":
      return stage.rest(step);
    case "origin":
    case "origin send":
    case "http2":
      throw new Error(`A case for a client cannot have the step "${step.do}".`);
  }
}

async function answer({ text, cut, close }: Answer, connection: ServedConnection, stage: Http1ClientStage): Promise<void> {
  stage.answered += 1;
  connection.answers += 1;
  await connection.write(octetsOf(text, stage.values), cut);
  if (close === undefined) connection.endAfterClient();
  else connection.end(close === "end" ? "half-close" : close);
}

async function onConnection(on = 1, stage: Http1ClientStage, act: (connection: ServedConnection) => Promise<void>): Promise<Stop> {
  await stage.until(() => stage.connections[on - 1] !== undefined || stage.gone, stage.timeout);
  const connection = stage.connections[on - 1];
  if (connection === undefined) return missing(`connection number ${on}`, stage);
  await act(connection);
  return undefined;
}

async function awaitSight(sight: Sight, stage: Http1ClientStage): Promise<Stop> {
  const stop = await stage.expect(sight, sightInWords(sight), { isOver: () => stage.gone, ending: "the command" });
  stage.missed ||= stop !== undefined;
  return stop;
}

const missing = (what: string, stage: Http1ClientStage): string => stage.unseen(what, stage.gone ? "the command" : undefined);
