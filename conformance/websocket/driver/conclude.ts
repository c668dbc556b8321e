import type { Conclusion } from "../../harness/connection/connection-driver.ts";
import { concludeFenced, sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, decide } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { Case } from "../vocabulary.ts";
import type { Conversation } from "./connection.ts";
import { observedInWords } from "./describe.ts";
import { raise } from "./fence.ts";
import { deciding } from "./sights.ts";
import type { WebSocketStage } from "./stage.ts";

/** Decides between the allowed outcomes after the last step. */
export function conclude({ fence, allowed }: Case, stage: WebSocketStage, stop: Stop): Promise<Conclusion> {
  const fencing = {
    look: () => decide(allowed, deciding(stage.view, fence === "none")),
    raise: (decided: () => boolean) => raise(fence ?? "ping", stage, decided),
    observed: () => observedInWords([...stage.connections.values()], stage.fenced),
    reason: (why: Stop) => {
      const broken = brokenProperty(allowed, stage.view.monitor);
      return broken === undefined ? openReason(stage, why) : `Seen: ${broken}.`;
    },
  };
  return concludeFenced(fencing, stop);
}

/** Why no allowed outcome was seen: what stopped the steps if anything did, otherwise the state of the first connection. */
export function openReason(
  { connections, fenced, over }: { connections: ReadonlyMap<number, Conversation>; fenced: boolean; over: boolean },
  why: Stop,
): string {
  if (why !== undefined) return sentence(why);
  if (connections.get(1)?.theirs.close !== undefined) return "It closed the connection, but not in a permitted way.";
  if (fenced) return "It accepted this and answered the next message.";
  if (over) return "The connection ended, but not in a permitted way.";
  return "No permitted outcome was seen.";
}
