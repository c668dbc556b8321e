import { Columns } from "../../model/index.ts";
import type { Block } from "./block.ts";
import { CHUNK_FAULTS, type ChunkBatch, encodeRows, readChunk } from "../chunk/index.ts";
import { weave, withoutDeleted } from "./merge.ts";
import { type Intervals, isCovered, isTouched } from "./tombstones.ts";

/** What one block has of a series. */
export type SeriesPart = {
  readonly block: Block;
  /** First time, last time and place of each chunk in turn. */
  readonly chunks: readonly number[];
  readonly deleted: Intervals | undefined;
};

type Piece = {
  readonly rank: number;
  readonly part: SeriesPart;
  readonly minTime: number;
  readonly maxTime: number;
  readonly place: number;
};

const columns = new Columns();

/**
 * Fills a batch with the samples of a series from all of its parts. A chunk that no other overlaps, and of which nothing is deleted, is taken as it
 * is; the others are read, made one, and written anew. Throws `Damage`: what cannot be read must not be lost in silence.
 */
export function compactSeries(parts: readonly SeriesPart[], into: ChunkBatch): void {
  into.clear();
  const pieces = piecesOf(parts);
  for (let at = 0; at < pieces.length;) {
    const group = [pieces[at] as Piece];
    let { maxTime } = pieces[at] as Piece;
    for (at += 1; at < pieces.length && (pieces[at] as Piece).minTime <= maxTime; at++) {
      group.push(pieces[at] as Piece);
      maxTime = Math.max(maxTime, (pieces[at] as Piece).maxTime);
    }
    const [only] = group as [Piece];
    if (group.length === 1 && !isTouchedByDeletion(only)) copy(only, into);
    else rewrite(group, into);
  }
}

/** Those that have anything left, by their first times. */
function piecesOf(parts: readonly SeriesPart[]): Piece[] {
  const pieces: Piece[] = [];
  for (const [rank, part] of parts.entries()) {
    for (let at = 0; at < part.chunks.length; at += 3) {
      const [minTime, maxTime, place] = part.chunks.slice(at, at + 3) as [number, number, number];
      if (part.deleted === undefined || !isCovered(part.deleted, minTime, maxTime)) pieces.push({ rank, part, minTime, maxTime, place });
    }
  }
  return parts.length === 1 ? pieces : pieces.sort((a, b) => a.minTime - b.minTime || a.rank - b.rank);
}

const isTouchedByDeletion = ({ part, minTime, maxTime }: Piece): boolean =>
  part.deleted !== undefined && isTouched(part.deleted, minTime, maxTime);

function copy({ part, minTime, maxTime, place }: Piece, into: ChunkBatch): void {
  const { chunks } = part.block;
  chunks.find(place);
  into.addCopy(minTime, maxTime, chunks.encoding, chunks.bytes, chunks.from, chunks.to);
}

/** Of samples at one time that of the part which is named first stays, as for a query. */
function rewrite(group: readonly Piece[], into: ChunkBatch): void {
  columns.clear();
  for (const { part, place } of [...group].sort((a, b) => a.rank - b.rank)) {
    const { chunks } = part.block;
    chunks.find(place);
    const row = columns.length;
    const fault = readChunk(chunks.encoding, chunks.bytes, chunks.from, chunks.to, columns, -Infinity, Infinity);
    if (fault !== undefined) throw chunks.damage(place, CHUNK_FAULTS[fault]);
    if (part.deleted !== undefined) withoutDeleted(columns, row, part.deleted);
    weave(columns, 0, row);
  }
  encodeRows(columns, 0, into);
}
