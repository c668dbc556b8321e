import type { Conclusion } from "../../harness/connection/connection-driver.ts";
import { concludeFenced, sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, decide } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { Case } from "../vocabulary.ts";
import { observedInWords } from "./describe.ts";
import { responsesInDetail } from "./details.ts";
import { raise } from "./fence.ts";
import { deciding } from "./sights.ts";
import type { Http1Stage } from "./stage.ts";

/** Decides between the allowed outcomes after the last step. */
export function conclude({ fence, allowed }: Case, stage: Http1Stage, stop: Stop): Promise<Conclusion> {
  const fencing = {
    look: () => decide(allowed, deciding(stage.view, fence === "none")),
    raise: (decided: () => boolean) => raise(fence ?? "request", stage, decided),
    observed: () => observedInWords([...stage.connections.values()], stage.fenced),
    details: () => responsesInDetail([...stage.connections.values()]),
    reason: (why: Stop) => {
      const broken = brokenProperty(allowed, stage.view.monitor);
      return broken === undefined ? openReason(stage, why) : `Seen: ${broken}.`;
    },
  };
  return concludeFenced(fencing, stop);
}

function openReason(stage: Http1Stage, why: Stop): string {
  const refusal = stage.connections.get(1)?.responses.find(({ status }) => status >= 400);
  if (why !== undefined) return sentence(why);
  if (refusal !== undefined && refusal.status !== stage.known.status)
    return `It answered ${refusal.status}, and no permitted outcome was seen.`;
  if (stage.fenced) return "It accepted this and answered the next message.";
  if (stage.over) return "The connection ended before any permitted outcome.";
  return "No permitted outcome was seen.";
}
