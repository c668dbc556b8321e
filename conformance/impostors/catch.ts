import type { Case } from "../harness/case.ts";
import type { Driver } from "../harness/driver.ts";

type AnyCase = Case<unknown, unknown>;

/** Nothing is done wrong in such a case, so that a subject that refuses its control has failed the case itself. */
const isOwnControl = (c: AnyCase): boolean => JSON.stringify(c.steps) === JSON.stringify(c.control);

/** Whether a subject passes (strictly, by permission, or with a warning), fails or is not asked. */
export type Fate = "passes" | "fails" | "control refused" | "not asked";

/** Performs cases on one subject as a run does, the control first, and tells how each went. A fail counts only where the control was accepted. */
export async function fates<C extends AnyCase>(driver: Driver<C>, cases: readonly C[], concurrency: number): Promise<Map<string, Fate>> {
  const probed = await driver.probe().catch(() => undefined);
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
export type Started<C extends AnyCase> = { readonly driver: Driver<C>; stop(): Promise<void> };

/** The ids that none of the impostors fails. Each is asked only what those before it were not caught by. */
export async function uncaught<C extends AnyCase>(
  cases: readonly C[],
  names: readonly string[],
  start: (name: string) => Promise<Started<C>>,
  concurrency: number,
): Promise<string[]> {
  let left = [...cases];
  for (const name of names) {
    if (left.length === 0) break;
    const { driver, stop } = await start(name);
    try {
      const found = await fates(driver, left, concurrency);
      left = left.filter(({ id }) => found.get(id) !== "fails");
    } finally {
      await stop();
    }
  }
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
