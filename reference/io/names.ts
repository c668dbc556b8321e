import { lookup } from "node:dns/promises";

/** The addresses of a name, in the order of the system's preference. Rejects if there is none. */
export const addressesOf = async (name: string): Promise<readonly { readonly address: string; readonly family: number }[]> =>
  lookup(name, { all: true, order: "verbatim" });
