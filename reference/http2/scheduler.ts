import { URGENCIES, type Priority } from "../http/index.ts";
import type { Outbound } from "./outbound.ts";

/** A list with a place in each member: joining and leaving cost nothing, and hold no memory of their own. */
class Line {
  head: Outbound | undefined;
  #tail: Outbound | undefined;

  append(item: Outbound): void {
    this.#insertAfter(this.#tail, item);
  }
  /** Keeps the order of requests: before the first stream that is younger (rfc9218#10). */
  insertByAge(item: Outbound): void {
    let place = this.#tail;
    while (place !== undefined && place.stream.id > item.stream.id) place = place.before;
    this.#insertAfter(place, item);
  }
  remove(item: Outbound): void {
    if (item.before === undefined) this.head = item.after;
    else item.before.after = item.after;
    if (item.after === undefined) this.#tail = item.before;
    else item.after.before = item.before;
    item.before = undefined;
    item.after = undefined;
  }
  #insertAfter(place: Outbound | undefined, item: Outbound): void {
    const next = place === undefined ? this.head : place.after;
    item.before = place;
    item.after = next;
    if (place === undefined) this.head = item;
    else place.after = item;
    if (next === undefined) this.#tail = item;
    else next.before = item;
  }
}

/**
 * Which stream sends next (rfc9218#10): the most urgent; among equals, non-incremental ones wholly one after the other in the order of
 * their requests, incremental ones a frame each in turn. Where both kinds are equally urgent, the oldest non-incremental one is served in
 * turn with the incremental ones. Holds streams that have something to send and window to send it in.
 */
export class Scheduler {
  /** Two lines an urgency: whole ones, incremental ones. Made when first needed. */
  readonly #lines: (Line | undefined)[] = [];
  /** A bit for each urgency that has someone in line. */
  #urgencies = 0;
  /** A bit for each urgency whose next turn is an incremental one's. */
  #turn = 0;

  get isEmpty(): boolean {
    return this.#urgencies === 0;
  }

  add(item: Outbound): void {
    if (item.listed) return;
    item.listed = true;
    const { urgency, incremental } = item.stream;
    this.#urgencies |= 1 << urgency;
    const line = this.#line(urgency, incremental);
    if (incremental) line.append(item);
    else line.insertByAge(item);
  }

  remove(item: Outbound): void {
    if (!item.listed) return;
    item.listed = false;
    const { urgency, incremental } = item.stream;
    this.#line(urgency, incremental).remove(item);
    if (this.#head(urgency, false) === undefined && this.#head(urgency, true) === undefined) this.#urgencies &= ~(1 << urgency);
  }

  /** Whose turn it is; it stays in line. */
  next(): Outbound | undefined {
    if (this.#urgencies === 0) return undefined;
    const bit = this.#urgencies & -this.#urgencies;
    const urgency = 31 - Math.clz32(bit);
    const whole = this.#head(urgency, false);
    const incremental = this.#head(urgency, true);
    if (whole === undefined || incremental === undefined) return whole ?? incremental;
    return (this.#turn & bit) === 0 ? whole : incremental;
  }

  /** It has sent a frame: an incremental one goes to the end of its line. */
  served(item: Outbound): void {
    const { urgency, incremental } = item.stream;
    const bit = 1 << urgency;
    this.#turn = incremental ? this.#turn & ~bit : this.#turn | bit;
    if (!incremental || !item.listed || item.after === undefined) return;
    const line = this.#line(urgency, true);
    line.remove(item);
    line.append(item);
  }

  /** Changes a stream's priority, whether it is in line or not. */
  reprioritize(item: Outbound, { urgency, incremental }: Priority): void {
    const { stream, listed } = item;
    this.remove(item);
    stream.urgency = urgency;
    stream.incremental = incremental;
    if (listed) this.add(item);
  }

  #line(urgency: number, incremental: boolean): Line {
    return (this.#lines[urgency + (incremental ? URGENCIES : 0)] ??= new Line());
  }
  #head(urgency: number, incremental: boolean): Outbound | undefined {
    return this.#lines[urgency + (incremental ? URGENCIES : 0)]?.head;
  }
}
