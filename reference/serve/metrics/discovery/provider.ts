import { beyondLimits, type Group } from "../../../metrics/discovery/index.ts";
import { Counters } from "./counters.ts";
import type { Discoverer, Report } from "./report.ts";

export type ProviderOptions = {
  readonly mechanism: string;
  /** The job that it was started for. */
  readonly owner: string;
  /** The entry of the configuration that it was started for. */
  readonly place: string;
  readonly start: (report: Report) => Discoverer;
  readonly onNotice: (message: string) => void;
};

/** A discoverer with what it found last. Sections with the same settings share one. */
export class Provider {
  readonly mechanism: string;
  readonly owner: string;
  readonly place: string;
  /** Called whenever the groups have changed. */
  readonly listeners = new Set<() => void>();
  readonly counters = new Counters();
  /** Attempts to find targets, and the seconds that they took. */
  readonly timed = { count: 0, sum: 0 };
  /** Lists of groups that it brought. */
  updates = 0;
  groups: readonly Group[] = [];
  /** Why it does not find targets now. */
  fault: string | undefined;
  /** Since when, in milliseconds since 1970. */
  faultSince = 0;
  readonly #discoverer: Discoverer;

  constructor({ mechanism, owner, place, start, onNotice }: ProviderOptions) {
    this.mechanism = mechanism;
    this.owner = owner;
    this.place = place;
    let noted: string | undefined;
    let isBeyond = false;
    const failed = (message: string, part?: string): void => {
      const fault = part === undefined ? message : `${part}: ${message}`;
      // A notice for each fault, not for each attempt, nor for each part.
      if (noted !== message) onNotice(`${place}: ${fault}: the targets of before stay`);
      noted = message;
      if (this.fault === undefined) this.faultSince = Date.now();
      this.fault = fault;
    };
    this.#discoverer = start({
      groups: (groups) => {
        const beyond = beyondLimits(groups);
        isBeyond = beyond !== undefined;
        if (beyond !== undefined) return failed(beyond);
        this.groups = groups;
        this.updates += 1;
        for (const listener of this.listeners) listener();
      },
      failed,
      recovered: () => {
        if (!isBeyond) this.fault = noted = undefined;
      },
      count: (what, labels, by) => this.counters.add(what, labels, by),
      took: (seconds) => {
        this.timed.count += 1;
        this.timed.sum += seconds;
      },
    });
  }

  close(): Promise<void> {
    return this.#discoverer.close();
  }
}
