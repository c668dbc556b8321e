import { after, instant, NEVER, type Instant } from "../core/index.ts";
import { fault } from "./faults.ts";
import { Reading, type Session } from "./session.ts";

/** What the connection waits for, and what follows when it does not come: every wait has an end (`limits.ts`). */

/** `wants`: whether what the peer sends next has a place. */
export function wantsMore(s: Session): boolean {
  if (s.isOver || s.hasPeerEnded || s.unread >= s.limits.unreadOctets) return false;
  if (s.reading === Reading.held) return s.inbox.length < s.limits.heldOctets;
  if (s.reading === Reading.deaf) return s.dropped < s.limits.heldOctets;
  return s.reading !== Reading.line || s.side === "client" || s.open < s.limits.pipelined;
}

/** The earliest moment at which something is overdue. An action does not know the time: what it has made us wait for is timed by a `tick` at once. */
export function nextDeadline(s: Session): Instant {
  const at = overdueAt(s);
  return at !== NEVER && s.isSinceUnsure ? s.now : at;
}

function overdueAt(s: Session): Instant {
  if (s.isOver || s.hasPeerEnded || !wantsMore(s)) return NEVER;
  const { limits } = s;
  switch (s.reading) {
    case Reading.line:
    case Reading.fields:
      if (s.isHeadBegun) return after(s.since, limits.headMs);
      return s.side === "server" && s.open === 0 ? after(s.since, limits.idleMs) : NEVER;
    case Reading.content: {
      // A client that waits for 100 owes nothing yet; a server may take its time with a response.
      if (s.side === "client" || s.reader!.awaits100) return NEVER;
      const byRate = s.since + limits.contentMs + (s.heardOctets / limits.contentRate) * 1_000;
      return instant(Math.min(byRate, Math.max(s.since, s.heardAt) + limits.contentMs));
    }
    default:
      return NEVER;
  }
}

/** What is overdue at `now`. */
export function overdue(s: Session): void {
  if (s.isSinceUnsure) {
    s.isSinceUnsure = false;
    s.stamp();
    return undefined;
  }
  if (s.now < overdueAt(s)) return undefined;
  if (s.reading === Reading.content) return s.failRequest(fault("contentLate"));
  if (!s.isHeadBegun) return s.close();
  if (s.side === "client") return s.failResponse(fault("headLate"));
  return s.refuse(fault("headLate"), s.start.method === "HEAD");
}
