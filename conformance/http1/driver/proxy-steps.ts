import { leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { Sight, Step } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import type { Http1ProxyStage } from "./proxy-stage.ts";
import { sendText } from "./steps.ts";

/** Performs one step on either side of a proxy; returns why it failed. */
export async function performOnProxy(step: Step, stage: Http1ProxyStage): Promise<Stop> {
  switch (step.do) {
    case "send":
    case "repeat": {
      const connection = await stage.connection(step.on ?? 1);
      await sendText(step, { connection, values: stage.values, isOver: () => connection.ended !== undefined });
      return undefined;
    }
    case "await":
      return awaitSight(step.see, stage);
    case "half-close":
    case "close":
    case "reset":
      (stage.front ?? (await stage.connection(step.on ?? 1))).end(step.do);
      return undefined;
    case "wait":
      return stage.rest(step, () => false);
    case "origin": {
      const { do: _, ...script } = step;
      stage.scene.follow(script);
      return undefined;
    }
    case "origin send":
      stage.scene.send(step);
      return undefined;
    case "http2":
      (await stage.http2(step.cut)).send(step.frames);
      return undefined;
    case "answer":
      throw new Error('A case for a proxy cannot have the step "answer".');
  }
}

/** Sights of the origin, whose connections end on their own. */
const AT_ORIGIN: readonly Sight["see"][] = ["request", "requests", "origin octets", "origin closed"];

/** Waits for a sight. Once the connections of the client have ended, only those of the origin can still be seen. */
function awaitSight(sight: Sight, stage: Http1ProxyStage): Promise<Stop> {
  const onlyOrigin = leaves(sight).every(({ see }) => AT_ORIGIN.includes(see));
  return stage.expect(sight, sightInWords(sight), { isOver: () => !onlyOrigin && stage.over, ending: "the connection" });
}
