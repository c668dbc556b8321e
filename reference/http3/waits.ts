import { after, NEVER, type Instant } from "../core/index.ts";
import { fail, failStream, finalGoaway } from "./endings.ts";
import type { Endpoint } from "./endpoint.ts";
import { fault } from "./faults.ts";
import type { Stream } from "./stream/streams.ts";

/** Every wait ends: what a connection waits for, until when, and what follows (`limits.ts`). */

/** The earliest moment at which something may be overdue; at once if an action has begun a wait, whose time is not known yet. */
export function nextDeadline(e: Endpoint): Instant {
  if (e.isOver) return NEVER;
  let at: Instant = e.hasPeerSettings || !e.hasBegun ? NEVER : after(e.openedAt, e.limits.settingsMs);
  if (e.leaving === "warned") at = earlier(at, after(e.warnedAt, e.limits.goawayMs));
  for (const stream of e.streams) {
    at = earlier(at, earlier(stream.headBy, contentBy(e, stream)));
    if (stream.unsentSince !== NEVER)
      at = earlier(at, stream.unsentSince === undefined ? e.now : after(stream.unsentSince, e.limits.stallMs));
  }
  return at;
}
const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);
const contentBy = ({ limits }: Endpoint, { arrival, state }: Stream): Instant =>
  arrival === undefined || state === "ended" ? NEVER : arrival.by(limits.contentMs, limits.contentRate);

/** Ends whatever is overdue at `e.now`. */
export function overdue(e: Endpoint): void {
  const { now, limits } = e;
  if (e.isOver) return;
  if (e.hasBegun && !e.hasPeerSettings && now >= after(e.openedAt, limits.settingsMs)) return fail(e, fault("settingsLate"));
  if (e.leaving === "warned" && now >= after(e.warnedAt, limits.goawayMs)) finalGoaway(e);
  for (const stream of e.streams) {
    stream.arrival?.settle(now);
    if (now >= stream.headBy) failStream(e, stream, "headLate");
    else if (now >= contentBy(e, stream)) failStream(e, stream, "contentLate");
    else if (isStalled(e, stream)) {
      // Its end is queued, but has not left.
      stream.isSent = false;
      failStream(e, stream, "streamStalled");
    }
  }
}

/** Whether octets wait for too long, of which too few have left meanwhile. */
function isStalled(e: Endpoint, stream: Stream): boolean {
  const { unsentSince: since } = stream;
  if (since === NEVER) return false;
  const unsent = e.transport.unsent(stream.id);
  if (unsent === 0) {
    stream.unsentSince = NEVER;
    return false;
  }
  const sent = stream.queued - unsent;
  if (since !== undefined && sent - stream.sentThen < e.limits.stallOctets) return e.now >= after(since, e.limits.stallMs);
  stream.unsentSince = e.now;
  stream.sentThen = sent;
  return false;
}
