import { parsePriority, type Priority } from "../../http/index.ts";
import type { Scheduler } from "./scheduler.ts";
import type { StreamId } from "../stream/id.ts";
import type { Stream, Streams } from "../stream/streams.ts";

/** How urgent the streams of one connection are, including requests that have not arrived yet (rfc9218). */
export class Priorities {
  readonly #streams: Readonly<Streams>;
  readonly #scheduler: Scheduler;
  /** The most requests to come for which a priority is kept. */
  readonly #most: number;
  #early: Map<StreamId, Priority> | undefined;

  constructor(streams: Readonly<Streams>, scheduler: Scheduler, most: number) {
    this.#streams = streams;
    this.#scheduler = scheduler;
    this.#most = most;
  }

  /** The priority of a new request: from a PRIORITY_UPDATE that came earlier, else from its own field (rfc9218#5, #7). */
  begin(stream: Stream, value: string | undefined): void {
    const early = this.#early?.get(stream.id);
    if (early !== undefined) this.#early?.delete(stream.id);
    const priority = early ?? (value === undefined ? undefined : parsePriority(value));
    if (priority === undefined) return;
    stream.urgency = priority.urgency;
    stream.incremental = priority.incremental;
  }
  change(stream: Stream, priority: Priority): void {
    if (stream.outbound !== undefined) this.#scheduler.reprioritize(stream.outbound, priority);
    stream.urgency = priority.urgency;
    stream.incremental = priority.incremental;
  }
  /** Keeps the priority of a request to come; returns for how many requests to come it has been asked to keep one (rfc9218#7.1). */
  keep(id: StreamId, priority: Priority): number {
    const early = (this.#early ??= new Map());
    for (const old of early.keys()) if (!this.#streams.isIdle(old)) early.delete(old);
    if (early.size < this.#most) early.set(id, priority);
    return early.size;
  }
}
