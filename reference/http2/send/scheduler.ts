import { URGENCIES, type Priority } from "../../http/index.ts";
import type { Outbound } from "./outbound.ts";
import type { Stream } from "../stream/streams.ts";

type Queue = Outbound<Stream>;

/** A linked list through its members: joining and leaving take constant time and no memory. */
class Line {
  head: Queue | undefined;
  #tail: Queue | undefined;

  append(item: Queue): void {
    this.#insertAfter(this.#tail, item);
  }
  /** Keeps the order of requests: inserts before the first younger stream (rfc9218#10). */
  insertByAge(item: Queue): void {
    let place = this.#tail;
    while (place !== undefined && place.stream.id > item.stream.id) place = place.before;
    this.#insertAfter(place, item);
  }
  remove(item: Queue): void {
    if (item.before === undefined) this.head = item.after;
    else item.before.after = item.after;
    if (item.after === undefined) this.#tail = item.before;
    else item.after.before = item.before;
    item.before = undefined;
    item.after = undefined;
  }
  #insertAfter(place: Queue | undefined, item: Queue): void {
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
 * Decides which stream sends next (rfc9218#10). The most urgent streams go first. Of equally urgent ones, non-incremental streams go one
 * after the other in the order of their requests, and incremental ones take turns, a frame each; if there are both, the oldest
 * non-incremental stream takes turns with the incremental ones. Holds the streams that have content and window to send it.
 */
export class Scheduler {
  /** Two lines for each urgency, non-incremental and incremental; created when first needed. */
  #lines: (Line | undefined)[] | undefined;
  /** A bit for each urgency with a stream in line. */
  #urgencies = 0;
  /** A bit for each urgency in which an incremental stream is next. */
  #turn = 0;

  get isEmpty(): boolean {
    return this.#urgencies === 0;
  }

  add(item: Queue): void {
    if (item.listed) return;
    item.listed = true;
    const { urgency, incremental } = item.stream;
    this.#urgencies |= 1 << urgency;
    const line = this.#line(urgency, incremental);
    if (incremental) line.append(item);
    else line.insertByAge(item);
  }

  remove(item: Queue): void {
    if (!item.listed) return;
    item.listed = false;
    const { urgency, incremental } = item.stream;
    this.#line(urgency, incremental).remove(item);
    if (this.#head(urgency, false) === undefined && this.#head(urgency, true) === undefined) this.#urgencies &= ~(1 << urgency);
  }

  /** The stream to send next; it stays in line. */
  next(): Queue | undefined {
    if (this.#urgencies === 0) return undefined;
    const bit = this.#urgencies & -this.#urgencies;
    const urgency = 31 - Math.clz32(bit);
    const whole = this.#head(urgency, false);
    const incremental = this.#head(urgency, true);
    if (whole === undefined || incremental === undefined) return whole ?? incremental;
    return (this.#turn & bit) === 0 ? whole : incremental;
  }

  /** A stream has sent a frame: an incremental one goes to the end of its line. */
  served(item: Queue): void {
    const { urgency, incremental } = item.stream;
    const bit = 1 << urgency;
    this.#turn = incremental ? this.#turn & ~bit : this.#turn | bit;
    if (!incremental || !item.listed || item.after === undefined) return;
    const line = this.#line(urgency, true);
    line.remove(item);
    line.append(item);
  }

  /** Changes the priority of a stream, whether it is in line or not. */
  reprioritize(item: Queue, { urgency, incremental }: Priority): void {
    const { stream, listed } = item;
    this.remove(item);
    stream.urgency = urgency;
    stream.incremental = incremental;
    if (listed) this.add(item);
  }

  #line(urgency: number, incremental: boolean): Line {
    return ((this.#lines ??= [])[urgency + (incremental ? URGENCIES : 0)] ??= new Line());
  }
  #head(urgency: number, incremental: boolean): Queue | undefined {
    return this.#lines?.[urgency + (incremental ? URGENCIES : 0)]?.head;
  }
}
