/** The implementations that understood an entry in the same way, by their index among the subjects. */
export type Group = {
  readonly words: string;
  readonly members: readonly number[];
  /** The number of requests that they accepted; 0 if they refused the first. */
  readonly requests: number;
};

/** The results of one entry. The largest group comes first. */
export type Row = { readonly id: string; readonly about: string; readonly groups: readonly Group[] };
