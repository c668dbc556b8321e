import type { TLSSocket } from "node:tls";
import type { ChannelRecord, Registry, SocketInfo, SocketRecord, SubchannelRecord } from "../../../rpc/channelz/index.ts";
import type { ConnectivityState } from "../../../rpc/index.ts";
import type { AnyClientConnection } from "../../client/connection.ts";
import type { CallEnd } from "../call-watch.ts";
import { addressOf } from "./address.ts";

/** Keeps what channelz shows of one channel. */
export class ChannelWatch {
  readonly #registry: Registry;
  readonly #record: ChannelRecord;
  readonly #most: number;
  /** By the key of their address. */
  readonly #subchannels = new Map<string, SubchannelRecord>();
  readonly #sockets = new WeakMap<AnyClientConnection, { readonly subchannel: SubchannelRecord; readonly socket: SocketRecord }>();

  /** @param most The most connections to one address. */
  constructor(
    registry: Registry,
    { name: target, most }: { readonly name: string; readonly most: number },
    state: () => ConnectivityState,
  ) {
    this.#registry = registry;
    this.#most = most;
    this.#record = registry.addChannel(target, state);
  }

  /** The addresses of the channel have been looked up. */
  found(keys: readonly string[]): void {
    this.#record.note("info", `the name has ${keys.length === 1 ? "one address" : `${keys.length} addresses`}`);
    const wanted = new Set(keys);
    for (const [key, subchannel] of this.#subchannels) {
      if (wanted.has(key)) continue;
      this.#subchannels.delete(key);
      this.#registry.removeSubchannel(this.#record, subchannel);
    }
    for (const key of wanted)
      if (!this.#subchannels.has(key)) this.#subchannels.set(key, this.#registry.addSubchannel(this.#record, key, this.#most));
  }
  notFound(why: string): void {
    this.#record.note("warning", `the name was not found: ${why}`);
  }
  becomes(key: string, state: ConnectivityState, why?: string): void {
    this.#subchannels.get(key)?.becomes(state, why);
  }
  connected(key: string, connection: AnyClientConnection): void {
    const subchannel = this.#subchannels.get(key);
    if (subchannel === undefined) return;
    subchannel.becomes("READY");
    const socket = this.#registry.addSocket(subchannel.sockets, { name: key, isClient: true, info: () => infoOf(connection) });
    this.#sockets.set(connection, { subchannel, socket });
  }
  /** The connection has ended. */
  gone(connection: AnyClientConnection): void {
    const known = this.#sockets.get(connection);
    if (known !== undefined) this.#registry.removeSocket(known.subchannel.sockets, known.socket);
  }

  /** A call of the channel begins; the result is called with whether it was good when it is over. */
  call(): (isGood: boolean) => void {
    this.#record.begin();
    let isOver = false;
    return (isGood) => {
      if (!isOver) this.#record.calls.end(isGood);
      isOver = true;
    };
  }
  /** An attempt begins on a connection. */
  attempt(connection: AnyClientConnection): { readonly socket: SocketRecord; ended(how: CallEnd): void } | undefined {
    const known = this.#sockets.get(connection);
    if (known === undefined) return undefined;
    const { subchannel, socket } = known;
    subchannel.begin();
    this.#registry.begin(socket);
    return {
      socket,
      ended: (how) => {
        subchannel.calls.end(how === "good");
        socket.streams.end(how === "good" || how === "bad");
      },
    };
  }

  closed(): void {
    this.#registry.removeChannel(this.#record);
  }
}

type Socket = Partial<TLSSocket>;
function infoOf({ drive }: AnyClientConnection): SocketInfo {
  const socket = drive as unknown as { readonly socket?: Socket };
  const { localAddress, localPort, remoteAddress, remotePort } = socket.socket ?? {};
  const cipher = socket.socket?.getCipher?.()?.name;
  return {
    local: addressOf(localAddress, localPort),
    remote: addressOf(remoteAddress, remotePort),
    ...(cipher !== undefined && { security: { cipher, local: undefined, remote: socket.socket?.getPeerCertificate?.()?.raw } }),
  };
}
