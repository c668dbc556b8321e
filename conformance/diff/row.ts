/** Those who understood an entry in the same way, by their place among the subjects. */
export type Group = {
  readonly words: string;
  readonly members: readonly number[];
  /** How many requests they saw in it, as far as they took them; 0 where the first was refused. */
  readonly requests: number;
};

/** One entry in all implementations. The largest group comes first. */
export type Row = { readonly id: string; readonly about: string; readonly groups: readonly Group[] };
