import type { ConnectivityState } from "../balance/policy.ts";
import { ChannelRecord, ServerRecord, type SocketInit, SocketRecord, SubchannelRecord } from "./records.ts";

/** The most entities of a page; also what a client gets that does not say how many it wants. */
const PAGE = 100;

/** What a process shows of its channels and servers. Numbers are never used again. */
export class Registry {
  readonly #clock: () => number;
  #last = 0;
  readonly channels = new Map<number, ChannelRecord>();
  readonly subchannels = new Map<number, SubchannelRecord>();
  readonly servers = new Map<number, ServerRecord>();
  readonly sockets = new Map<number, SocketRecord>();

  /** @param clock Milliseconds since 1970. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  addChannel(target: string, state: () => ConnectivityState): ChannelRecord {
    return added(this.channels, new ChannelRecord(++this.#last, target, state, this.#clock));
  }
  addSubchannel(channel: ChannelRecord, name: string, most = 1): SubchannelRecord {
    const one = added(this.subchannels, new SubchannelRecord(++this.#last, name, most, this.#clock));
    channel.subchannels.set(one.id, one);
    channel.note("info", `new subchannel ${name}`, one);
    return one;
  }
  addServer(name: string): ServerRecord {
    return added(this.servers, new ServerRecord(++this.#last, name, this.#clock));
  }
  /** Adds a connection of a subchannel, or of a server: one that listens only is in `listening`. */
  addSocket(of: Map<number, SocketRecord>, init: SocketInit): SocketRecord {
    const one = added(this.sockets, new SocketRecord(++this.#last, init, this.#clock));
    of.set(one.id, one);
    return one;
  }
  begin(socket: SocketRecord): void {
    socket.streams.begin(this.#clock());
  }

  removeSocket(of: Map<number, SocketRecord>, { id }: SocketRecord): void {
    this.sockets.delete(id);
    of.delete(id);
  }
  removeSubchannel(channel: ChannelRecord, subchannel: SubchannelRecord): void {
    for (const socket of subchannel.sockets.values()) this.removeSocket(subchannel.sockets, socket);
    this.subchannels.delete(subchannel.id);
    channel.subchannels.delete(subchannel.id);
    channel.note("info", `subchannel ${subchannel.name} is gone`);
  }
  removeChannel(channel: ChannelRecord): void {
    for (const one of channel.subchannels.values()) this.removeSubchannel(channel, one);
    this.channels.delete(channel.id);
  }
  removeServer(server: ServerRecord): void {
    for (const sockets of [server.listening, server.sockets]) for (const one of sockets.values()) this.removeSocket(sockets, one);
    this.servers.delete(server.id);
  }
}

function added<Entity extends { readonly id: number }>(all: Map<number, Entity>, one: Entity): Entity {
  all.set(one.id, one);
  return one;
}

/** The entities from the number `start` on, in ascending order, and whether there are no further ones (A14#continuation-tokens). */
export function pageOf<Entity extends { readonly id: number }>(
  all: ReadonlyMap<number, Entity>,
  start: bigint,
  most: bigint,
): { readonly page: readonly Entity[]; readonly end: boolean } {
  const limit = most <= 0n || most > BigInt(PAGE) ? PAGE : Number(most);
  const page: Entity[] = [];
  // A map keeps the order of its insertions, and numbers only grow.
  for (const one of all.values()) {
    if (BigInt(one.id) < start) continue;
    if (page.length === limit) return { page, end: false };
    page.push(one);
  }
  return { page, end: true };
}
