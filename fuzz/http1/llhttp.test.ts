import { describe, expect, test } from "vitest";
import { seeded } from "../../reference/core/index.ts";
import type { FaultName } from "../../reference/http1/index.ts";
import { read } from "../../vectors/http1/read.ts";
import { loadVectors, vectorFiles } from "../../vectors/load.ts";
import { mutate } from "../lib/mutate.ts";
import { READ_DIFFERENTLY, REFUSED_BY_LLHTTP, ACCEPTED_BY_LLHTTP } from "./differences.ts";
import { octetsOf, PLAIN_SCOPE, sequence, textOf } from "./grammar.ts";
import { readByLlhttp } from "./llhttp.ts";

/** Our reader and llhttp on the same octets: the same messages if both accept them, and no unlisted difference. */

type Given = { readonly octets: string; readonly to?: readonly string[]; readonly ended: boolean };
type Vector = { readonly octets: string; readonly to?: readonly string[]; readonly ended?: true };
/** Trailer fields that we drop and llhttp keeps: both are allowed (rfc9112#7.1.2). */
const OWN = /^(?:connection|content-\w+|expect|host|keep-alive|max-forwards|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

const vectors: Given[] = vectorFiles()
  .filter((name) => name.startsWith("http1/"))
  .flatMap((name) =>
    loadVectors(name).vectors.map((vector) => {
      const { octets, to = ["GET"], ended } = vector as unknown as Vector;
      return { octets, ended: ended === true, ...(name.startsWith("http1/response") ? { to } : {}) };
    }),
  );
/** A difference in one comparison, in the terms of the tables. */
type Difference = { readonly is: "accepted" | "refused" | "different" | "unexplained"; readonly name: string; readonly octets: string };

function compare({ octets, to, ended }: Given): Difference | undefined {
  const ours = read({ octets, ended, ...(to === undefined ? {} : { to }) });
  const theirs = readByLlhttp([octetsOf(octets)], ended, to);
  const difference = (is: Difference["is"], name: string): Difference => ({ is, name, octets });
  const linesOf = (messages: typeof ours.messages | typeof theirs.messages): string[] =>
    messages.map((message) => {
      const { status, method, target, fields, content = "", trailers = [] } = message as Readonly<Record<string, unknown>>;
      const rest = (trailers as readonly (readonly [string, string])[]).filter(([name]) => !OWN.test(name));
      return JSON.stringify([status ?? `${String(method)} ${String(target)}`, fields, content, rest]);
    });
  const [mine, other] = [linesOf(ours.messages), linesOf(theirs.messages)];
  // If one refused, compare the messages that both had read before.
  const isOneRefused = ours.error !== undefined || theirs.error !== undefined;
  const common = Math.min(mine.length, other.length);
  const isSame = isOneRefused ? mine.slice(0, common).join() === other.slice(0, common).join() : mine.join() === other.join();
  const different = READ_DIFFERENTLY.findIndex(({ when }) => when(octets));
  const isOneAlone = (ours.error === undefined) !== (theirs.error === undefined);
  if (different >= 0 && (!isSame || isOneAlone)) return difference("different", String(different));
  if (!isSame) return difference("unexplained", `${mine.join()} and ${other.join()}`);
  if (ours.error !== undefined && theirs.error === undefined) return difference("accepted", ours.error);
  if (ours.error === undefined && theirs.error !== undefined) return difference("refused", theirs.error);
  return undefined;
}

/** Unlisted differences, one example each. */
function unexplained(differences: readonly (Difference | undefined)[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const difference of differences) {
    if (difference === undefined || difference.is === "different") continue;
    const { is, name, octets } = difference;
    const isKnown =
      is === "accepted" ? ACCEPTED_BY_LLHTTP[name as FaultName] !== undefined : is === "refused" && REFUSED_BY_LLHTTP[name] !== undefined;
    if (!isKnown) found[`${is} ${name}`] ??= JSON.stringify(octets).slice(0, 400);
  }
  return found;
}

const onVectors = vectors.map(compare);
const grammar = seeded(11);
const onSequences = Array.from({ length: 3_000 }, () => compare({ octets: textOf(sequence(grammar, PLAIN_SCOPE)), ended: true }));

const mutations = seeded(12);
const short = vectors.filter(({ octets }) => octets.length < 600);
const context = {
  others: short.slice(0, 200).map(({ octets }) => octetsOf(octets)),
  dictionary: ["\r\n", "\r", "\n", " ", "0\r\n\r\n", "chunked", "Content-Length: 0\r\n"].map(octetsOf),
  maxLength: 800,
};
const onMutated = Array.from({ length: 6_000 }, (_, i) => {
  const from = short[i % short.length]!;
  // One reader judges a line at once, the other at its end: ending the connection makes both decide.
  return compare({ ...from, octets: Buffer.from(mutate(octetsOf(from.octets), mutations, context)).toString("latin1"), ended: true });
});

describe("agreement with llhttp", () => {
  test("holds for every vector", () => {
    expect(unexplained(onVectors)).toEqual({});
    expect(onVectors.filter((difference) => difference === undefined).length).toBeGreaterThan(vectors.length * 0.75);
  });
  test("holds for generated sequences of requests", () => {
    expect(unexplained(onSequences)).toEqual({});
    expect(onSequences.filter((difference) => difference === undefined).length).toBeGreaterThan(2_000);
  });
  test("holds for vectors with mutated octets", () => {
    expect(unexplained(onMutated)).toEqual({});
  });

  test("every listed difference occurs", () => {
    const seen = new Set([...onVectors, ...onSequences, ...onMutated].map((difference) => `${difference?.is} ${difference?.name}`));
    const listed = [
      ...Object.keys(ACCEPTED_BY_LLHTTP).map((name) => `accepted ${name}`),
      ...Object.keys(REFUSED_BY_LLHTTP).map((name) => `refused ${name}`),
      ...READ_DIFFERENTLY.map((_, i) => `different ${i}`),
    ];
    expect(listed.filter((difference) => !seen.has(difference))).toEqual([]);
  });

  test("an unlisted difference is reported", () => {
    const difference: Difference = { is: "accepted", name: "spaceBeforeColon", octets: "X : b" };
    expect(unexplained([undefined, difference, { is: "unexplained", name: "a and b", octets: "" }])).toEqual({
      "accepted spaceBeforeColon": '"X : b"',
      "unexplained a and b": '""',
    });
  });
});
