import { Misuse } from "../../core/index.ts";
import { isAuthority, type Response } from "../../http/index.ts";
import type { Handler } from "../handler.ts";

/** The response to a request for another server's authority (rfc9110#15.5.20). */
const MISDIRECTED: Response = {
  status: 421,
  fields: [["content-type", "text/plain"]],
  body: "This server does not serve that host.\n",
};

/**
 * Selects a handler by the host of a request (rfc9110#7.2): `{ "example.com": a, "*.example.com": b }`. A name matches any port and any
 * case, and `*.` matches one or more labels; an exact name wins over a wildcard, and a longer wildcard over a shorter one. `otherwise`
 * handles all other hosts; by default it answers 421, so that a request for another host does not get this one's content.
 */
export function virtualHosts(hosts: Readonly<Record<string, Handler>>, otherwise: Handler = () => MISDIRECTED): Handler {
  const exact = new Map<string, Handler>();
  const wild: (readonly [suffix: string, handler: Handler])[] = [];
  for (const [name, handler] of Object.entries(hosts)) {
    const isWild = name.startsWith("*.");
    const host = (isWild ? name.slice(2) : name).toLowerCase();
    if (host === "" || host !== hostOf(host) || !isAuthority(host)) {
      throw new Misuse(`"${name}" is not a host name: give one without a port, such as example.com or *.example.com`);
    }
    if (isWild) wild.push([`.${host}`, handler]);
    else exact.set(host, handler);
  }
  wild.sort(([one], [other]) => other.length - one.length);
  return (request, exchange) => {
    const host = hostOf(request.authority.toLowerCase());
    const handler = exact.get(host) ?? wild.find(([suffix]) => host.endsWith(suffix))?.[1] ?? otherwise;
    return handler(request, exchange);
  };
}

/** The authority without its port, and without the dot of the DNS root. */
const hostOf = (authority: string): string => authority.replace(/:\d*$/, "").replace(/\.$/, "");
