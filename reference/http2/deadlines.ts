import { after, NEVER, type Instant } from "../core/index.ts";
import { fail, goodbye } from "./endings.ts";
import type { Endpoint } from "./endpoint.ts";
import type { StallWatch } from "./flow/stall-watch.ts";
import { fault } from "./faults.ts";

/** What the connection waits for, and what happens if it does not come: every wait has a limit (`limits.ts`). */

/** The earliest moment at which something may be overdue. */
export function nextDeadline(e: Endpoint, openedAt: Instant): Instant {
  const { limits, settings, block, shutdown } = e;
  let at = e.stalls?.deadline ?? NEVER;
  if (!settings.peerHasSpoken) at = earlier(at, after(openedAt, limits.prefaceMs));
  at = earlier(at, settings.deadline(limits.settingsMs));
  if (block !== undefined) at = earlier(at, block.deadline(limits.blockMs));
  return earlier(at, shutdown.deadline(limits.goawayMs));
}
const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);

/** Ends whatever is overdue at `e.now`. */
export function overdue(e: Endpoint, openedAt: Instant): void {
  const { now, limits, settings, block, shutdown } = e;
  if (!settings.peerHasSpoken && now >= after(openedAt, limits.prefaceMs)) return fail(e, fault("prefaceLate"));
  if (now >= settings.deadline(limits.settingsMs)) return fail(e, fault("settingsAckLate"));
  if (block !== undefined && now >= block.deadline(limits.blockMs)) return fail(e, fault("blockLate"));
  if (now >= shutdown.deadline(limits.goawayMs)) goodbye(e, "NO_ERROR");
  if (e.stalls !== undefined && now >= e.stalls.deadline) resetStalled(e, e.stalls);
  return undefined;
}

/** Gives up streams whose content has waited too long for credit, their own or the connection's (rfc9113#10.5). */
function resetStalled(e: Endpoint, stalls: StallWatch): void {
  const { now } = e;
  const isAllBlocked = stalls.restart(now, e.credit.toSend > 0);
  for (const stream of e.streams) {
    const queue = stream.outbound;
    if (queue === undefined || !queue.pending) continue;
    // One that waits in line has credit of its own: it is watched again when that is used up.
    const isBlocked = !queue.listed && queue.blockedSince !== NEVER;
    if ((isBlocked && stalls.isOverdue(queue.blockedSince, now)) || (isAllBlocked && queue.listed))
      fail(e, fault("streamStalled", stream.id));
    else if (isBlocked) stalls.watch(queue.blockedSince);
  }
}
