import { performAll } from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { Description, ReportingClients } from "../../harness/subject/reporting.ts";
import type { Ask, CallSpec, Sight, Step } from "../client-vocabulary.ts";
import { answer } from "./answer-steps.ts";
import { arrival } from "./client-arrival.ts";
import { FENCE_PATH } from "./client-connection.ts";
import { sightInWords } from "./client-describe.ts";
import { PAYLOAD } from "./payloads.ts";
import type { RpcClientStage } from "./client-stage.ts";

const FENCE: CallSpec = { kind: "unary", path: FENCE_PATH, messages: [Buffer.from(PAYLOAD).toString("hex")] };

/** Performs the steps in order until one fails. */
export function perform(steps: readonly Step[], stage: RpcClientStage, clients: ReportingClients): Promise<Stop> {
  for (const number of mentionedIn(steps)) stage.mentioned.add(number);
  return performAll(
    steps,
    (step) => (step.do === "ask" ? ask(step, stage, clients) : one(step, stage)),
    () => stage.report?.is === "trouble",
  );
}

/** The requests that steps are about. */
function mentionedIn(steps: readonly Step[]): number[] {
  return steps.flatMap((step) => {
    if (step.do === "await") return leaves<Sight>(step.see).flatMap((leaf) => ("request" in leaf ? [leaf.request ?? 1] : []));
    return ["ask", "wait", "server", "names"].includes(step.do) ? [] : [("request" in step ? step.request : undefined) ?? 1];
  });
}

/** The description that the subject reads. */
async function descriptionOf(step: Ask, { dialect, wallet }: RpcClientStage): Promise<Description> {
  const { calls, later, more = [], channel, fence, tls } = step;
  const rounds = [calls, ...(later === undefined ? [] : [later]), ...more, ...(fence === false ? [] : [[FENCE]])];
  return {
    dialect,
    ...(tls === undefined ? {} : { tls: await credentials(tls, wallet) }),
    ...(channel === undefined ? {} : { channel }),
    rounds,
  };
}

async function credentials({ gives }: NonNullable<Ask["tls"]>, wallet: RpcClientStage["wallet"]): Promise<Record<string, string>> {
  const [{ cert: ca }, mine] = await Promise.all([wallet.authority, gives === true ? wallet.other().get("good") : undefined]);
  return { ca, ...(mine === undefined ? {} : { cert: mine.cert, key: mine.key }) };
}

async function ask(step: Ask, stage: RpcClientStage, clients: ReportingClients): Promise<Stop> {
  const targets = await stage.listen(step);
  void stage.await(await clients.ask({ ...targets, ...(await descriptionOf(step, stage)) }));
  return undefined;
}

async function one(step: Exclude<Step, { do: "ask" }>, stage: RpcClientStage): Promise<Stop> {
  switch (step.do) {
    case "await":
      return stage.expect(step.see, sightInWords(step.see), { isOver: () => stage.over, ending: "the calls" });
    case "wait":
      return stage.rest(step);
    case "server": {
      const { server = 1, drops, do: _, ...spec } = step;
      await stage.change(server, spec, drops === true);
      return undefined;
    }
    case "names": {
      const { do: _, ...names } = step;
      stage.rename(names);
      return undefined;
    }
    default: {
      const request = await arrival(step.request ?? 1, stage);
      if (typeof request === "string") return request;
      await answer(step, request, stage);
      return undefined;
    }
  }
}
