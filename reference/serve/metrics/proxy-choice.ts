import { BlockList, isIP } from "node:net";

/** Which proxy a request goes through (Prometheus docs, configuration/configuration.md, `<http_config>`). */

export type ProxySettings = {
  readonly proxy_url?: string | undefined;
  readonly no_proxy?: string | undefined;
  readonly proxy_from_environment: boolean;
};
type Environment = Readonly<Record<string, string | undefined>>;

/** The URL of the proxy for a target; undefined if there is none. */
export function proxyFor(
  target: string,
  { proxy_url, no_proxy, proxy_from_environment }: ProxySettings,
  env: Environment,
): string | undefined {
  const url = new URL(target);
  if (!proxy_from_environment) {
    if (!proxy_url || (no_proxy && isExcluded(url, no_proxy))) return undefined;
    return proxy_url;
  }
  const own = (name: string): string | undefined => env[name] || env[name.toLowerCase()];
  const found = own(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (found === undefined || isExcluded(url, own("NO_PROXY") ?? "")) return undefined;
  return found.includes("://") ? found : `http://${found}`;
}

/** Whether a list of hosts, networks and domains, each with an optional port, has the target. This machine itself always counts as one. */
function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  const at = port || (protocol === "https:" ? "443" : "80");
  if (host === "localhost" || (isIP(host) !== 0 && contains("127.0.0.0/8", host)) || host === "::1") return true;
  return list.split(",").some((entry) => {
    const one = entry.trim().toLowerCase();
    if (one === "*") return true;
    if (one.includes("/")) return isIP(host) !== 0 && contains(one, host);
    const [, name = "", onlyPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(one) ?? [];
    const wanted = name.replace(/^\[|\]$/g, "").replace(/^\*(?=\.)/, "");
    if (wanted === "" || (onlyPort !== undefined && onlyPort !== at)) return false;
    return wanted.startsWith(".") ? host.endsWith(wanted) : host === wanted || (isIP(wanted) === 0 && host.endsWith(`.${wanted}`));
  });
}

/** Whether a network such as `10.0.0.0/8` has an address. */
function contains(network: string, address: string): boolean {
  const [base = "", bits = ""] = network.split("/");
  const kind = (ip: string): "ipv4" | "ipv6" => (isIP(ip) === 4 ? "ipv4" : "ipv6");
  if (isIP(base) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (isIP(base) === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), kind(base));
  return list.check(address, kind(address));
}
