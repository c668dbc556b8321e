import { after, NEVER, type Instant } from "../core/index.ts";
import type { Endpoint } from "./endpoint.ts";
import { fault } from "./faults.ts";
import { Opcode } from "./frame.ts";
import { Input, State } from "./state.ts";

/** Every wait ends: what the connection waits for, until when, and what follows (`limits.ts`). */

const NOTHING = new Uint8Array(0);

/** When to ping a silent peer, or to stop waiting: for its pong, its Close, or the end of its transport. */
export function nextDeadline(e: Endpoint): Instant {
  const { state, clock, limits } = e;
  switch (state) {
    case State.open:
      if (e.isCloseOwed) return after(e.farewell.since, limits.closeMs);
      if (e.isPaused) return NEVER;
      return clock.probedAt === undefined ? after(clock.heardAt, limits.pingMs) : after(clock.probedAt, limits.pongMs);
    case State.closing:
      return after(e.farewell.since, limits.closeMs);
    case State.closed:
      return after(e.farewell.since, limits.endMs);
    default:
      return NEVER;
  }
}

/** Does what is overdue now. */
export function overdue(e: Endpoint): void {
  const { clock } = e;
  e.settleWaits();
  if (clock.now < nextDeadline(e)) return;
  switch (e.state) {
    case State.open:
      if (e.isCloseOwed) return e.payClose();
      if (clock.probedAt !== undefined) return e.fail("peerSilent");
      clock.probe();
      return e.output.control(Opcode.ping, NOTHING);
    case State.closing:
      return e.finish(Input.late, fault("closeLate"));
    default:
      return e.finish(Input.late);
  }
}
