import { once } from "node:events";
import type { Duplex } from "node:stream";
import { Fields, type Body, type Content } from "../../http/index.ts";
import type { Switched } from "../handler.ts";
import { bytesOf } from "./body.ts";

/**
 * What a client sends through a tunnel, as the content of its CONNECT. HTTP/2 has it so (rfc9113#8.5), and a handler need not know that
 * HTTP/1.1 has handed over its connection (rfc9110#9.3.6). It is empty before the answer.
 */
export class TunnelBody implements Body {
  readonly #switched = Promise.withResolvers<Switched | undefined>();

  /** The tunnel is open. */
  open(switched: Switched): void {
    this.#switched.resolve(switched);
  }
  /** There is no tunnel. */
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
    // Leaving the loop must not cut the other direction.
    yield* switched.socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    return undefined;
  }
  bytes(limit?: number): Promise<Uint8Array> {
    return bytesOf(this, limit);
  }
  async text(limit?: number): Promise<string> {
    return new TextDecoder().decode(await this.bytes(limit));
  }
}

/** Sends content through a tunnel, then its end. An error of the content breaks the tunnel, and goes to its reader and to `failed`. */
export async function pour(content: Content | undefined, socket: Duplex, failed: (error: unknown) => void = () => {}): Promise<void> {
  try {
    if (typeof content === "string" || content instanceof Uint8Array) socket.write(content);
    else if (content !== undefined) {
      for await (const chunk of content) if (!socket.destroyed && !socket.write(chunk)) await room(socket);
    }
    socket.end();
  } catch (error) {
    // Content that fails because the peer has left is not at fault.
    if (socket.destroyed) return;
    socket.destroy(error instanceof Error ? error : new Error("the content failed", { cause: error }));
    failed(error);
  }
}

/** Resolves when the socket is writable again, or closed. */
async function room(socket: Duplex): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(socket, "drain", { signal }), once(socket, "close", { signal })]);
  waiting.abort();
}
