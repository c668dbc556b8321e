import { BadPattern, Columns, Labels, Matcher, type MatchOperator } from "../model/index.ts";
import type { Queryable } from "../storage/index.ts";
import { Unpacker } from "../tsdb/codec/index.ts";
import { MessageCursor, MessageFault } from "./cursor.ts";
import { MessageWriter } from "./message-writer.ts";
import { labelOf } from "./sent-series.ts";
import { sampleOf } from "./write-message.ts";

/** Answering remote read with samples (Prometheus docs, querying/remote_read_api.md). */

export type ReadQuery = { readonly start: number; readonly end: number; readonly matchers: readonly Matcher[] };

export const OPERATORS: readonly MatchOperator[] = ["=", "!=", "=~", "!~"];
/** The most queries of one request. */
const MOST_QUERIES = 1_000;

/** The message of a Snappy block, which the caller owns. Throws `MessageFault`. */
export function unpackedMessage(packed: Uint8Array, most: number): Uint8Array {
  const unpacker = new Unpacker();
  if (!unpacker.unpack(packed, 0, packed.length, most))
    throw new MessageFault(`the content is not a Snappy block, or unpacks to more than ${most} octets`);
  return unpacker.bytes.subarray(0, unpacker.length);
}

/** What a request asks for. `inChunks`: of the forms of response that we have, it prefers the streamed chunks. */
export type ReadRequest = { readonly queries: readonly ReadQuery[]; readonly inChunks: boolean };

/** The numbers of the forms of a response: samples, and streamed chunks. */
const FORMS: readonly number[] = [0, 1];

/** Reads a request. Throws `MessageFault`. */
export function readRequest(octets: Uint8Array): ReadRequest {
  const at = new MessageCursor(octets);
  const queries: ReadQuery[] = [];
  const accepted: number[] = [];
  while (at.next()) {
    if (at.field === 1) {
      if (queries.length === MOST_QUERIES) throw new MessageFault(`there are more than ${MOST_QUERIES} queries`);
      const outer = at.enter();
      queries.push(queryIn(at));
      at.leave(outer);
    } else if (at.field === 2) at.numbers(accepted, 0, (one) => one.varint());
    else at.skip();
  }
  return { queries, inChunks: accepted.find((form) => FORMS.includes(form)) === 1 };
}

function queryIn(at: MessageCursor): ReadQuery {
  let [start, end] = [0, 0];
  const matchers: Matcher[] = [];
  while (at.next()) {
    if (at.field === 1) start = at.integer();
    else if (at.field === 2) end = at.integer();
    else if (at.field === 3) {
      const outer = at.enter();
      matchers.push(matcherIn(at));
      at.leave(outer);
    } else at.skip();
  }
  return { start, end, matchers };
}

function matcherIn(at: MessageCursor): Matcher {
  let [kind, name, value] = [0, "", ""];
  while (at.next()) {
    if (at.field === 1) kind = at.integer();
    else if (at.field === 2) name = textIn(at);
    else if (at.field === 3) value = textIn(at);
    else at.skip();
  }
  const operator = OPERATORS[kind];
  if (operator === undefined) throw new MessageFault(`a matcher has the unknown type ${kind}`);
  try {
    return new Matcher(name, operator, value);
  } catch (error) {
    if (error instanceof BadPattern) throw new MessageFault(error.message);
    throw error;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
export function textIn(at: MessageCursor): string {
  const outer = at.enter();
  at.checkText(at.at, at.end);
  const text = decoder.decode(at.octets.subarray(at.at, at.end));
  at.leave(outer);
  return text;
}

type ReadOptions = {
  /** Added to each series that lacks them. */
  readonly external: Labels;
  /** Samples of one response. */
  readonly mostSamples: number;
};

/** Writes the response; pauses after each series. Throws `MessageFault` if it has too many samples. */
export function* readResponse(
  storage: Queryable,
  queries: readonly ReadQuery[],
  { external, mostSamples }: ReadOptions,
): Generator<undefined, Uint8Array, undefined> {
  const to = new MessageWriter();
  const columns = new Columns();
  let left = mostSamples;
  for (const { start, end, matchers } of queries) {
    const result = to.begin(1);
    const querier = storage.querier(start, end);
    try {
      for (const series of querier.select(
        matchers.map((one) => within(one, external)),
        start,
        end,
      )) {
        columns.clear();
        series.read(columns, start, end);
        left -= columns.length;
        if (left < 0) throw new MessageFault(`the response has more than ${mostSamples} samples`);
        if (columns.length > 0) seriesOf(to, Labels.of([...external, ...series.labels]), columns);
        yield;
      }
    } finally {
      querier.close();
    }
    to.end(result);
  }
  return to.content;
}

/** The storage does not have external labels: a matcher for the value of one asks for series without it. */
export function within(matcher: Matcher, external: Labels): Matcher {
  const { name, operator, value } = matcher;
  return operator === "=" && value !== "" && external.get(name) === value ? new Matcher(name, "=", "") : matcher;
}

function seriesOf(to: MessageWriter, labels: Labels, columns: Columns): void {
  const start = to.begin(1);
  for (const [name, value] of labels) labelOf(to, name, value);
  for (let row = 0; row < columns.length; row++) {
    const histogram = columns.histograms?.[row];
    sampleOf(to, { time: columns.times[row]!, value: columns.values[row]!, isStale: columns.isStale(row), histogram }, true);
  }
  to.end(start);
}
