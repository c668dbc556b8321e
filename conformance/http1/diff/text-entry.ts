import type { Entry } from "../../diff/entry.ts";

/** A message as octets: each character of `text` is one. */
export type TextEntry = Entry & { readonly text: string };
