import { after, NEVER, type Instant } from "../core/index.ts";
import { fault } from "./faults.ts";
import { Opcode } from "./frame.ts";
import { answerClose } from "./receive.ts";
import type { Session } from "./session.ts";
import { State } from "./state.ts";

/** What the connection waits for, and what follows when it does not come (`limits.ts`). */

const NOTHING = new Uint8Array(0);

/**
 * The one moment that matters in this state: of asking for a sign of life, or of giving up on one, on the peer's Close or on the end of its
 * transport; or `NEVER`.
 */
export function nextDeadline(s: Session): Instant {
  const { limits } = s;
  switch (s.state) {
    case State.open:
      if (s.isCloseOwed) return after(s.since, limits.closeMs);
      if (s.isPaused) return NEVER;
      return s.askedAt === undefined ? after(s.heardAt, limits.pingMs) : after(s.askedAt, limits.pongMs);
    case State.closing:
      return after(s.since, limits.closeMs);
    case State.closed:
      return after(s.since, limits.endMs);
    default:
      return NEVER;
  }
}

/** What is overdue at `now`. */
export function overdue(s: Session): void {
  makeSure(s);
  if (s.now < nextDeadline(s)) return;
  switch (s.state) {
    case State.open:
      if (s.isCloseOwed) return answerClose(s);
      if (s.askedAt !== undefined) return s.fail("peerSilent");
      s.askedAt = s.now;
      return s.control(Opcode.ping, NOTHING);
    case State.closing:
      return s.finish(fault("closeLate"));
    default:
      return s.finish();
  }
}

/** Actions have no clock: what they began, began at the latest now. */
export function makeSure(s: Session): void {
  if (s.isSinceUnsure) {
    s.isSinceUnsure = false;
    s.since = s.now;
  }
  if (s.isHeardUnsure) {
    s.isHeardUnsure = false;
    s.heardAt = s.now;
    s.askedAt = undefined;
  }
}
