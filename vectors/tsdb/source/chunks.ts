import type { ChunkVector, Draft } from "./kinds.ts";
import { cut, patched, WRITTEN, written } from "./peer.ts";

const SECTIONS = [
  "",
  "xor-chunk-data",
  "histogram-chunk-data",
  "float-histogram-chunk-data",
  "xor2-chunk-data",
  "histogram-st-chunk-data",
  "float-histogram-st-chunk-data",
];
const FLAGS = ["", "Float", "Histogram", "Histogram", "Start", "Start", "Start"];
const spec = (encoding: number): string => `prometheus-chunks#${SECTIONS[encoding] || "chunk"}`;

/** Chunks that Prometheus wrote and read back. */
function fromPeer(prefixes: readonly string[]): Draft<ChunkVector>[] {
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

const refused = ({
  note,
  encoding,
  wire,
  fault,
  flag,
}: {
  readonly note: string;
  readonly encoding: number;
  readonly wire: string;
  readonly fault: string;
  readonly flag: string;
}): Draft<ChunkVector> => ({
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
  return lengths.map((length) =>
    refused({
      note: `${name.replaceAll("-", " ")} cut to ${length < 0 ? hex.length / 2 + length : length} octets`,
      encoding,
      wire: cut(hex, length),
      fault: "chunkShort",
      flag: "Cut",
    }),
  );
}

const zeros = (octets: number): string => "00".repeat(octets);

export const floats = fromPeer(["xor-"]);
export const histograms = fromPeer(["histogram-", "float-histogram-"]).filter(({ encoding }) => encoding < 4);
/** Shorter versions of chunks whose third sample is the first with a start: they repeat chunks without one. */
const REPEATED = /late-starts-(?:one|two)/;
export const starts = WRITTEN.filter(({ encoding = 0, name }) => encoding >= 4 && !REPEATED.test(name)).flatMap(({ name }) =>
  fromPeer([name]).filter(({ note }) => note === name.replaceAll("-", " ")),
);

export const damaged: readonly Draft<ChunkVector>[] = [
  ...cuts("xor-counter", [0, 1, 2, 5, 7, 8, 15, 16, 17, -1]),
  ...cuts("xor2-counter", [2, 3, 8, 17, -1]),
  ...cuts("histogram-counter", [1, 2, 3, -1]),
  ...cuts("float-histogram-counter", [2, -1]),
  ...cuts("histogram-start-counter", [3, -1]),
  refused({
    note: "a sample count above the number of samples",
    encoding: 1,
    wire: patched(written("xor-two-samples").hex, 0, "00ff"),
    fault: "chunkShort",
    flag: "Cut",
  }),
  refused({ note: "two samples at the same time", encoding: 1, wire: `000200${zeros(8)}0000`, fault: "chunkTime", flag: "Damage" }),
  refused({ note: "a time before the previous one", encoding: 1, wire: `000300${zeros(8)}01${"5fff"}00`, fault: "chunkTime", flag: "Damage" }),
  refused({
    note: "a window of 31 leading zeros and 63 bits",
    encoding: 1,
    wire: `000200${zeros(8)}01ffff${zeros(20)}`,
    fault: "chunkWindow",
    flag: "Damage",
  }),
  refused({
    note: "a first time of ten octets, above 2^63",
    encoding: 1,
    wire: `0001${"ff".repeat(9)}02${zeros(8)}`,
    fault: "chunkShort",
    flag: "Damage",
  }),
  refused({
    note: "a time with one octet too many",
    encoding: 1,
    wire: `0001${"80".repeat(10)}01${zeros(8)}`,
    fault: "chunkShort",
    flag: "Damage",
  }),
  refused({ note: "no encoding", encoding: 0, wire: written("xor-counter").hex, fault: "chunkEncoding", flag: "Damage" }),
  refused({ note: "an unknown encoding", encoding: 7, wire: written("xor-counter").hex, fault: "chunkEncoding", flag: "Damage" }),
  refused({
    note: "a span of 33,554,431 buckets in a chunk with fewer bits",
    encoding: 2,
    wire: `0001000047f7fffffc${zeros(8)}`,
    fault: "chunkHistogram",
    flag: "Damage",
  }),
  // Control bits 11, then 31 leading zeros and 34 bits: 1 1 11111 100010.
  refused({
    note: "a window of 31 leading zeros and 34 bits, which is one too many",
    encoding: 1,
    wire: `000200${zeros(8)}01ff10${zeros(20)}`,
    fault: "chunkWindow",
    flag: "Damage",
  }),
  refused({ note: "the octets end within a window", encoding: 1, wire: `000200${zeros(8)}01ff`, fault: "chunkShort", flag: "Cut" }),
];
