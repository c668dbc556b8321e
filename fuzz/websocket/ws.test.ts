import { describe, expect, test } from "vitest";
import { seeded } from "../../reference/core/index.ts";
import type { FaultName } from "../../reference/websocket/index.ts";
import { loadVectors, vectorFiles } from "../../vectors/load.ts";
import { readFrames, type FramesReading } from "../../vectors/websocket/read.ts";
import type { FramesVector } from "../../vectors/websocket/source/craft.ts";
import { mutate } from "../lib/mutate.ts";
import { CODED_DIFFERENTLY, READ_DIFFERENTLY, REFUSED_BY_WS, ACCEPTED_BY_WS } from "./differences.ts";
import { octets, sequence } from "./grammar.ts";
import { readByWs, type Theirs } from "./ws.ts";

/** Our reader and that of npm `ws` on the same frames: the same messages if both accept them, and no unlisted difference. */

type Given = Pick<FramesVector, "to" | "wire" | "deflate">;
type Difference = {
  readonly is: "accepted" | "refused" | "coded" | "different" | "unexplained";
  readonly name: string;
  readonly given: Given;
};

const hex = (given: Uint8Array): string => Buffer.from(given).toString("hex");
const linesOf = (messages: FramesReading["messages"]): string[] => messages.map((message) => JSON.stringify(message));

function difference(given: Given, ours: FramesReading, theirs: Theirs): Difference | undefined {
  const [mine, other] = [linesOf(ours.messages), linesOf(theirs.messages)];
  const common =
    ours.error === undefined && theirs.error === undefined ? Math.max(mine.length, other.length) : Math.min(mine.length, other.length);
  const isSame = mine.slice(0, common).join() === other.slice(0, common).join();
  const different = READ_DIFFERENTLY.findIndex(({ when }) => when(theirs));
  if (different >= 0 && (!isSame || ours.code !== theirs.code)) return { is: "different", name: String(different), given };
  if (!isSame) return { is: "unexplained", name: `${mine.join()} and ${other.join()}`, given };
  if (ours.error !== undefined && theirs.error === undefined) return { is: "accepted", name: ours.error, given };
  if (ours.error === undefined && theirs.error !== undefined) return { is: "refused", name: theirs.error, given };
  if (ours.code !== theirs.code) return { is: "coded", name: `${ours.error} ${ours.code} ${theirs.error} ${theirs.code}`, given };
  return undefined;
}
const compare = async (given: Given): Promise<Difference | undefined> => difference(given, readFrames(given), await readByWs(given));

/** Unlisted differences, one example each. */
function unexplained(differences: readonly (Difference | undefined)[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const one of differences) {
    if (one === undefined || one.is === "different") continue;
    const { is, name, given } = one;
    const known = {
      accepted: ACCEPTED_BY_WS[name as FaultName],
      refused: REFUSED_BY_WS[name],
      coded: CODED_DIFFERENTLY[name],
      unexplained: undefined,
    };
    if (known[is] === undefined) found[`${is} ${name.slice(0, 300)}`] ??= JSON.stringify(given).slice(0, 400);
  }
  return found;
}

/**
 * Completes the last frame and its message: one reader may refuse a frame by its first two octets, the other once it is complete, so
 * that both have decided at the end.
 */
function completed(given: Given): Given {
  const wire = Buffer.from(given.wire, "hex");
  const end = given.to === "server" ? Buffer.from("808000000000", "hex") : Buffer.from("8000", "hex");
  let [at, isInMessage] = [0, false];
  while (at < wire.length) {
    const second = wire[at + 1] ?? 0;
    const form = second & 0x7f;
    const head = (form < 126 ? 2 : form === 126 ? 4 : 10) + (second >= 0x80 ? 4 : 0);
    const padded = Buffer.concat([wire.subarray(at, at + head), Buffer.alloc(14)]);
    const length = form < 126 ? form : form === 126 ? padded.readUInt16BE(2) : Number(padded.readBigUInt64BE(2));
    const [opcode, fin] = [wire[at]! & 0x0f, wire[at]! >= 0x80];
    if (opcode < 8) isInMessage = !fin;
    at += head + Math.min(length, MAX_COMPLETED);
  }
  return { ...given, wire: hex(Buffer.concat([wire, Buffer.alloc(at - wire.length), isInMessage ? end : Buffer.alloc(0)])) };
}
/** Longer frames are not completed: both readers refuse them by their head, or wait for them. */
const MAX_COMPLETED = 100_000;

const vectors: Given[] = vectorFiles()
  .filter((name) => /^websocket\/(?!handshake|connections)/.test(name))
  .flatMap((name) => loadVectors<FramesVector>(name).vectors)
  .map(({ to, wire, deflate }) => ({ to, wire, ...(deflate === undefined ? {} : { deflate }) }));
const grammar = seeded(11);
const sequences = Array.from({ length: 3_000 }, (_, i): Given => {
  const to = i % 2 === 0 ? "server" : "client";
  return completed({ to, wire: hex(octets(sequence(grammar, to))) });
});

const mutations = seeded(12);
const short = vectors.filter(({ wire }) => wire.length < 800);
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const context = {
  others: short.slice(0, 200).map(({ wire }) => bytes(wire)),
  dictionary: ["888000000000", "8800", "898000000000", "8900", "0100", "8000", "c180", "817e007e"].map(bytes),
  maxLength: 600,
};
const mutated = Array.from({ length: 4_000 }, (_, i): Given => {
  const from = short[i % short.length]!;
  return completed({ ...from, wire: hex(mutate(bytes(from.wire), mutations, context)) });
});

const [onVectors, onSequences, onMutated] = (await Promise.all(
  [vectors, sequences, mutated].map(async (list) => {
    const out: (Difference | undefined)[] = [];
    for (const given of list) out.push(await compare(given));
    return out;
  }),
)) as [(Difference | undefined)[], (Difference | undefined)[], (Difference | undefined)[]];

describe("agreement with ws", () => {
  test("holds for every vector of frames", () => {
    expect(unexplained(onVectors)).toEqual({});
    expect(onVectors.filter((one) => one === undefined).length).toBeGreaterThan(vectors.length * 0.8);
  });
  test("holds for generated sequences of frames", () => {
    expect(unexplained(onSequences)).toEqual({});
    expect(onSequences.filter((one) => one === undefined).length).toBeGreaterThan(sequences.length * 0.8);
  });
  test("holds for vectors with mutated octets", () => {
    expect(unexplained(onMutated)).toEqual({});
    expect(onMutated.filter((one) => one === undefined).length).toBeGreaterThan(mutated.length * 0.6);
  });

  test("every listed difference occurs", () => {
    const seen = new Set([...onVectors, ...onSequences, ...onMutated].map((one) => `${one?.is} ${one?.name}`));
    const listed = [
      ...Object.keys(ACCEPTED_BY_WS).map((name) => `accepted ${name}`),
      ...Object.keys(REFUSED_BY_WS).map((name) => `refused ${name}`),
      ...Object.keys(CODED_DIFFERENTLY).map((name) => `coded ${name}`),
      ...READ_DIFFERENTLY.map((_, i) => `different ${i}`),
    ];
    expect(listed.filter((name) => !seen.has(name))).toEqual([]);
  });

  test("an unlisted difference is reported", () => {
    const given: Given = { to: "server", wire: "" };
    expect(unexplained([undefined, { is: "accepted", name: "maskMissing", given }, { is: "unexplained", name: "a and b", given }])).toEqual(
      {
        "accepted maskMissing": '{"to":"server","wire":""}',
        "unexplained a and b": '{"to":"server","wire":""}',
      },
    );
  });
});
