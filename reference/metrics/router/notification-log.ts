/** What was last sent to a receiver about a group: it says whether there is news. Times are milliseconds since 1970. */

/** `firing` and `resolved` are fingerprints. */
export type Notified = {
  readonly key: string;
  readonly firing: readonly string[];
  readonly resolved: readonly string[];
  readonly at: number;
  readonly expiresAt: number;
};

type State = { readonly firing: ReadonlySet<string>; readonly resolved: ReadonlySet<string> };

/** Whether a state of a group is news to a receiver (Alertmanager docs, configuration.md, `group_interval`, `repeat_interval`, `send_resolved`). */
export function isNews(
  before: Notified | undefined,
  { firing, resolved }: State,
  { now, repeatIntervalMs, sendResolved }: { readonly now: number; readonly repeatIntervalMs: number; readonly sendResolved: boolean },
): boolean {
  if (before === undefined) return firing.size > 0;
  const [knownFiring, knownResolved] = [new Set(before.firing), new Set(before.resolved)];
  if (!firing.isSubsetOf(knownFiring)) return true;
  if (firing.size === 0) return knownFiring.size > 0;
  if (sendResolved && !resolved.isSubsetOf(knownResolved)) return true;
  return before.at < now - repeatIntervalMs;
}

export class NotificationLog {
  readonly #entries = new Map<string, Notified>();
  readonly #onChange: (entry: Notified) => void;

  constructor(onChange: (entry: Notified) => void) {
    this.#onChange = onChange;
  }

  get all(): readonly Notified[] {
    return [...this.#entries.values()];
  }
  get(key: string, now: number): Notified | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.expiresAt > now ? entry : undefined;
  }
  put(entry: Notified): void {
    this.restore(entry);
    this.#onChange(entry);
  }
  restore(entry: Notified): void {
    this.#entries.set(entry.key, entry);
  }
  forget(now: number): void {
    for (const [key, { expiresAt }] of this.#entries) if (expiresAt <= now) this.#entries.delete(key);
  }
}
