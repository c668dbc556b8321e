import type { Event } from "../contract.ts";
import type { Observer } from "./observation.ts";
import type { State } from "./state.ts";

/** Reports what has changed since the last call. */
export class Watch {
  readonly #observer: Observer;
  #metrics = "";
  #phase: 0 | 1 = 0;

  constructor(observer: Observer) {
    this.#observer = observer;
  }
  look({ recovery, phases, now }: State, events: readonly Event[]): void {
    for (const event of events) {
      if (event.is === "parameters") this.#observer({ is: "parameters", by: "peer", parameters: event.parameters }, now);
      else this.#observer({ is: "event", event }, now);
    }
    if (phases !== undefined && phases.phase !== this.#phase) {
      this.#phase = phases.phase;
      this.#observer({ is: "keys updated", phase: phases.phase }, now);
    }
    const { congestion, inFlight, rtt } = recovery;
    const metrics = `${congestion.window} ${inFlight} ${rtt.smoothed}`;
    if (metrics === this.#metrics) return;
    this.#metrics = metrics;
    this.#observer(
      { is: "metrics", window: congestion.window, inFlight, smoothedMs: rtt.smoothed, latestMs: rtt.hasSample ? rtt.latest : undefined },
      now,
    );
  }
}
