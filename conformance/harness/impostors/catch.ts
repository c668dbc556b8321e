import { type AnyCase, isOwnControl } from "../case.ts";
import { type Driver, Unreachable } from "../driver.ts";
import { atATime, type Performed, Performer } from "../perform.ts";

/** Whether a subject passes a case (strictly, by permission, or with a warning), fails it, or is not judged. */
export type Fate = "passes" | "fails" | "control refused" | "not judged";

/** A fail counts only if the control was accepted: otherwise it proves nothing about the case. */
function fateOf(c: AnyCase, { twin, played }: Performed): Fate {
  if (twin?.is === "refused" && isOwnControl(c)) return played?.is === "other" ? "fails" : "control refused";
  if (twin !== undefined && twin.is !== "accepted" && twin.is !== "skip") return "control refused";
  if (played?.is === "allowed") return "passes";
  return played?.is === "other" ? "fails" : "not judged";
}

/** Runs the cases on one subject with the engine that judges every subject, and returns how each went. */
export async function fates<C extends AnyCase>(driver: Driver<C>, cases: readonly C[], concurrency: number): Promise<Map<string, Fate>> {
  // A subject that answers nothing cannot be probed: no case is skipped.
  const probed = await driver.probe().catch((error: unknown) => {
    if (error instanceof Unreachable) return undefined;
    throw error;
  });
  const performer = new Performer(driver, { ...(probed === undefined ? {} : { features: probed.features }), evidence: false });
  const found = new Map<string, Fate>();
  await atATime(cases, concurrency, async (c) => {
    found.set(c.id, fateOf(c, await performer.perform(c)));
  });
  return found;
}

const TIMES = 3;

/** A running subject. */
export type Started<C extends AnyCase = AnyCase> = { readonly driver: Driver<C>; stop(): Promise<void> };

export type Party<C extends AnyCase = AnyCase> = {
  readonly cases: readonly C[];
  /** The impostors, blunt ones first. */
  readonly names: readonly string[];
  readonly start: (name: string) => Promise<Started<C>>;
  /** Cases at the same time on one impostor. */
  readonly concurrency: number;
  /** Impostors at the same time; 1 by default. */
  readonly abreast?: number;
};

/**
 * The ids of the cases that no impostor fails. Each impostor first runs the cases that it failed the last time (`hints`), and those that it
 * does not fail now once more, one at a time; every impostor then runs the remaining cases, and up to three times those that still remain,
 * one at a time.
 */
export async function uncaught<C extends AnyCase>(
  { cases, names, start, concurrency, abreast = 1 }: Party<C>,
  hints: Readonly<Record<string, readonly string[]>>,
  onCaught: (id: string, by: string) => void = () => {},
): Promise<string[]> {
  let left = [...cases];
  const ask = async (name: string, some: readonly C[], atOnce = concurrency): Promise<void> => {
    if (some.length === 0) return;
    const { driver, stop } = await start(name);
    try {
      const found = await fates(driver, some, atOnce);
      for (const [id, fate] of found) if (fate === "fails") onCaught(id, name);
      left = left.filter(({ id }) => found.get(id) !== "fails");
    } finally {
      await stop();
    }
  };
  const hinted = new Set(Object.values(hints).flat());
  const ofHints = (name: string): C[] => {
    const ids = new Set(hints[name]);
    return left.filter(({ id }) => ids.has(id) || (name === names[0] && !hinted.has(id)));
  };
  await atATime(names, abreast, (name) => ask(name, ofHints(name)));
  // Cheaper than every impostor for a case that came too late on a busy machine.
  for (const name of names) await ask(name, ofHints(name), 1);
  await atATime(names, abreast, (name) => ask(name, left));
  // One at a time: on a busy machine an impostor may answer too late, even alone.
  for (let time = 0; time < TIMES && left.length > 0; time++) for (const name of names) await ask(name, left, 1);
  return left.map(({ id }) => id);
}

/**
 * The ids of the cases that an impostor passes. Several copies of it (`abreast`) share the cases. A pass counts if it comes again, one case at
 * a time: on a busy machine an impostor may do wrong too late to be seen.
 */
export async function passedBy<C extends AnyCase>(
  { cases, start, concurrency, abreast = 1 }: Pick<Party<C>, "cases" | "start" | "concurrency" | "abreast">,
  name: string,
): Promise<string[]> {
  const passedOf = async (some: readonly C[], atOnce: number): Promise<string[]> => {
    if (some.length === 0) return [];
    const { driver, stop } = await start(name);
    try {
      const found = await fates(driver, some, atOnce);
      return [...found].filter(([, fate]) => fate === "passes").map(([id]) => id);
    } finally {
      await stop();
    }
  };
  const shares = Array.from({ length: abreast }, (_, at) => cases.filter((__, nth) => nth % abreast === at));
  const passed = new Set((await Promise.all(shares.map((share) => passedOf(share, concurrency)))).flat());
  return passedOf(
    cases.filter(({ id }) => passed.has(id)),
    1,
  );
}
