import { Labels, Matcher } from "../../../reference/metrics/model/index.ts";
import { Damage } from "../../../reference/metrics/tsdb/files/damage.ts";
import { PageCache } from "../../../reference/metrics/tsdb/files/pages.ts";
import { ChunkBatch } from "../../../reference/metrics/tsdb/chunk/batch.ts";
import { crc32c } from "../../../reference/metrics/tsdb/codec/crc32c.ts";
import { readFile } from "../../../reference/metrics/tsdb/files/files.ts";
import { IndexReader } from "../../../reference/metrics/tsdb/index/read.ts";
import { IndexWriter } from "../../../reference/metrics/tsdb/index/write.ts";
import type { Target } from "../../lib/target.ts";
import { MemoryFiles } from "../../../reference/metrics/tsdb/files/testing.ts";

const PATH = "data/index";
const TOC_LENGTH = 52;

/** Any octets with right checksums: reading ends, and damage is reported. */
export const target: Target = {
  name: "metrics/tsdb/index",
  about: "any octets: reading the index ends, and damage is reported",
  maxLength: 4_096,
  seeds: [index(1), index(40)],
  run: (input) => {
    const files = new MemoryFiles();
    files.makeDirectory("data");
    files.open(PATH, "create").write(summed(input), 0);
    try {
      readAll(new IndexReader(new PageCache(65_536).open(files.open(PATH, "read"))));
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      if (error.path !== PATH || !(error.at >= 0)) throw new Error(`The damage is at no place: ${error.message}`, { cause: error });
    }
  },
};

function readAll(reader: IndexReader): void {
  const chunks: number[] = [];
  for (const matcher of [
    new Matcher("none", "=", ""),
    new Matcher("n", "=~", "1.*"),
    new Matcher("n", "!=", "2"),
    new Matcher("n", "=", "3"),
  ]) {
    for (const series of reader.select([matcher])) reader.series(series, chunks);
  }
}

/** Corrects the checksums of the table of contents and its sections, which a fuzzer does not find. */
export function summed(input: Uint8Array): Uint8Array {
  const bytes = input.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const toc = bytes.length - TOC_LENGTH;
  if (toc < 0) return bytes;
  view.setUint32(toc + TOC_LENGTH - 4, crc32c(bytes, 0, toc, toc + TOC_LENGTH - 4));
  for (const place of [toc, toc + 40]) {
    const at = view.getUint32(place + 4);
    const end = at + 4 + (at + 4 <= toc ? view.getUint32(at) : 0);
    if (end + 4 <= bytes.length) view.setUint32(end, crc32c(bytes, 0, at + 4, end));
  }
  return bytes;
}

function index(series: number): Uint8Array {
  const files = new MemoryFiles();
  files.makeDirectory("data");
  const values = Array.from({ length: series }, (_, at) => String(at + 10));
  const writer = new IndexWriter(files.open(PATH, "create"), [...values, "n"]);
  const batch = new ChunkBatch();
  const chunk = { encoding: 1, bytes: new Uint8Array(2), from: 0, to: 2 };
  batch.add({ ...chunk, minTime: 0, maxTime: 10 });
  batch.add({ ...chunk, minTime: 11, maxTime: 20 });
  for (const [at, value] of values.entries())
    writer.series(writer.placesOf(Labels.of({ n: value }).flat), batch, [8 + at * 100, 50 + at * 100]);
  writer.finish();
  return readFile(files, PATH);
}
