/**
 * How a call, or an attempt of it, has ended: with the status OK, with another status, without one because the stream broke, or because this
 * end left it.
 */
export type CallEnd = "good" | "bad" | "broken" | "left";

/** Hears of each message of a call, or of one attempt of it, and of its end. */
export type CallWatch = {
  /** A message has been sent. */
  sent(): void;
  /** A message has been received. */
  received(): void;
  /** Only the first end counts. */
  ended(how: CallEnd): void;
};

/** Passes on what a call sends, and counts it. */
export async function* counted<Message>(messages: AsyncIterable<Message>, watch: CallWatch): AsyncGenerator<Message, undefined> {
  for await (const message of messages) {
    watch.sent();
    yield message;
  }
  return undefined;
}
