import { once } from "node:events";
import type { Duplex } from "node:stream";
import { Misuse } from "../../core/index.ts";
import { Fields, type Body, type Content } from "../../http/index.ts";
import type { Switched } from "../handler.ts";

const LIMIT = 16_777_216;

/**
 * What a client sends through a tunnel, as the content of its CONNECT: so it is in HTTP/2 (rfc9113#8.5), and so a handler need not know that
 * HTTP/1.1 has handed its connection over (rfc9110#9.3.6). There is nothing to read before the answer.
 */
export class TunnelBody implements Body {
  readonly #switched = Promise.withResolvers<Switched | undefined>();

  /** The tunnel stands. */
  open(switched: Switched): void {
    this.#switched.resolve(switched);
  }
  /** There will be none. */
  end(): void {
    this.#switched.resolve(undefined);
  }

  get trailers(): Promise<Fields> {
    return this.#switched.promise.then(() => Fields.empty);
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, undefined> {
    const switched = await this.#switched.promise;
    if (switched === undefined) return undefined;
    if (switched.rest.length > 0) yield switched.rest;
    // Leaving the loop must not cut what goes the other way.
    yield* switched.socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    return undefined;
  }
  async bytes(limit = LIMIT): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this) {
      size += chunk.length;
      if (size > limit) throw new Misuse(`the content is longer than ${limit} octets: give a higher limit, or read it piece by piece`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  }
  async text(limit = LIMIT): Promise<string> {
    return new TextDecoder().decode(await this.bytes(limit));
  }
}

/** Sends content through a tunnel, and its end after it. Content that breaks breaks the tunnel: who reads from it is told why, and so is `failed`. */
export async function pour(content: Content | undefined, socket: Duplex, failed: (error: unknown) => void = () => {}): Promise<void> {
  try {
    if (typeof content === "string" || content instanceof Uint8Array) socket.write(content);
    else if (content !== undefined) {
      for await (const chunk of content) if (!socket.destroyed && !socket.write(chunk)) await room(socket);
    }
    socket.end();
  } catch (error) {
    // What waits on a peer that has left fails by that, and has done nothing wrong.
    if (socket.destroyed) return;
    socket.destroy(error as Error);
    failed(error);
  }
}

/** Resolves when the socket takes more, or is no more. */
export async function room(socket: Duplex): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(socket, "drain", { signal }), once(socket, "close", { signal })]);
  waiting.abort();
}
