/** Something with output to write. */
type Flushable = { flush(): void };

/** All with output, flushed together. */
let woken: Flushable[] = [];

/** Flushes when the event loop has run its callbacks; callers ask once between two flushes. */
export function flushSoon(drive: Flushable): void {
  if (woken.push(drive) === 1) process.nextTick(flushWoken);
}
function flushWoken(): void {
  const drives = woken;
  woken = [];
  for (const drive of drives) drive.flush();
}
