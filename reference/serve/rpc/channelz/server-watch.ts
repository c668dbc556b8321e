import { X509Certificate } from "node:crypto";
import type { ConnectionInfo } from "../../../http/index.ts";
import type { Filter, Link } from "../../../io/index.ts";
import type { Registry, ServerRecord, SocketInfo, SocketRecord } from "../../../rpc/channelz/index.ts";
import type { ServeOptions, Server } from "../../server/options.ts";
import type { CallWatch } from "../call-watch.ts";
import { addressOf } from "./address.ts";

/** Keeps what channelz shows of one server. */
export class ServerWatch {
  readonly #registry: Registry;
  readonly #record: ServerRecord;
  readonly #sockets = new WeakMap<ConnectionInfo, SocketRecord>();
  #server: Server | undefined;

  constructor(registry: Registry, name: string) {
    this.#registry = registry;
    this.#record = registry.addServer(name);
  }

  /** Notices when a connection begins and ends; passes everything on. Faults on all connections take its place. */
  filter(given: ServeOptions["filter"]): NonNullable<ServeOptions["filter"]> {
    return (connection, link) => {
      const inner = given?.(connection, link) ?? passing(link);
      return {
        outgoing: (pieces) => inner.outgoing(pieces),
        incoming: (bytes) => {
          // Only now the connection has its socket.
          if (!this.#sockets.has(connection)) this.#begins(connection);
          inner.incoming(bytes);
        },
        ...(inner.finish !== undefined && { finish: (end: () => void) => inner.finish?.(end) }),
        closed: () => {
          const socket = this.#sockets.get(connection);
          if (socket !== undefined) this.#registry.removeSocket(this.#record.sockets, socket);
          inner.closed?.();
        },
      };
    };
  }
  #begins(connection: ConnectionInfo): void {
    const info = (): SocketInfo => this.#infoOf(connection);
    this.#sockets.set(connection, this.#registry.addSocket(this.#record.sockets, { name: remoteOf(connection), isClient: false, info }));
  }
  #infoOf({ remoteAddress, remotePort, tls }: ConnectionInfo): SocketInfo {
    const remote = addressOf(remoteAddress, remotePort);
    const local = addressOf(this.#server?.address, this.#server?.port);
    const security = tls && { cipher: tls.cipher, local: derOf(this.#server?.certificate), remote: tls.client?.der };
    return { local, remote, security, remoteName: tls?.client?.subject };
  }

  /** A call has begun on a connection. */
  call(connection: ConnectionInfo): CallWatch {
    const socket = this.#sockets.get(connection);
    this.#record.begin();
    if (socket !== undefined) this.#registry.begin(socket);
    return {
      sent: () => socket?.sent(),
      received: () => socket?.received(),
      ended: (how) => {
        this.#record.calls.end(how === "good");
        socket?.streams.end(how === "good" || how === "bad");
      },
    };
  }

  /** The server, once it listens: shown until it is closed. */
  async watched(serving: Promise<Server>): Promise<Server> {
    try {
      const server = await serving;
      this.#listens(server);
      const close = async (): Promise<void> => {
        this.#record.note("info", "accepts no further connections");
        await server.close();
        this.#registry.removeServer(this.#record);
      };
      const { url, address, port, certificate } = server;
      return {
        url,
        address,
        port,
        certificate,
        get connections() {
          return server.connections;
        },
        close,
        [Symbol.asyncDispose]: close,
      };
    } catch (error) {
      this.#registry.removeServer(this.#record);
      throw error;
    }
  }
  #listens(server: Server): void {
    this.#server = server;
    const { address, port } = server;
    const name = `${address}:${port}`;
    this.#registry.addSocket(this.#record.listening, { name, isClient: false, info: () => ({ local: addressOf(address, port) }) });
    this.#record.note("info", `listens at ${name}`);
  }
}

const passing = (link: Link): Filter => ({ outgoing: (pieces) => link.write(pieces), incoming: (bytes) => link.receive(bytes) });
const remoteOf = ({ remoteAddress = "unknown", remotePort = 0 }: ConnectionInfo): string => `${remoteAddress}:${remotePort}`;
const derOf = (pem: string | undefined): Uint8Array | undefined => (pem === undefined ? undefined : new X509Certificate(pem).raw);
