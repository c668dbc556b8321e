import { Columns } from "../../model/index.ts";
import { type BlockContent, isTouched, type SeriesContent, weave, withoutDeleted } from "../block/index.ts";
import { ChunkBatch, encodeRows, readChunk } from "../chunk/index.ts";
import { sortByPlaces, textsOf } from "./order.ts";
import type { Head } from "./head.ts";

/** Which samples of the head go into a block: those in order, those that came late, or both. */
export type Part = "all" | "late";

/** Series whose chunks are made ready together: few enough that those of the first are still in the processor's cache when it is their turn. */
const TOGETHER = 16;

/** What is in memory from `start` to before `end`, for a block: chunks as they are where nothing of them was deleted and nothing came late. */
export function headContent(head: Head, start: number, end: number, part: Part): BlockContent {
  const all = new Uint32Array(head.table.count);
  let count = 0;
  for (let row = 0; row < all.length; row++) {
    if (part === "late" ? head.late.has(row) : head.overlaps(row, start, end - 1)) all[count++] = row;
  }
  const rows = all.subarray(0, count);
  const { texts, places } = textsOf(head.table, rows);
  sortByPlaces(head.table, rows, places);
  return { symbols: texts, series: contents(head, rows, places, start, end, part) };
}

function* contents(head: Head, rows: Uint32Array, places: Uint32Array, start: number, end: number, part: Part): Generator<SeriesContent> {
  const chunks = new ChunkBatch();
  const columns = new Columns();
  const labels: Uint32Array[] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    if (at % TOGETHER === 0) head.chunks.warm(rows.subarray(at, at + TOGETHER), end - 1);
    chunks.clear();
    const deleted = head.deletions.of(head.table.refOf(row));
    if (part === "all" && !head.late.has(row) && (deleted === undefined || !isTouched(deleted, start, end - 1))) {
      head.chunks.visit(row, start, end - 1, (chunk) => {
        const { encoding, bytes, from, to, minTime, maxTime } = chunk;
        // A chunk begins and ends within a block's time, but where the time of blocks was set anew.
        if (minTime >= start && maxTime < end) chunks.add(minTime, maxTime, encoding, bytes, from, to);
        else {
          columns.clear();
          readChunk(encoding, bytes, from, to, columns, start, end - 1);
          encodeRows(columns, 0, chunks);
        }
      });
    } else {
      columns.clear();
      if (part === "all") head.read(row, columns, start, end - 1);
      const middle = columns.length;
      head.late.read(row, columns, start, end - 1, Infinity);
      weave(columns, 0, middle);
      if (deleted !== undefined) withoutDeleted(columns, 0, deleted);
      encodeRows(columns, 0, chunks);
    }
    if (chunks.length > 0) yield { labels: labelsOf(head, row, places, labels), chunks };
  }
}

/** Names and values in turn, by the places of their texts: in the one array that there is for so many. */
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
