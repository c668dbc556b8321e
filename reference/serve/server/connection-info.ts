import type { TLSSocket } from "node:tls";
import type { Duplex } from "node:stream";
import type { ClientCertificate, ConnectionInfo as Info, ResetCode, TlsInfo } from "../../http/index.ts";
import { certificateIn, isTls, problemOf } from "../../io/index.ts";

/** A socket, as far as it describes its peer. */
type Described = Duplex & Partial<Pick<TLSSocket, "remoteAddress" | "remotePort">>;
type Connected = { readonly drive: { readonly socket: Described; shutdown(): void; destroy(): void }; abort(code: ResetCode): void };

/** A connection, as seen by handlers. */
export class ConnectionInfo implements Info {
  readonly id: number;
  readonly #of: Connected;
  #client: ClientCertificate | undefined;

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
    return isTls(socket) ? new Tls(socket, () => (this.#client ??= certificateOf(socket))) : undefined;
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

/** What TLS negotiated on a socket, read on demand: decoding a certificate costs as much as a request. */
class Tls implements TlsInfo {
  readonly #socket: TLSSocket;
  readonly #client: () => ClientCertificate | undefined;

  constructor(socket: TLSSocket, client: () => ClientCertificate | undefined) {
    this.#socket = socket;
    this.#client = client;
  }

  get version(): string {
    return this.#socket.getProtocol() ?? "";
  }
  get cipher(): string {
    return this.#socket.getCipher().name;
  }
  get servername(): string | undefined {
    const { servername } = this.#socket;
    return typeof servername === "string" ? servername : undefined;
  }
  get isResumed(): boolean {
    return this.#socket.isSessionReused();
  }
  get client(): ClientCertificate | undefined {
    return this.#client();
  }
  /** Its members are getters, which JSON would leave out. */
  toJSON(): TlsInfo {
    const { version, cipher, servername, isResumed, client } = this;
    return { version, cipher, servername, isResumed, client };
  }
}

function certificateOf(socket: TLSSocket): ClientCertificate | undefined {
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? undefined : certificateIn(certificate, problemOf(socket));
}
