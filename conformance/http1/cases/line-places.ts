import type { Text } from "../vocabulary.ts";

/**
 * Where two lines of one field may stand among others (rfc9110#5.2, #5.3): a reader that remembers where it found the first one may mistake
 * the very first or the very last line of the section.
 */
type Place = {
  readonly name: string;
  readonly words: string;
  readonly around: (a: Text, b: Text, others: readonly [Text, Text]) => Text[];
};

const PLACES: readonly Place[] = [
  { name: "first", words: "before all other fields", around: (a, b, [one, other]) => [a, b, one, other] },
  { name: "ends", words: "before and after all other fields", around: (a, b, [one, other]) => [a, one, other, b] },
  { name: "apart", words: "with another field in between", around: (a, b, [one, other]) => [one, a, other, b] },
  { name: "last", words: "after all other fields", around: (a, b, [one, other]) => [one, other, a, b] },
];

/** A field section for each arrangement of the two lines, in both orders. */
export type Arranged = { readonly name: string; readonly words: string; readonly fields: readonly Text[] };
export const arranged = (a: Text, b: Text, others: readonly [Text, Text]): Arranged[] =>
  PLACES.flatMap(({ name, words, around }) => [
    { name, words, fields: around(a, b, others) },
    { name: `${name}-reversed`, words: `${words}, in reverse order`, fields: around(b, a, others) },
  ]);
