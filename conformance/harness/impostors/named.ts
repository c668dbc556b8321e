/** The flaw of the impostor with this name. */
export function flawOf<Flaw>(flaws: Readonly<Record<string, Flaw>>, name: string): Flaw {
  const flaw = flaws[name];
  if (flaw === undefined) throw new RangeError(`There is no impostor "${name}". Known: ${Object.keys(flaws).join(", ")}.`);
  return flaw;
}
