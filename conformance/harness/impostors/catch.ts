import type { Case } from "../case.ts";
import { type Driver, Unreachable } from "../driver.ts";

type AnyCase = Case<unknown, unknown>;

/** Nothing is done wrong in such a case, so that a subject that refuses its control has failed the case itself. */
const isOwnControl = (c: AnyCase): boolean => JSON.stringify(c.steps) === JSON.stringify(c.control);

/** Whether a subject passes (strictly, by permission, or with a warning), fails or is not asked. */
export type Fate = "passes" | "fails" | "control refused" | "not asked";

/** Performs cases on one subject as a run does, the control first, and tells how each went. A fail counts only where the control was accepted. */
export async function fates<C extends AnyCase>(driver: Driver<C>, cases: readonly C[], concurrency: number): Promise<Map<string, Fate>> {
  // Who answers nothing cannot be probed, and is asked everything.
  const probed = await driver.probe().catch((error: unknown) => {
    if (error instanceof Unreachable) return undefined;
    throw error;
  });
  const controls = new Map<string, ReturnType<typeof driver.control>>();
  const found = new Map<string, Fate>();
  const left = [...cases];
  const one = async (c: C): Promise<Fate> => {
    if (probed !== undefined && (c.needs ?? []).some((need) => probed.features.get(need)?.has !== true)) return "not asked";
    const key = driver.controlKey(c);
    const first = controls.get(key) ?? driver.control(c);
    controls.set(key, first);
    const twin = await first;
    if (twin.is === "skip") return "not asked";
    if (twin.is !== "accepted") return isOwnControl(c) && twin.is === "refused" ? "fails" : "control refused";
    const played = await driver.play(c);
    if (played.is === "skip" || played.is === "error") return "not asked";
    return played.is === "allowed" ? "passes" : "fails";
  };
  const worker = async (): Promise<void> => {
    for (let c = left.shift(); c !== undefined; c = left.shift()) found.set(c.id, await one(c));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return found;
}

/** A subject for as long as it is needed. */
export type Started<C extends AnyCase = AnyCase> = { readonly driver: Driver<C>; stop(): Promise<void> };

export type Party<C extends AnyCase = AnyCase> = {
  readonly cases: readonly C[];
  /** Of impostors, the blunt ones first. */
  readonly names: readonly string[];
  readonly start: (name: string) => Promise<Started<C>>;
  readonly concurrency: number;
  /** So many impostors are asked at the same time what they have failed before: 1 by default. */
  readonly abreast?: number;
};

/**
 * The ids that none of the impostors fails. Each impostor is first asked the cases that it failed the last time (`hints`); what is left
 * is then asked of all, one after another.
 */
export async function uncaught<C extends AnyCase>(
  { cases, names, start, concurrency, abreast = 1 }: Party<C>,
  hints: Readonly<Record<string, readonly string[]>>,
  onCaught: (id: string, by: string) => void = () => {},
): Promise<string[]> {
  let left = [...cases];
  const ask = async (name: string, some: readonly C[]): Promise<void> => {
    if (some.length === 0) return;
    const { driver, stop } = await start(name);
    try {
      const found = await fates(driver, some, concurrency);
      for (const [id, fate] of found) if (fate === "fails") onCaught(id, name);
      left = left.filter(({ id }) => found.get(id) !== "fails");
    } finally {
      await stop();
    }
  };
  const hinted = new Set(Object.values(hints).flat());
  const next = names.entries();
  const worker = async (): Promise<void> => {
    for (const [at, name] of next) {
      const ids = new Set(hints[name]);
      await ask(name, at === 0 ? left.filter(({ id }) => !hinted.has(id)) : left.filter(({ id }) => ids.has(id)));
    }
  };
  await Promise.all(Array.from({ length: abreast }, worker));
  for (const name of names) await ask(name, left);
  return left.map(({ id }) => id);
}

/** The ids that a subject passes. */
export async function passedBy<C extends AnyCase>(
  cases: readonly C[],
  { driver, stop }: Started<C>,
  concurrency: number,
): Promise<string[]> {
  try {
    const found = await fates(driver, cases, concurrency);
    return [...found].filter(([, fate]) => fate === "passes").map(([id]) => id);
  } finally {
    await stop();
  }
}
