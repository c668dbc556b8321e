import type { TLSSocket } from "node:tls";
import type { Duplex } from "node:stream";
import type { ConnectionInfo as Info, ResetCode } from "../../http/index.ts";

/** A socket, as far as it describes its peer. */
type Described = Duplex &
  Partial<Pick<TLSSocket, "remoteAddress" | "remotePort" | "encrypted" | "servername" | "getProtocol" | "getCipher">>;
type Connected = { readonly drive: { readonly socket: Described; shutdown(): void; destroy(): void }; abort(code: ResetCode): void };

/** A connection, as seen by handlers. */
export class ConnectionInfo implements Info {
  readonly id: number;
  readonly #of: Connected;

  constructor(id: number, of: Connected) {
    this.id = id;
    this.#of = of;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }
  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }
  get tls(): Info["tls"] {
    const socket = this.#socket;
    if (socket.encrypted !== true) return undefined;
    const { servername } = socket;
    return {
      version: socket.getProtocol?.() ?? "",
      cipher: socket.getCipher?.().name ?? "",
      servername: typeof servername === "string" ? servername : undefined,
    };
  }
  shutdown(): void {
    this.#of.drive.shutdown();
  }
  abort(code: ResetCode): void {
    this.#of.abort(code);
  }
  destroy(): void {
    this.#of.drive.destroy();
  }

  get #socket(): Described {
    return this.#of.drive.socket;
  }
}
