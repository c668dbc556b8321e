import { Columns, Labels } from "../model/index.ts";
import type { Queryable } from "../storage/index.ts";
import { ChunkBatch, ChunkEncoder } from "../tsdb/chunk/index.ts";
import { crc32c, putUvarint } from "../tsdb/codec/index.ts";
import { MessageWriter } from "./message-writer.ts";
import { type ReadQuery, within } from "./read.ts";
import { labelOf } from "./sent-series.ts";

/** Answering remote read with a stream of chunks (Prometheus docs, querying/remote_read_api.md, "Streamed Chunks"). */

/** The most octets of chunks in a frame; a longer series goes on in the next one. */
const FRAME_OCTETS = 1 << 20;
/** The octets before a message: its length, at most five, and its checksum. */
const MOST_HEAD = 9;

/**
 * The frames of a response, one series in each: the length of a message as a varint, its CRC-32C in big-endian order, and the message, a
 * ChunkedReadResponse. Series come sorted by their labels. Pauses with `undefined` after series without samples.
 */
export function* readFrames(storage: Queryable, queries: readonly ReadQuery[], external: Labels): Generator<Uint8Array | undefined> {
  const columns = new Columns();
  const [encoder, batch, to] = [new ChunkEncoder(), new ChunkBatch(), new MessageWriter()];
  for (const [index, { start, end, matchers }] of queries.entries()) {
    const querier = storage.querier(start, end);
    try {
      const asked = matchers.map((one) => within(one, external));
      for (const series of querier.select(asked, start, end, { sorted: true })) {
        columns.clear();
        batch.clear();
        series.read(columns, start, end);
        encoder.encode(columns, 0, batch);
        if (batch.length === 0) yield undefined;
        const labels = Labels.of([...external, ...series.labels]);
        for (let at = 0; at < batch.length;) {
          to.clear();
          at = messageOf(to, labels, batch, { at, index });
          yield frameOf(to.content);
        }
      }
    } finally {
      querier.close();
    }
  }
}

type From = { readonly at: number; readonly index: number };
/** Writes a message with the chunks from `at` on, as many as go into a frame; returns the number of the next one. */
function messageOf(to: MessageWriter, labels: Labels, batch: ChunkBatch, { at: first, index }: From): number {
  let at = first;
  const series = to.begin(1);
  for (const [name, value] of labels) labelOf(to, name, value);
  for (; at < batch.length && (at === first || to.length < FRAME_OCTETS); at++) {
    const chunk = to.begin(2);
    to.integer(1, batch.minTimes[at]!);
    to.integer(2, batch.maxTimes[at]!);
    to.integer(3, batch.encodings[at]!);
    to.octets(4, batch.bytes[at]!, batch.froms[at]!, batch.tos[at]!);
    to.end(chunk);
  }
  to.end(series);
  to.integer(2, index);
  return at;
}

function frameOf(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(MOST_HEAD + message.length);
  const sum = putUvarint(frame, 0, message.length);
  new DataView(frame.buffer).setUint32(sum, crc32c(message));
  frame.set(message, sum + 4);
  return frame.subarray(0, sum + 4 + message.length);
}
