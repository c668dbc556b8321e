import { after, instant, NEVER, type Instant } from "../core/index.ts";
import { fault } from "./faults.ts";
import { Reading } from "./intake.ts";
import type { Pipeline } from "./pipeline.ts";

/** Every wait ends: what the connection waits for, until when, and what follows (`limits.ts`). */

/** Whether there is room for what the peer sends next. */
export function wantsMore(p: Pipeline): boolean {
  const { intake, limits } = p;
  if (p.isOver || intake.hasEnded || intake.unread >= limits.unreadOctets) return false;
  if (intake.reading === Reading.held) return intake.inbox.length < limits.heldOctets;
  if (intake.reading === Reading.deaf) return intake.dropped < limits.heldOctets;
  return intake.reading !== Reading.line || p.side === "client" || p.exchanges.size < limits.pipelined;
}

/** When to call `overdue`; at once if an action began a wait, which then starts. */
export function nextDeadline(p: Pipeline): Instant {
  const at = overdueAt(p);
  return at !== NEVER && p.clock.isPending ? p.clock.now : at;
}

function overdueAt(p: Pipeline): Instant {
  const { intake, clock, limits } = p;
  if (p.isOver || intake.hasEnded || !wantsMore(p)) return NEVER;
  const { body } = intake;
  if (body !== undefined) {
    // A client that waits for 100 owes nothing yet; a server may take its time with a response.
    if (p.side === "client" || body.exchange.awaits100) return NEVER;
    const byRate = clock.since + limits.contentMs + (clock.octets / limits.contentRate) * 1_000;
    return instant(Math.min(byRate, Math.max(clock.since, clock.heardAt) + limits.contentMs));
  }
  if (intake.reading !== Reading.line && intake.reading !== Reading.fields) return NEVER;
  if (intake.isHeadBegun) return after(clock.since, limits.headMs);
  return p.side === "server" && p.exchanges.size === 0 ? after(clock.since, limits.idleMs) : NEVER;
}

/** Ends the connection if something is overdue. */
export function overdue(p: Pipeline): void {
  const { intake, clock } = p;
  if (clock.settle() || clock.now < overdueAt(p)) return undefined;
  if (intake.body !== undefined) return p.failRequest(intake.body.exchange, fault("contentLate"));
  if (!intake.isHeadBegun) return p.close();
  return p.side === "client" ? p.failResponse(fault("headLate")) : p.refuse(fault("headLate"));
}
