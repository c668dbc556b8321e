import type { Acceptance } from "../../harness/connection/connection-driver.ts";
import type { Conversation } from "./connection.ts";
import { unreadableBy } from "./fence.ts";
import { pongsOf } from "./sights.ts";

const PING = 9;

/** Whether a control was accepted: the handshake succeeded, every message came back, PING was answered, and nothing was refused. */
export function acceptance(stage: { readonly connections: ReadonlyMap<number, Conversation>; readonly fenced: boolean }): Acceptance {
  for (const conversation of stage.connections.values()) {
    const reason = refusal(conversation, stage.fenced);
    if (reason !== undefined)
      return { is: "refused", reason: conversation.on === 1 ? reason : `${reason}, on connection ${conversation.on}` };
  }
  return { is: "accepted", reason: "" };
}

function refusal(conversation: Conversation, fenced: boolean): string | undefined {
  const { response, ours, theirs, ended, endedByUs } = conversation;
  if (response === undefined) return ended === undefined ? "the handshake was not answered" : "the connection ended without a response";
  if (response.status !== (conversation.opens ?? 101)) return `the handshake was answered with ${response.status}`;
  const unreadable = unreadableBy(conversation);
  if (unreadable !== undefined) return unreadable;
  const closing = ours.close !== undefined;
  if (theirs.close !== undefined && !closing)
    return `it closed the connection${theirs.close.code === undefined ? "" : ` with ${theirs.close.code}`}`;
  const due = ours.messages.length;
  const whole = ours.messages.every((sent, at) => {
    const came = theirs.messages[at];
    return came !== undefined && came.type === sent.type && Buffer.from(came.payload).equals(sent.payload);
  });
  // After a Close frame no echo is required.
  const enough = closing || (whole && theirs.messages.length === due);
  if (!enough) {
    const count = `${theirs.messages.length} of ${due} messages came back`;
    return theirs.messages.length === due ? "a message came back changed" : count;
  }
  if (endedByUs) return undefined;
  if (closing) {
    if (theirs.close === undefined) return "it did not answer the Close frame";
    return ended === undefined ? "it did not end the connection after the Close frames" : undefined;
  }
  if (ended !== undefined) return "it ended the connection";
  if (!fenced) return "what followed was not answered";
  const pings = ours.of(PING).length - conversation.fences.length;
  // A peer may answer only the last of several PINGs (rfc6455#5.5.3).
  return pings > 0 && pongsOf(conversation).length === 0 ? "it did not answer PING" : undefined;
}
