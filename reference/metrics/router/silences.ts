import type { Labels, Matcher } from "../model/index.ts";
import { matchersText } from "./matcher-text.ts";
import { matchesAll } from "./route.ts";
import type { RouterLimits } from "./limits.ts";

/** Silences: Alertmanager docs, alertmanager.md, "Silences". Times are milliseconds since 1970. */

export type Silence = {
  readonly id: string;
  readonly matchers: readonly Matcher[];
  readonly startsAt: number;
  readonly endsAt: number;
  readonly updatedAt: number;
  readonly createdBy: string;
  readonly comment: string;
};
export type SilenceState = "pending" | "active" | "expired";

/** A silence as a client posts it; with an id it changes the one of that id. */
export type PostedSilence = Omit<Silence, "id" | "updatedAt"> & { readonly id: string };

/** Why a silence is refused. */
export type SilenceFault = { readonly fault: "invalid" | "unknown" | "expired" | "full"; readonly message: string };

export function stateOf({ startsAt, endsAt }: Silence, now: number): SilenceState {
  if (endsAt <= now) return "expired";
  return startsAt > now ? "pending" : "active";
}

export class Silences {
  readonly #byId = new Map<string, Silence>();
  readonly #limits: RouterLimits;
  readonly #newId: () => string;
  readonly #onChange: (silence: Silence) => void;
  /** The silences that match the labels of an alert, by their key; emptied with each change. */
  readonly #matching = new Map<string, readonly Silence[]>();

  constructor({ limits, newId, onChange }: { limits: RouterLimits; newId: () => string; onChange: (silence: Silence) => void }) {
    this.#limits = limits;
    this.#newId = newId;
    this.#onChange = onChange;
  }

  get all(): readonly Silence[] {
    return [...this.#byId.values()];
  }
  get(id: string): Silence | undefined {
    return this.#byId.get(id);
  }

  /** Makes or changes a silence; one whose matchers or past change is ended, and another one takes its place. */
  set(posted: PostedSilence, now: number): Silence | SilenceFault {
    const message = this.#faultOf(posted, now);
    if (message !== undefined) return { fault: "invalid", message };
    const before = this.#byId.get(posted.id);
    if (posted.id !== "" && before === undefined) return { fault: "unknown", message: `there is no silence ${posted.id}` };
    if (before !== undefined && canChange(before, posted, now)) return this.#put({ ...posted, updatedAt: now });
    if (this.#byId.size >= this.#limits.silences)
      return { fault: "full", message: `there are ${this.#limits.silences} silences: expire some, and wait until they are forgotten` };
    if (before !== undefined && stateOf(before, now) !== "expired") this.#end(before, now);
    return this.#put({ ...posted, id: this.#newId(), startsAt: Math.max(posted.startsAt, now), updatedAt: now });
  }

  /** Ends a silence now. */
  expire(id: string, now: number): Silence | SilenceFault {
    const known = this.#byId.get(id);
    if (known === undefined) return { fault: "unknown", message: `there is no silence ${id}` };
    if (stateOf(known, now) === "expired") return { fault: "expired", message: `the silence ${id} has expired already` };
    return this.#end(known, now);
  }

  /** The ids of the active silences that match. */
  mutedBy(labels: Labels, now: number): string[] {
    let matching = this.#matching.get(labels.key);
    if (matching === undefined) {
      matching = this.all.filter((one) => stateOf(one, now) !== "expired" && matchesAll(one.matchers, labels));
      if (this.#matching.size >= this.#limits.alerts) this.#matching.clear();
      this.#matching.set(labels.key, matching);
    }
    return matching.filter((one) => stateOf(one, now) === "active").map(({ id }) => id);
  }

  /** Takes a silence that was stored before. */
  restore(silence: Silence): void {
    this.#byId.set(silence.id, silence);
    this.#matching.clear();
  }

  /** Forgets silences that have been over for longer than `retentionMs`. */
  forget(now: number, retentionMs: number): void {
    for (const [id, { endsAt }] of this.#byId) if (endsAt + retentionMs <= now) this.#byId.delete(id);
  }

  #end(silence: Silence, now: number): Silence {
    return this.#put({ ...silence, startsAt: Math.min(silence.startsAt, now), endsAt: now, updatedAt: now });
  }

  #put(silence: Silence): Silence {
    this.restore(silence);
    this.#onChange(silence);
    return silence;
  }

  #faultOf({ matchers, startsAt, endsAt, createdBy, comment }: PostedSilence, now: number): string | undefined {
    if (matchers.length === 0) return "a silence needs a matcher";
    if (matchers.length > this.#limits.matchers) return `a silence has at most ${this.#limits.matchers} matchers`;
    if (matchers.every((one) => one.matchesEmpty))
      return "one matcher at least must not match the empty value: this silence would match every alert";
    const length = matchers.reduce((sum, { name, value }) => sum + name.length + value.length, createdBy.length + comment.length);
    if (length > this.#limits.silenceLength) return `the texts of a silence have at most ${this.#limits.silenceLength} characters`;
    if (endsAt <= startsAt) return "the silence ends before it starts";
    return endsAt <= now ? "the end of the silence is in the past" : undefined;
  }
}

/** What is past cannot change: the matchers, and the start of an active silence. */
function canChange(before: Silence, after: PostedSilence, now: number): boolean {
  if (matchersText(before.matchers) !== matchersText(after.matchers)) return false;
  const state = stateOf(before, now);
  if (state === "active") return Math.floor(before.startsAt / 1_000) === Math.floor(after.startsAt / 1_000);
  return state === "pending" && after.startsAt >= now;
}
