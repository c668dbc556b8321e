/** A message that every implementation is sent alike. */
export type Entry = { readonly id: string; readonly about: string; readonly text: string };

/** How an implementation understood one entry. */
export type Understanding = {
  /** Each answer but the fence's, in order. `octets`: the content that it echoed. */
  readonly answers: readonly { readonly status: number; readonly isTaken: boolean; readonly octets?: number }[];
  /** The plain request after the entry was answered as a request of its own. */
  readonly isFenceSeen: boolean;
  /** How it ended. `waiting`: it waited for more until the time limit. */
  readonly end: "closed" | "reset" | "waiting";
};
