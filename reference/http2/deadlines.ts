import { after, NEVER, type Instant } from "../core/index.ts";
import { fault } from "./faults.ts";
import type { Session } from "./session.ts";

/** What the connection waits for, and what follows when it does not come: every wait has an end (`limits.ts`). */

/** The earliest moment at which something may be overdue. */
export function nextDeadline(s: Session, openedAt: Instant): Instant {
  let at = s.stallAt;
  if (!s.peerHasSpoken) at = earlier(at, after(openedAt, s.limits.prefaceMs));
  const unacknowledged = s.unacknowledged[0];
  if (unacknowledged !== undefined) at = earlier(at, after(unacknowledged.sentAt, s.limits.settingsMs));
  if (s.block !== undefined) at = earlier(at, after(s.blockSince, s.limits.blockMs));
  if (s.farewellPing !== undefined) at = earlier(at, after(s.farewellSince, s.limits.goawayMs));
  return at;
}
const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);

/** Everything that is overdue at `now`. */
export function overdue(s: Session, openedAt: Instant, now: Instant): void {
  if (!s.peerHasSpoken && now >= after(openedAt, s.limits.prefaceMs)) return s.fail(fault("prefaceLate"));
  const unacknowledged = s.unacknowledged[0];
  if (unacknowledged !== undefined && now >= after(unacknowledged.sentAt, s.limits.settingsMs)) return s.fail(fault("settingsAckLate"));
  if (s.block !== undefined && now >= after(s.blockSince, s.limits.blockMs)) return s.fail(fault("blockLate"));
  if (s.farewellPing !== undefined && now >= after(s.farewellSince, s.limits.goawayMs)) s.finishFarewell();
  if (now >= s.stallAt) resetStalled(s, now);
  return undefined;
}

/** Streams whose content has had no window for too long, be it their own or the connection's, are given up (rfc9113#10.5). */
function resetStalled(s: Session, now: Instant): void {
  s.stallAt = NEVER;
  const { stallMs } = s.limits;
  const isAllBlocked = s.connectionBlockedSince !== NEVER && now >= after(s.connectionBlockedSince, stallMs);
  for (const stream of s.streams) {
    const queue = stream.outbound;
    if (queue === undefined || !queue.pending) continue;
    if (now >= after(queue.blockedSince, stallMs) || (isAllBlocked && queue.listed)) s.fail(fault("streamStalled", stream.id));
    else if (queue.blockedSince !== NEVER) s.watchStall(queue.blockedSince);
  }
  if (isAllBlocked) s.connectionBlockedSince = NEVER;
  else if (s.connectionBlockedSince !== NEVER) s.watchStall(s.connectionBlockedSince);
}
