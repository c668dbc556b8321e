import { Columns, compareText } from "../model/index.ts";
import type { BlockContent, SeriesContent } from "./block-write.ts";
import { ChunkBatch } from "./chunk-batch.ts";
import { readChunk } from "./chunk-decode.ts";
import { encodeRows } from "./chunk-encode.ts";
import { sortRows } from "./head-order.ts";
import type { Head } from "./head.ts";
import { weave, withoutDeleted } from "./merge.ts";
import { isTouched } from "./tombstones.ts";

/** Which samples of the head go into a block: those in order, those that came late, or both. */
export type Part = "all" | "late";

/** What is in memory from `start` to before `end`, for a block: chunks as they are where nothing of them was deleted and nothing came late. */
export function headContent(head: Head, start: number, end: number, part: Part): BlockContent {
  const rows: number[] = [];
  for (let row = 0; row < head.table.count; row++) {
    if (part === "late" ? head.late.has(row) : head.overlaps(row, start, end - 1)) rows.push(row);
  }
  const sorted = Uint32Array.from(rows);
  sortRows(head.table, sorted);
  return { symbols: textsOf(head, sorted), series: contents(head, sorted, start, end, part) };
}

function* contents(head: Head, rows: Uint32Array, start: number, end: number, part: Part): Generator<SeriesContent> {
  const chunks = new ChunkBatch();
  const columns = new Columns();
  for (const row of rows) {
    chunks.clear();
    const deleted = head.deletions.of(head.table.refOf(row));
    if (part === "all" && !head.late.has(row) && (deleted === undefined || !isTouched(deleted, start, end - 1))) {
      head.chunks.visit(row, start, end - 1, (chunk) => {
        const { encoding, bytes, from, to, minTime, maxTime } = chunk;
        // A chunk begins and ends within a block's time, but where the time of blocks was set anew.
        if (minTime >= start && maxTime < end) chunks.addCopy(minTime, maxTime, encoding, bytes, from, to);
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
    if (chunks.length > 0) yield { labels: head.table.labels(row), chunks };
  }
}

/** Every name and value of these series, sorted, each once. */
function textsOf(head: Head, rows: Uint32Array): string[] {
  const { table } = head;
  const { symbols } = table;
  const isUsed = new Uint8Array(symbols.end);
  const texts = new Set<string>();
  const use = (symbol: number): void => {
    if (isUsed[symbol] === 1) return;
    isUsed[symbol] = 1;
    texts.add(symbols.text(symbol));
  };
  for (const row of rows) {
    for (let place = table.sizeOf(row) - 1; place >= 0; place--) {
      const value = table.symbolAt(row, place);
      use(value);
      use(symbols.nameOf(value));
    }
  }
  return [...texts].sort(compareText);
}
