import type { Group } from "../../../metrics/discovery/index.ts";
import type { Report } from "./report.ts";

/** Joins what several parts of a discoverer find, each with groups and a fault of its own. */
export class Parts {
  readonly #report: Report;
  readonly #groups = new Map<string, readonly Group[]>();
  readonly #faults = new Map<string, string>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** The report of one part. Its name is in its faults. */
  part(name: string): Report {
    return {
      ...this.#report,
      groups: (groups) => {
        this.#groups.set(name, groups);
        this.#join();
      },
      failed: (message) => {
        this.#faults.set(name, message);
        this.#say();
      },
      recovered: () => {
        if (this.#faults.delete(name)) this.#say();
      },
    };
  }

  /** A part has ended: its groups go with it. */
  remove(name: string): void {
    const [hadGroups, hadFault] = [this.#groups.delete(name), this.#faults.delete(name)];
    if (hadGroups) this.#join();
    if (hadFault) this.#say();
  }

  #join(): void {
    this.#report.groups([...this.#groups.values()].flat());
  }
  /** One fault stands for all: a server that is away makes many, which are alike. */
  #say(): void {
    for (const [name, message] of this.#faults) return this.#report.failed(message, name);
    return this.#report.recovered();
  }
}
