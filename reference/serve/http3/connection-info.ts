import type { ClientCertificate, ConnectionInfo, ResetCode, TlsInfo } from "../../http/index.ts";
import { certificateIn } from "../../io/index.ts";
import type { QuicConnection } from "../../quic/index.ts";
import type { Agreed } from "./handshake.ts";

type Connected = {
  readonly quic: QuicConnection;
  readonly drive: { shutdown(): void; destroy(): void };
  abort(code: ResetCode): void;
};

/** A connection in HTTP/3, as seen by handlers. */
export class Http3ConnectionInfo implements ConnectionInfo {
  readonly id: number;
  readonly #of: Connected;
  readonly #agreed: Agreed;
  #client: ClientCertificate | undefined;

  constructor(id: number, of: Connected, agreed: Agreed) {
    this.id = id;
    this.#of = of;
    this.#agreed = agreed;
  }

  get remoteAddress(): string {
    return this.#of.quic.remote.host;
  }
  get remotePort(): number {
    return this.#of.quic.remote.port;
  }
  get tls(): TlsInfo {
    const { suite, serverName, resumed, chain, problem } = this.#agreed;
    const [own] = chain;
    if (own !== undefined) this.#client ??= certificateIn(own, problem);
    return { version: "TLSv1.3", cipher: suite, servername: serverName, isResumed: resumed, client: this.#client };
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
}
