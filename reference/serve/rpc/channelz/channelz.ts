import { pageOf, Registry } from "../../../rpc/channelz/index.ts";
import { CallFailed, Status } from "../../../rpc/index.ts";
import { implement, type Implemented } from "../server.ts";
import { CHANNELZ } from "./contract.ts";
import { channelMessage, serverMessage, socketMessage, socketRef, subchannelMessage } from "./messages.ts";

/**
 * What this process shows of its channels and servers: give it to `openChannel` and `serveRpc` as `channelz`, and its service to a server that
 * operators reach. It tells about peers: their addresses and certificates.
 */
export class Channelz {
  /** What is known; `openChannel` and `serveRpc` add to it. */
  readonly registry = new Registry(() => Date.now());

  /** The service `grpc.channelz.v1.Channelz` (A14). A page has at most 100 entities. */
  service(): Implemented {
    const { channels, subchannels, servers, sockets } = this.registry;
    return implement(CHANNELZ, {
      getTopChannels: ({ startChannelId: start, maxResults }: Page) => {
        const { page, end } = paged(channels, start, maxResults);
        return { channel: page.map(channelMessage), end };
      },
      getServers: ({ startServerId: start, maxResults }: Page) => {
        const { page, end } = paged(servers, start, maxResults);
        return { server: page.map(serverMessage), end };
      },
      getServerSockets: ({ serverId, startSocketId: start, maxResults }: Page) => {
        const { page, end } = paged(found(servers, serverId, "server").sockets, start, maxResults);
        return { socketRef: page.map(socketRef), end };
      },
      getServer: ({ serverId }: Page) => ({ server: serverMessage(found(servers, serverId, "server")) }),
      getChannel: ({ channelId }: Page) => ({ channel: channelMessage(found(channels, channelId, "channel")) }),
      getSubchannel: ({ subchannelId }: Page) => ({ subchannel: subchannelMessage(found(subchannels, subchannelId, "subchannel")) }),
      getSocket: ({ socketId }: Page) => ({ socket: socketMessage(found(sockets, socketId, "socket")) }),
    });
  }
}

type Page = Readonly<Record<string, bigint>>;

function paged<Entity extends { readonly id: number }>(
  all: ReadonlyMap<number, Entity>,
  start = 0n,
  most = 0n,
): ReturnType<typeof pageOf<Entity>> {
  if (most < 0n) throw new CallFailed(Status.INVALID_ARGUMENT, "max_results is negative: leave it out for as many as a page has.");
  return pageOf(all, start, most);
}
function found<Entity>(all: ReadonlyMap<number, Entity>, id = 0n, what: string): Entity {
  const one = all.get(Number(id));
  if (one === undefined) throw new CallFailed(Status.NOT_FOUND, `There is no ${what} ${id}.`);
  return one;
}
