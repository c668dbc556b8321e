import { Columns } from "../../model/index.ts";
import { type BlockContent, isTouched, type SeriesContent, Weaver, withoutDeleted } from "../block/index.ts";
import { ChunkBatch, ChunkDecoder, ChunkEncoder } from "../chunk/index.ts";
import { sortByPlaces, textsOf } from "./order.ts";
import type { Head } from "./head.ts";

/** Which samples go into a block: all, or only late ones. */
export type Part = "all" | "late";

/** Series that are prefetched together: few enough to be still in the processor's cache when they are read. */
const TOGETHER = 16;

/** The content of a block: the samples from `start` to before `end`. */
export type Cut = { readonly start: number; readonly end: number; readonly part: Part };

/** The samples of the head for a block. Chunks without deletions and late samples are copied as they are. */
export function headContent(head: Head, cut: Cut): BlockContent {
  const { start, end, part } = cut;
  const all = new Uint32Array(head.table.count);
  let count = 0;
  for (let row = 0; row < all.length; row++) {
    if (part === "late" ? head.late.has(row) : head.overlaps(row, start, end - 1)) all[count++] = row;
  }
  const rows = all.subarray(0, count);
  const { texts, places } = textsOf(head.table, rows);
  sortByPlaces(head.table, rows, places);
  return { symbols: texts, series: contents(head, rows, places, cut) };
}

function* contents(head: Head, rows: Uint32Array, places: Uint32Array, { start, end, part }: Cut): Generator<SeriesContent> {
  const chunks = new ChunkBatch();
  const columns = new Columns();
  const [decoder, encoder, weaver] = [new ChunkDecoder(), new ChunkEncoder(), new Weaver()];
  const labels: Uint32Array[] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    if (at % TOGETHER === 0) head.chunks.warm(rows.subarray(at, at + TOGETHER), end - 1);
    chunks.clear();
    const deleted = head.deletions.of(head.table.refOf(row));
    if (part === "all" && !head.late.has(row) && (deleted === undefined || !isTouched(deleted, start, end - 1))) {
      head.chunks.visit(row, start, end - 1, (chunk) => {
        // A chunk crosses the bounds of a block only if the block range option was changed.
        if (chunk.minTime >= start && chunk.maxTime < end) chunks.add(chunk);
        else {
          columns.clear();
          decoder.read(chunk, columns, start, end - 1);
          encoder.encode(columns, 0, chunks);
        }
      });
    } else {
      columns.clear();
      if (part === "all") head.read(row, columns, start, end - 1);
      const middle = columns.length;
      head.late.read(row, columns, { start, end: end - 1, below: Infinity });
      weaver.weave(columns, 0, middle);
      if (deleted !== undefined) withoutDeleted(columns, 0, deleted);
      encoder.encode(columns, 0, chunks);
    }
    if (chunks.length > 0) yield { labels: labelsOf(head, row, places, labels), chunks };
  }
}

/** The labels as symbol numbers, names and values alternating, in one array for each number of labels. */
function labelsOf(head: Head, row: number, places: Uint32Array, bySize: Uint32Array[]): Uint32Array {
  const { table } = head;
  const size = table.sizeOf(row);
  const labels = (bySize[size] ??= new Uint32Array(size * 2));
  for (let at = 0; at < size; at++) {
    const value = table.symbolAt(row, at);
    labels[at * 2] = places[table.symbols.nameOf(value)] ?? 0;
    labels[at * 2 + 1] = places[value] ?? 0;
  }
  return labels;
}
