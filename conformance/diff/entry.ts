/** A message that is sent to every implementation; each comparison adds what the message is. */
export type Entry = { readonly id: string; readonly about: string };

/** How an implementation understood one entry. */
export type Understanding = {
  /** All responses except the fence's, in order. `octets`: the length of the echoed content. */
  readonly answers: readonly { readonly status: number; readonly isTaken: boolean; readonly octets?: number }[];
  /** The plain request after the entry was answered as a separate request. */
  readonly isFenceSeen: boolean;
  /** How it ended. `waiting`: it waited for more until the time limit. `stream error`: this stream alone ended. */
  readonly end: "closed" | "reset" | "waiting" | "stream error" | "answered";
};
