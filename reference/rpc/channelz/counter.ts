/** How many calls, or streams, have begun, and how they have ended. Those that are in progress are the rest. */
export class Counter {
  started = 0;
  succeeded = 0;
  failed = 0;
  /** In milliseconds since 1970, as all times of records. */
  lastStartedMs: number | undefined;

  begin(nowMs: number): void {
    this.started += 1;
    this.lastStartedMs = nowMs;
  }
  end(isGood: boolean): void {
    if (isGood) this.succeeded += 1;
    else this.failed += 1;
  }
}
