import type { Server } from "./options.ts";

/** A server that forwards everything to another one; a subclass overrides what differs. */
export class ForwardingServer implements Server {
  readonly #server: Server;
  constructor(server: Server) {
    this.#server = server;
  }
  get url(): string {
    return this.#server.url;
  }
  get address(): string {
    return this.#server.address;
  }
  get port(): number {
    return this.#server.port;
  }
  get connections(): number {
    return this.#server.connections;
  }
  get certificate(): string | undefined {
    return this.#server.certificate;
  }
  close(): Promise<void> {
    return this.#server.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
