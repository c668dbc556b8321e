import type { Metadata } from "../../rpc/index.ts";

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
  /** Only the first end counts. The trailers are those that came with a status. */
  ended(how: CallEnd, trailers?: Metadata): void;
};

/** What a policy learns of an attempt. */
export type Judge = (isGood: boolean, trailers: Metadata | undefined) => void;

/** A call of one attempt: counted by a record of it, and judged by a policy, as far as there are such. */
export function watchOf(
  record: { readonly socket: Omit<CallWatch, "ended">; ended(how: CallEnd): void } | undefined,
  judge: Judge | undefined,
): CallWatch | undefined {
  if (judge === undefined && record === undefined) return undefined;
  let isOver = false;
  return {
    sent: () => record?.socket.sent(),
    received: () => record?.socket.received(),
    ended: (how, trailers) => {
      if (isOver) return;
      isOver = true;
      record?.ended(how);
      // What this end leaves says nothing of the server.
      if (how !== "left") judge?.(how === "good", trailers);
    },
  };
}

/** Passes on what a call sends, and counts it. */
export async function* counted<Message>(messages: AsyncIterable<Message>, watch: CallWatch): AsyncGenerator<Message, undefined> {
  for await (const message of messages) {
    watch.sent();
    yield message;
  }
  return undefined;
}
