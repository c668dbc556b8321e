import type { Field } from "../core/index.ts";

/** `index`: into the table. `plain`: a literal that stays out of it. `never`: a literal that every hop keeps out (rfc7541#7.1.3). */
export type Treatment = "index" | "plain" | "never";

/** Values that seldom come twice on a connection: an entry for one pushes out what would have been of use. */
const ONE_OFF: ReadonlySet<string> = new Set([
  ":path",
  "age",
  "content-length",
  "etag",
  "if-modified-since",
  "if-none-match",
  "location",
  "set-cookie",
]);
/** Secrets, whether the caller says so or not. */
const SECRET: ReadonlySet<string> = new Set(["authorization", "proxy-authorization"]);
/** A cookie shorter than this could be guessed octet by octet, if it compressed (rfc7541#7.1.3). */
const GUESSABLE_COOKIE = 20;

/** What a name of the static table says by itself; other names are indexed. */
export const usualTreatment = (name: string): Treatment => (SECRET.has(name) ? "never" : ONE_OFF.has(name) ? "plain" : "index");

/** What the encoder does with a field; `size` is what its entry would count in a table of `capacity`. */
export function treatment({ name, value, sensitive }: Field, usual: Treatment, size: number, capacity: number): Treatment {
  if (sensitive || (value.length < GUESSABLE_COOKIE && name === "cookie")) return "never";
  // One entry of most of the table would be bought with all the others.
  return usual === "index" && size > capacity * 0.75 ? "plain" : usual;
}
