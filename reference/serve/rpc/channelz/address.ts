import { ipOctets, type SocketAddress } from "../../../rpc/channelz/index.ts";

/** An end of a connection as the transport names it. */
export function addressOf(address: string | undefined, port: number | undefined): SocketAddress | undefined {
  if (address === undefined) return undefined;
  const octets = ipOctets(address);
  return octets === undefined || port === undefined ? { is: "other", name: address } : { is: "ip", octets, port };
}
