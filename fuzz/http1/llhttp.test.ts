import { describe, expect, test } from "vitest";
import { seeded } from "../../reference/core/index.ts";
import type { FaultName } from "../../reference/http1/index.ts";
import { read } from "../../vectors/http1/read.ts";
import { loadVectors, vectorFiles } from "../../vectors/load.ts";
import { mutate } from "../lib/mutate.ts";
import { READ_OTHERWISE, REFUSED_BY_LLHTTP, TAKEN_BY_LLHTTP } from "./differences.ts";
import { octetsOf, PLAIN_ASKED, sequence, textOf } from "./grammar.ts";
import { readByLlhttp } from "./llhttp.ts";

/** Our reader and llhttp on the same octets: the same messages wherever both take them, and no difference that is not written down. */

type Given = { readonly octets: string; readonly to?: readonly string[]; readonly ended: boolean };
type Vector = { readonly octets: string; readonly to?: readonly string[]; readonly ended?: true };
/** Trailer fields that we drop, and llhttp keeps apart: both may (rfc9112#7.1.2). */
const OWN = /^(?:connection|content-\w+|expect|host|keep-alive|max-forwards|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

const vectors: Given[] = vectorFiles()
  .filter((name) => name.startsWith("http1/"))
  .flatMap((name) =>
    loadVectors(name).vectors.map((vector) => {
      const { octets, to = ["GET"], ended } = vector as unknown as Vector;
      return { octets, ended: ended === true, ...(name.startsWith("http1/response") ? { to } : {}) };
    }),
  );
/** What became of one comparison, as the tables name it; undefined where both say the same. */
type Difference = { readonly is: "taken" | "refused" | "otherwise" | "unexplained"; readonly name: string; readonly octets: string };

function compare({ octets, to, ended }: Given): Difference | undefined {
  const ours = read({ octets, ended, ...(to === undefined ? {} : { to }) });
  const theirs = readByLlhttp([octetsOf(octets)], ended, to);
  const difference = (is: Difference["is"], name: string): Difference => ({ is, name, octets });
  const told = (messages: typeof ours.messages | typeof theirs.messages): string[] =>
    messages.map((message) => {
      const { status, method, target, fields, content = "", trailers = [] } = message as Readonly<Record<string, unknown>>;
      const rest = (trailers as readonly (readonly [string, string])[]).filter(([name]) => !OWN.test(name));
      return JSON.stringify([status ?? `${String(method)} ${String(target)}`, fields, content, rest]);
    });
  const [mine, other] = [told(ours.messages), told(theirs.messages)];
  // Where one has refused, what both had read by then is compared.
  const isOneRefused = ours.error !== undefined || theirs.error !== undefined;
  const common = Math.min(mine.length, other.length);
  const isSame = isOneRefused ? mine.slice(0, common).join() === other.slice(0, common).join() : mine.join() === other.join();
  const otherwise = READ_OTHERWISE.findIndex(({ when }) => when(octets));
  const isOneAlone = (ours.error === undefined) !== (theirs.error === undefined);
  if (otherwise >= 0 && (!isSame || isOneAlone)) return difference("otherwise", String(otherwise));
  if (!isSame) return difference("unexplained", `${mine.join()} and ${other.join()}`);
  if (ours.error !== undefined && theirs.error === undefined) return difference("taken", ours.error);
  if (ours.error === undefined && theirs.error !== undefined) return difference("refused", theirs.error);
  return undefined;
}

/** Differences that nobody has written down, one example each. */
function unexplained(differences: readonly (Difference | undefined)[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const difference of differences) {
    if (difference === undefined || difference.is === "otherwise") continue;
    const { is, name, octets } = difference;
    const isKnown =
      is === "taken" ? TAKEN_BY_LLHTTP[name as FaultName] !== undefined : is === "refused" && REFUSED_BY_LLHTTP[name] !== undefined;
    if (!isKnown) found[`${is} ${name}`] ??= JSON.stringify(octets).slice(0, 400);
  }
  return found;
}

const onVectors = vectors.map(compare);
const grammar = seeded(11);
const onSequences = Array.from({ length: 3_000 }, () => compare({ octets: textOf(sequence(grammar, PLAIN_ASKED)), ended: true }));

const dirt = seeded(12);
const short = vectors.filter(({ octets }) => octets.length < 600);
const context = {
  others: short.slice(0, 200).map(({ octets }) => octetsOf(octets)),
  dictionary: ["\r\n", "\r", "\n", " ", "0\r\n\r\n", "chunked", "Content-Length: 0\r\n"].map(octetsOf),
  maxLength: 800,
};
const onSpoilt = Array.from({ length: 6_000 }, (_, i) => {
  const from = short[i % short.length]!;
  // A line that has not ended is judged by the one at once and by the other at its end: the end of the connection ends both.
  return compare({ ...from, octets: Buffer.from(mutate(octetsOf(from.octets), dirt, context)).toString("latin1"), ended: true });
});

describe("agreement with llhttp", () => {
  test("on every vector", () => {
    expect(unexplained(onVectors)).toEqual({});
    expect(onVectors.filter((difference) => difference === undefined).length).toBeGreaterThan(vectors.length * 0.75);
  });
  test("on sequences of requests from the grammar", () => {
    expect(unexplained(onSequences)).toEqual({});
    expect(onSequences.filter((difference) => difference === undefined).length).toBeGreaterThan(2_000);
  });
  test("on vectors with some octets changed", () => {
    expect(unexplained(onSpoilt)).toEqual({});
  });

  test("every difference that is written down happens", () => {
    const seen = new Set([...onVectors, ...onSequences, ...onSpoilt].map((difference) => `${difference?.is} ${difference?.name}`));
    const written = [
      ...Object.keys(TAKEN_BY_LLHTTP).map((name) => `taken ${name}`),
      ...Object.keys(REFUSED_BY_LLHTTP).map((name) => `refused ${name}`),
      ...READ_OTHERWISE.map((_, i) => `otherwise ${i}`),
    ];
    expect(written.filter((difference) => !seen.has(difference))).toEqual([]);
  });

  test("what nobody has written down is found", () => {
    const difference: Difference = { is: "taken", name: "spaceBeforeColon", octets: "X : b" };
    expect(unexplained([undefined, difference, { is: "unexplained", name: "a and b", octets: "" }])).toEqual({
      "taken spaceBeforeColon": '"X : b"',
      "unexplained a and b": '""',
    });
  });
});
