import { Columns } from "../../model/index.ts";
import type { Block } from "./block.ts";
import { CHUNK_FAULTS, type ChunkBatch, ChunkDecoder, ChunkEncoder } from "../chunk/index.ts";
import { Weaver, withoutDeleted } from "./merge.ts";
import { type Intervals, isCovered, isTouched } from "./tombstones.ts";

/** The part of a series in one block. */
export type SeriesPart = {
  readonly block: Block;
  /** First time, last time and place of each chunk. */
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

/** Compacts series one after another. */
export class SeriesCompactor {
  readonly #columns = new Columns();
  readonly #decoder = new ChunkDecoder();
  readonly #encoder = new ChunkEncoder();
  readonly #weaver = new Weaver();

  /**
   * Fills a batch with the samples of a series from all of its parts. A chunk without overlaps and deletions is copied; the others are read, merged and
   * encoded again. Throws `Damage`: compaction must not drop unreadable samples silently.
   */
  compact(parts: readonly SeriesPart[], into: ChunkBatch): void {
    into.clear();
    let group: Piece[] = [];
    let end = -Infinity;
    for (const piece of piecesOf(parts)) {
      if (group.length > 0 && piece.minTime > end) {
        this.#write(group, into);
        group = [];
        end = -Infinity;
      }
      group.push(piece);
      end = Math.max(end, piece.maxTime);
    }
    if (group.length > 0) this.#write(group, into);
  }

  #write(group: readonly Piece[], into: ChunkBatch): void {
    const [only, second] = group;
    if (only !== undefined && second === undefined && !isTouchedByDeletion(only)) copy(only, into);
    else this.#rewrite(group, into);
  }

  /** Of samples at one time the first part's stays, as in a query. */
  #rewrite(group: readonly Piece[], into: ChunkBatch): void {
    const columns = this.#columns;
    columns.clear();
    for (const { part, place } of [...group].sort((a, b) => a.rank - b.rank)) {
      const { chunks } = part.block;
      chunks.find(place);
      const row = columns.length;
      const fault = this.#decoder.read(chunks, columns);
      if (fault !== undefined) throw chunks.damage(place, CHUNK_FAULTS[fault]);
      if (part.deleted !== undefined) withoutDeleted(columns, row, part.deleted);
      this.#weaver.weave(columns, 0, row);
    }
    this.#encoder.encode(columns, 0, into);
  }
}

/** The chunks that are not deleted entirely, by their first times. */
function piecesOf(parts: readonly SeriesPart[]): Piece[] {
  const pieces: Piece[] = [];
  for (const [rank, part] of parts.entries()) {
    for (let at = 0; at < part.chunks.length; at += 3) {
      const [minTime = 0, maxTime = 0, place = 0] = part.chunks.slice(at, at + 3);
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
  const { encoding, bytes, from, to } = chunks;
  into.addCopy({ minTime, maxTime, encoding, bytes, from, to });
}
