import { performAll } from "../../../harness/connection/connection-driver.ts";
import { leaves } from "../../../harness/connection/sights.ts";
import type { Stop } from "../../../harness/connection/stage.ts";
import type { ReportingClients } from "../../../harness/subject/reporting.ts";
import { toHex } from "../../../wire/octets.ts";
import { request as requestOctets } from "../../../wire/rpc/contract.ts";
import { requestJson } from "../../../wire/rpc/json.ts";
import type { WebAsk, WebCallSpec, WebClientSight, WebClientStep } from "../../web-client-vocabulary.ts";
import { arrival } from "../client-arrival.ts";
import { FENCE_PATH } from "../client-connection.ts";
import { PAYLOAD } from "../payloads.ts";
import { answer } from "./answers.ts";
import { sightInWords } from "./describe.ts";
import type { WebClientStage } from "./stage.ts";

/** Performs the steps in order until one fails. */
export function perform(steps: readonly WebClientStep[], stage: WebClientStage, clients: ReportingClients): Promise<Stop> {
  for (const number of mentionedIn(steps)) stage.mentioned.add(number);
  return performAll(
    steps,
    (step) => (step.do === "ask" ? ask(step, stage, clients) : one(step, stage)),
    () => stage.report?.is === "trouble",
  );
}

/** The requests that steps answer. */
function mentionedIn(steps: readonly WebClientStep[]): number[] {
  return steps.flatMap((step) => {
    if (step.do === "await") return leaves<WebClientSight>(step.see).flatMap((leaf) => ("request" in leaf ? [leaf.request ?? 1] : []));
    return step.do === "ask" || step.do === "wait" ? [] : [step.request ?? 1];
  });
}

/** The messages of a description are payloads; the subject gets whole messages in the format of its channel. */
const described = (call: WebCallSpec, format: "proto" | "json"): WebCallSpec => ({
  ...call,
  messages: call.messages.map((hex) => {
    const payload = Buffer.from(hex, "hex");
    return toHex(format === "json" ? Buffer.from(requestJson(payload)) : requestOctets(payload));
  }),
});
const FENCE: WebCallSpec = { kind: "unary", path: FENCE_PATH, messages: [Buffer.from(PAYLOAD).toString("hex")] };

async function ask(step: WebAsk, stage: WebClientStage, clients: ReportingClients): Promise<Stop> {
  const target = await stage.listen(step);
  const { calls, later, channel, fence } = step;
  const rounds = [calls, ...(later === undefined ? [] : [later]), ...(fence === false ? [] : [[FENCE]])];
  const format = channel?.format ?? "proto";
  void stage.await(
    await clients.ask({
      target,
      dialect: stage.dialect,
      ...(channel === undefined ? {} : { channel }),
      rounds: rounds.map((round) => round.map((call) => described(call, format))),
    }),
  );
  return undefined;
}

async function one(step: Exclude<WebClientStep, { do: "ask" }>, stage: WebClientStage): Promise<Stop> {
  switch (step.do) {
    case "await":
      return stage.expect(step.see, sightInWords(step.see), { isOver: () => stage.over, ending: "the calls" });
    case "wait":
      return stage.rest(step);
    default: {
      const request = await arrival(step.request ?? 1, stage);
      if (typeof request === "string") return request;
      await answer(step, request);
      return undefined;
    }
  }
}
