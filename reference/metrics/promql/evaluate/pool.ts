import { ServerBusy } from "./failure.ts";

/** The samples that all queries of a server hold in memory together, and their limit. */
export class SamplePool {
  readonly max: number;
  held = 0;

  constructor(max: number) {
    this.max = max;
  }

  take(samples: number): void {
    if (this.held + samples > this.max) throw new ServerBusy();
    this.held += samples;
  }

  giveBack(samples: number): void {
    this.held -= samples;
  }
}
