import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Duplex } from "node:stream";
import type { ErrorCode, Machine } from "../http2/index.ts";
import type { Drive } from "../io/index.ts";

type Connected = { readonly drive: Drive; readonly machine: Machine };

/** One connection, as a handler sees it. */
export class ConnectionInfo {
  /** Counts the connections of a server, from 1. */
  readonly id: number;
  readonly #of: Connected;

  constructor(id: number, of: Connected) {
    this.id = id;
    this.#of = of;
  }

  get remoteAddress(): string | undefined {
    return (this.#socket as Socket).remoteAddress;
  }
  get remotePort(): number | undefined {
    return (this.#socket as Socket).remotePort;
  }
  /** What TLS has agreed on; undefined in clear text. */
  get tls(): { readonly version: string; readonly cipher: string; readonly servername: string | undefined } | undefined {
    const socket = this.#socket as Partial<TLSSocket>;
    if (socket.encrypted !== true) return undefined;
    const { servername } = socket;
    return {
      version: socket.getProtocol?.() ?? "",
      cipher: socket.getCipher?.().name ?? "",
      servername: typeof servername === "string" ? servername : undefined,
    };
  }
  /** Asks the client to open no more streams, and ends the connection after those that are open (rfc9113#6.8). */
  shutdown(): void {
    this.#of.drive.shutdown();
  }
  /** Ends the connection at once, with a code. */
  abort(code: ErrorCode): void {
    this.#machine.abort(code);
    this.#of.drive.wake();
  }
  /** Drops the transport without a word. */
  destroy(): void {
    this.#of.drive.destroy();
  }

  get #socket(): Duplex {
    return this.#of.drive.socket;
  }
  get #machine(): Machine {
    return this.#of.machine;
  }
}
