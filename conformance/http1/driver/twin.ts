import type { Acceptance } from "../../harness/connection/connection-driver.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { Outcome, Sight, StatusSight } from "../vocabulary.ts";
import { saysClose } from "./connection.ts";
import type { Conversation } from "./conversation.ts";
import { inClass, REFUSAL_STATUSES } from "./sights.ts";
import type { Http1Stage } from "./stage.ts";

/** Statuses about the resource, not about how the request was written. */
const OF_THE_RESOURCE: StatusSight = [401, 403, 404, 405, 406, 407, 409, 410, 412, 415, 416, 428, 501];

/** The statuses that an outcome of the case treats as a refusal. */
export const refusingStatuses = (allowed: readonly Outcome[]): StatusSight[] =>
  allowed
    .flatMap(({ see }) => leaves(see))
    .flatMap((see: Sight): StatusSight[] => {
      if (see.see === "error and close" || see.see === "error and keep-alive") return [see.status ?? REFUSAL_STATUSES];
      if (see.see !== "response" || see.status === undefined) return [];
      return see.status.every((one) => Number(String(one)[0]) >= 4) ? [see.status] : [];
    });

/** Whether a control was accepted: as many responses as requests, and none that the case treats as a refusal. */
export function acceptance(stage: Http1Stage, refusing: readonly StatusSight[], fencedOn: number | undefined): Acceptance {
  const { persists } = stage.known;
  for (const conversation of stage.connections.values()) {
    const due = expected(conversation, persists);
    const { responses } = conversation;
    const name = conversation.on === 1 ? "" : ` on connection ${conversation.on}`;
    for (const { status } of responses) {
      const expectedly = status === stage.known.status || status === stage.known.missing?.status;
      if (expectedly || !refusing.some((one) => inClass(status, one))) continue;
      if (inClass(status, OF_THE_RESOURCE))
        return {
          is: "skip",
          reason: `The same exchange without the mistake is answered with ${status}: it does not do this, so there is nothing to judge.`,
        };
      return { is: "refused", reason: `it answered ${status}${name}` };
    }
    const whole = responses.filter(({ complete }) => complete).length;
    if (whole !== due || responses.length !== due)
      return { is: "refused", reason: `${due} ${due === 1 ? "response was" : "responses were"} due${name}, and ${whole} came complete` };
    if (conversation.unsent) return { is: "refused", reason: `the connection ended${name} before everything was sent` };
    if (conversation.on === fencedOn && !stage.fenced && conversation.ended === undefined)
      return { is: "refused", reason: "what followed was not answered" };
  }
  return { is: "accepted", reason: "" };
}

/**
 * How many responses are due on a connection: none after the one that ends it or switches to another protocol. `persists`: the server
 * answers more than one request on a connection.
 */
export function expected({ sent, responses }: Pick<Conversation, "sent" | "responses">, persists = true): number {
  const complete = sent.filter((request) => request.complete).slice(0, persists ? undefined : 1);
  const last = complete.findIndex((request, at) => {
    const response = responses[at];
    if (saysClose(request) || response === undefined) return saysClose(request);
    // A server may end the connection after an error, if it announces that.
    return response.framing === "tunnel" || response.version === "HTTP/2" || (response.status >= 400 && saysClose(response));
  });
  return last < 0 ? complete.length : last + 1;
}
