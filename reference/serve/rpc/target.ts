import { isIP } from "node:net";
import { Misuse } from "../../core/index.ts";
import { addressesOf, fromUrl, inUrl } from "../../io/index.ts";
import type { Address } from "../../rpc/index.ts";
import { type Destination, placeOf } from "../client/dial.ts";
import { ConnectFailed } from "../errors.ts";

/** A server of a channel among several: its URL, and its share of the calls where a policy weighs. */
export type WeightedUrl = { readonly url: string | URL; readonly weight: number };
/**
 * Where the server of a channel is: an `http:` or `https:` URL, several of them, `dns:///host:port` (every address of the name, looked up again
 * when connections fail; `dns://192.0.2.1:53/host:port` asks that server of names), or `unix:path`. The last two use TLS if `tls` is given.
 */
export type ChannelTarget = string | URL | readonly (string | URL | WeightedUrl)[];

/** An address with the way there. */
export type Located = Address & { readonly destination: Destination };
export type Target = {
  /** For messages. */
  readonly name: string;
  /** The name that is looked up, and the servers of names that are asked; the system's by default. */
  readonly looksUp?: { readonly name: string; readonly servers?: readonly string[] };
  /** Known from the begin, or looked up. */
  readonly addresses: readonly Located[] | (() => Promise<readonly Located[]>);
};

/** The most addresses of a name that are used. */
const MOST = 1_000;

export function targetOf(target: ChannelTarget, isSecure: boolean): Target {
  if (typeof target !== "string" && !(target instanceof URL)) {
    if (target.length === 0) throw new Misuse("a channel needs at least one server: the list is empty");
    const listed = target.map((one) => (typeof one === "string" || one instanceof URL ? located(one, 1) : located(one.url, one.weight)));
    const schemes = new Set(listed.map(({ destination }) => destination.isSecure));
    if (schemes.size > 1) throw new Misuse("the servers of a channel must be all http: or all https:");
    return { name: listed.map(({ key }) => key).join(", "), addresses: unique(listed) };
  }
  const text = String(target);
  if (/^dns:/i.test(text)) return dns(text, isSecure);
  if (/^unix:/i.test(text)) return unix(text, isSecure);
  return { name: text, addresses: [located(target, 1)] };
}

function located(url: string | URL, weight: number): Located {
  if (!(weight > 0 && Number.isFinite(weight))) throw new Misuse(`the weight ${weight} of ${String(url)} must be a number above 0`);
  const destination = placeOf(url);
  return { key: `${inUrl(destination.host)}:${destination.port}`, family: familyOf(destination.host), weight, destination };
}
const familyOf = (host: string): 0 | 4 | 6 => isIP(host) as 0 | 4 | 6;
const unique = (list: readonly Located[]): Located[] => [...new Map(list.map((one) => [one.key, one])).values()];
const originOf = (authority: string, isSecure: boolean) => ({ scheme: isSecure ? "https" : "http", authority });

function dns(text: string, isSecure: boolean): Target {
  const match = /^dns:(?:\/\/([^/]*)\/)?([^/]+)$/i.exec(text);
  const url = match === null ? null : URL.parse(`http://${match[2]!}`);
  if (match === null || url === null || url.hostname === "") throw new Misuse(`"${text}" is not a name: give dns:///host:port`);
  const [, server = ""] = match;
  if (server !== "" && isIP(fromUrl(URL.parse(`http://${server}`)?.hostname ?? "")) === 0)
    throw new Misuse(`"${text}" names a server of names that is not an address: give dns://192.0.2.1:53/${match[2]!}`);
  const servers = server === "" ? {} : { servers: [server] };
  const name = fromUrl(url.hostname);
  const port = Number(/:(\d+)$/.exec(match[2]!)?.[1] ?? (isSecure ? 443 : 80));
  const origin = originOf(match[2]!, isSecure);
  const at = (address: string): Located => ({
    key: `${inUrl(address)}:${port}`,
    family: familyOf(address),
    destination: { host: address, port, name, isSecure, origin },
  });
  if (isIP(name) !== 0) return { name: text, addresses: [at(name)] };
  return {
    name: text,
    looksUp: { name, ...servers },
    addresses: async () => {
      try {
        return unique((await addressesOf(name, servers.servers)).slice(0, MOST).map(({ address }) => at(address)));
      } catch (cause) {
        throw new ConnectFailed(
          "unreachable",
          `the name ${name} has no address (${(cause as NodeJS.ErrnoException).code ?? "error"})`,
          cause,
        );
      }
    },
  };
}

function unix(text: string, isSecure: boolean): Target {
  const path = text.slice("unix:".length).replace(/^\/\/(?=\/)/, "");
  if (path === "" || path.startsWith("//")) throw new Misuse(`"${text}" is not a socket: give unix:path, or unix:///path`);
  const destination = { host: "localhost", port: 0, unix: path, isSecure, origin: originOf("localhost", isSecure) };
  return { name: text, addresses: [{ key: text, family: 0, destination }] };
}
