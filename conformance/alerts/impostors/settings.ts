export type Settings = Readonly<Record<string, unknown>>;

/** Settings without the members with these names. */
export const without = <Of extends Settings>(settings: Of, ...names: readonly string[]): Of =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name))) as Of;
