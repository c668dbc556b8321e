/** Remote write without I/O (Prometheus specs, prw/remote_write_spec.md and prw/remote_write_spec_2_0.md): receiving requests of both protocols into a storage, sending a log, and answering remote read. */
export { MessageCursor, MessageFault } from "./cursor.ts";
export { messageOf, RECEIVE_LIMITS, receiveWrite } from "./receive.ts";
export { type Received, storeSeries } from "./store.ts";
export { type WriteMessage, WrittenSeries } from "./write-request.ts";
export { MessageWriter } from "./message-writer.ts";
export { type ReadQuery, readRequest, readResponse, unpackedMessage } from "./read.ts";
export { ReadAnswer, writeReadRequest } from "./read-answer.ts";
export { readFrames } from "./read-chunks.ts";
export { outcomeOf, type SendOutcome } from "./send-outcome.ts";
export { type QueuedSeries, type SendBatch, type SendCounts, SendQueue } from "./send-queue.ts";
export { ShardPlan } from "./shards.ts";
export { SentForms } from "./sent-series.ts";
export { RequestWriter, type SentMetadata, type SentSample } from "./write-message.ts";
