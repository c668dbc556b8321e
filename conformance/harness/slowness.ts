/** How slow the machine is at present: 1 on an idle one, 10 if everything takes ten times as long. */
export type Slowness = () => Promise<number>;

/** The processor time of a sample in milliseconds: longer than the scheduler lets a process run at a stretch, so that others get their turn. */
const SAMPLE_MS = 20;
const TIMER_MS = 10;
/** A timer this late counts as once slower. */
const LATE_MS = 50;
/** A sample is good for so long, in milliseconds. */
const FRESH_MS = 500;

/** The clocks that a sample reads, in milliseconds. */
export type Clocks = {
  readonly now: () => number;
  /** Processor time of this thread. */
  readonly cpu: () => number;
  readonly sleep: (ms: number) => Promise<void>;
};

const CLOCKS: Clocks = {
  now: () => performance.now(),
  cpu: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  sleep: (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    }),
};

/**
 * Compares the time that a computation takes with the processor time that it needs, and measures how late our own timer fires: a subject on
 * the same machine is slowed down as we are.
 */
export function slownessOf(clocks: Clocks = CLOCKS): Slowness {
  let last: { readonly at: number; readonly slowness: number } | undefined;
  return async () => {
    if (last !== undefined && clocks.now() - last.at < FRESH_MS) return last.slowness;
    const asleep = clocks.now();
    await clocks.sleep(TIMER_MS);
    const late = clocks.now() - asleep - TIMER_MS;
    const [began, used] = [clocks.now(), clocks.cpu()];
    let spent = 0;
    while (spent < SAMPLE_MS) spent = clocks.cpu() - used;
    const slowness = Math.max((clocks.now() - began) / spent, 1 + Math.max(0, late) / LATE_MS);
    last = { at: clocks.now(), slowness };
    return slowness;
  };
}
