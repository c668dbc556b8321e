import { NEVER, type Instant } from "./time.ts";

/** Something with a deadline that moves. */
type Timed = { readonly deadline: Instant };
/** `place` is the index in the heap. */
type Entry<One> = { readonly one: One; at: Instant; place: number };

/**
 * The first deadline of many, in a heap. An entry is never later than its deadline: one that has moved away is corrected when it comes to the
 * top, so that only a deadline that comes closer has to be noted.
 */
export class Deadlines<One extends Timed> {
  readonly #heap: Entry<One>[] = [];
  readonly #entries = new Map<One, Entry<One>>();

  /** The deadline of `one` may have come closer. */
  note(one: One): void {
    const { deadline } = one;
    const known = this.#entries.get(one);
    if (deadline >= (known?.at ?? NEVER)) return;
    const entry = known ?? { one, at: deadline, place: this.#heap.length };
    entry.at = deadline;
    if (known === undefined) this.#entries.set(one, entry);
    this.#rise(entry);
  }
  delete(one: One): void {
    const entry = this.#entries.get(one);
    if (entry === undefined) return;
    this.#entries.delete(one);
    const last = this.#heap.pop()!;
    if (last === entry) return;
    last.place = entry.place;
    this.#rise(last);
    this.#sink(last);
  }
  /** `NEVER` without any. */
  get first(): Instant {
    return this.#top()?.at ?? NEVER;
  }
  /** Takes out one that is due; undefined without any. It counts again once it is noted. */
  due(now: Instant): One | undefined {
    const top = this.#top();
    if (top === undefined || top.at > now) return undefined;
    this.delete(top.one);
    return top.one;
  }

  /** The top, once it is true. */
  #top(): Entry<One> | undefined {
    for (;;) {
      const [top] = this.#heap;
      if (top === undefined) return undefined;
      const { deadline } = top.one;
      if (deadline === top.at) return top;
      if (deadline === NEVER) this.delete(top.one);
      else {
        top.at = deadline;
        this.#sink(top);
      }
    }
  }

  #put(entry: Entry<One>, place: number): void {
    this.#heap[place] = entry;
    entry.place = place;
  }
  #rise(entry: Entry<One>): void {
    let { place } = entry;
    for (let above = (place - 1) >> 1; place > 0 && this.#heap[above]!.at > entry.at; above = (place - 1) >> 1) {
      this.#put(this.#heap[above]!, place);
      place = above;
    }
    this.#put(entry, place);
  }
  #sink(entry: Entry<One>): void {
    const heap = this.#heap;
    let { place } = entry;
    for (;;) {
      let below = 2 * place + 1;
      if (below + 1 < heap.length && heap[below + 1]!.at < heap[below]!.at) below++;
      if (below >= heap.length || heap[below]!.at >= entry.at) break;
      this.#put(heap[below]!, place);
      place = below;
    }
    this.#put(entry, place);
  }
}
