import { listOf } from "../shapes.ts";
import type { Stop } from "./stage.ts";

/** Sights of any vocabulary: `all`, `any` and `not` combine others, `holds` names a property that a monitor watches. */
export interface SightOf<Sight> {
  readonly see: string;
  readonly of?: Sight | readonly Sight[];
  readonly monitor?: string;
}

const parts = <Sight>(of: Sight | readonly Sight[] | undefined): readonly Sight[] => (of === undefined ? [] : listOf(of));

/** The basic sights inside `all`, `any` and `not`. */
export const leaves = <Sight extends SightOf<Sight>>(sight: Sight): readonly Sight[] =>
  sight.of === undefined ? [sight] : parts(sight.of).flatMap(leaves);

/** The alternatives of a sight, each a list of sights without `any`. */
function ways<Sight extends SightOf<Sight>>(sight: Sight): readonly (readonly Sight[])[] {
  if (sight.see === "any") return parts(sight.of).flatMap(ways);
  if (sight.see !== "all") return [[sight]];
  return parts(sight.of).reduce<readonly (readonly Sight[])[]>(
    (before, one) => before.flatMap((way) => ways(one).map((more) => [...way, ...more])),
    [[]],
  );
}

/** The facts that decide a sight. */
export type Deciding<Sight> = {
  readonly isSeen: (sight: Sight) => boolean;
  /** Whether it ends the connection, so that no fence can be answered. */
  readonly isTerminal: (sight: Sight) => boolean;
  /** The fence was answered, or there is none. */
  readonly fenced: boolean;
};

/**
 * Whether the sight decides: an alternative that includes an end decides as soon as it is seen, any other once the fence is answered (or without one), so
 * that a subject which then falls silent does not pass.
 */
export const decides = <Sight extends SightOf<Sight>>(sight: Sight, { isSeen, isTerminal, fenced }: Deciding<Sight>): boolean =>
  ways(sight).some((way) => (fenced || way.some(isTerminal)) && way.every(isSeen));

/** The index of the first allowed outcome that decides; undefined while none does. */
export function decide<Sight extends SightOf<Sight>>(
  allowed: readonly { readonly see: Sight }[],
  deciding: Deciding<Sight>,
): number | undefined {
  const index = allowed.findIndex(({ see }) => decides(see, deciding));
  return index < 0 ? undefined : index;
}

/** The violation of the first required property, in the monitor's words. */
export function brokenProperty<Sight extends SightOf<Sight>>(
  allowed: readonly { readonly see: Sight }[],
  monitor: (name: string) => string | undefined,
): Stop {
  for (const sight of allowed.flatMap(({ see }) => leaves(see))) {
    const broken = sight.see === "holds" && sight.monitor !== undefined ? monitor(sight.monitor) : undefined;
    if (broken !== undefined) return broken;
  }
  return undefined;
}
