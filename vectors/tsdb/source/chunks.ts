import type { ChunkVector, Draft } from "./kinds.ts";
import { cut, patched, WRITTEN, written } from "./peer.ts";

const SECTIONS = [
  "", "xor-chunk-data", "histogram-chunk-data", "float-histogram-chunk-data", "xor2-chunk-data", "histogram-st-chunk-data", "float-histogram-st-chunk-data"];
const FLAGS = ["", "Float", "Histogram", "Histogram", "Start", "Start", "Start"];
const spec = (encoding: number): string => `prometheus-chunks#${SECTIONS[encoding] || "chunk"}`;

/** Chunks that Prometheus wrote and read back. */
function taken(prefixes: readonly string[]): Draft<ChunkVector>[] {
  return WRITTEN.filter(({ name }) => prefixes.some((prefix) => name.startsWith(prefix))).map(({ name, hex, encoding = 0, samples }) => ({
    note: name.replaceAll("-", " "),
    spec: spec(encoding),
    encoding,
    wire: hex,
    samples: samples ?? [],
    result: "valid",
    flags: [FLAGS[encoding] ?? "", ...(name.includes("stale") ? ["Stale"] : [])],
  }));
}

const refused = (note: string, encoding: number, wire: string, fault: string, flag: string): Draft<ChunkVector> => ({
  note,
  spec: spec(encoding),
  encoding,
  wire,
  result: "invalid",
  fault,
  flags: [flag],
});

function cuts(name: string, lengths: readonly number[]): Draft<ChunkVector>[] {
  const { hex, encoding = 0 } = written(name);
  return lengths.map((length) => refused(`${name.replaceAll("-", " ")}: so many octets are left: ${length < 0 ? hex.length / 2 + length : length}`, encoding, cut(hex, length), "chunkShort", "Cut"));
}

const zeros = (octets: number): string => "00".repeat(octets);

export const floats = taken(["xor-"]);
export const histograms = taken(["histogram-", "float-histogram-"]).filter(({ encoding }) => encoding < 4);
/** Shorter versions of chunks whose third sample is the first with a start: they repeat chunks without one. */
const REPEATED = /late-starts-(?:one|two)/;
export const starts = WRITTEN.filter(({ encoding = 0, name }) => encoding >= 4 && !REPEATED.test(name)).flatMap(({ name }) =>
  taken([name]).filter(({ note }) => note === name.replaceAll("-", " ")),
);

export const damaged: readonly Draft<ChunkVector>[] = [
  ...cuts("xor-counter", [0, 1, 2, 5, 7, 8, 15, 16, 17, -1]),
  ...cuts("xor2-counter", [2, 3, 8, 17, -1]),
  ...cuts("histogram-counter", [1, 2, 3, -1]),
  ...cuts("float-histogram-counter", [2, -1]),
  ...cuts("histogram-start-counter", [3, -1]),
  refused("more samples are announced than there are", 1, patched(written("xor-two-samples").hex, 0, "00ff"), "chunkShort", "Cut"),
  refused("two samples at one time", 1, `000200${zeros(8)}0000`, "chunkTime", "Damage"),
  refused("a step back in time", 1, `000300${zeros(8)}01${"5fff"}00`, "chunkTime", "Damage"),
  refused("a window of 31 zeros in front and 63 bits", 1, `000200${zeros(8)}01ffff${zeros(20)}`, "chunkWindow", "Damage"),
  refused("a first time of ten octets, beyond 2^63", 1, `0001${"ff".repeat(9)}02${zeros(8)}`, "chunkShort", "Damage"),
  refused("a time in an octet too many", 1, `0001${"80".repeat(10)}01${zeros(8)}`, "chunkShort", "Damage"),
  refused("no encoding", 0, written("xor-counter").hex, "chunkEncoding", "Damage"),
  refused("an encoding that nobody knows", 7, written("xor-counter").hex, "chunkEncoding", "Damage"),
  refused("a span of 33,554,431 buckets in a chunk that has not so many bits", 2, `0001000047f7fffffc${zeros(8)}`, "chunkHistogram", "Damage"),
  // 11, 31 zeros in front, 34 bits: 1 1 11111 100010.
  refused("a window of 31 zeros in front and 34 bits, which is one too many", 1, `000200${zeros(8)}01ff10${zeros(20)}`, "chunkWindow", "Damage"),
  refused("the octets end within a window", 1, `000200${zeros(8)}01ff`, "chunkShort", "Cut"),
];
