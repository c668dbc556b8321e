import { Misuse } from "../../core/index.ts";
import { isAuthority, type Response } from "../../http/index.ts";
import type { Handler } from "../handler.ts";

/** A request for an authority that this server does not answer for (rfc9110#15.5.20). */
const MISDIRECTED: Response = {
  status: 421,
  fields: [["content-type", "text/plain"]],
  body: "This server does not answer for that host.\n",
};

/**
 * One handler out of several, by the host that a request is for (rfc9110#7.2): `{ "example.com": a, "*.example.com": b }`. A name stands
 * for every port, case does not count, and `*.` stands for one or more labels; the exact name goes before the longest wildcard. What no
 * name matches is answered by `otherwise`, with 421 by default: who asks for another host does not get this one's content.
 */
export function virtualHosts(hosts: Readonly<Record<string, Handler>>, otherwise: Handler = () => MISDIRECTED): Handler {
  const exact = new Map<string, Handler>();
  const wild: (readonly [suffix: string, handler: Handler])[] = [];
  for (const [name, handler] of Object.entries(hosts)) {
    const isWild = name.startsWith("*.");
    const host = (isWild ? name.slice(2) : name).toLowerCase();
    if (host === "" || host !== hostOf(host) || !isAuthority(host)) {
      throw new Misuse(`"${name}" is no name of a host: give one without a port, such as example.com or *.example.com`);
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

/** The authority without its port; a dot at the end is the root of all names, and says nothing. */
const hostOf = (authority: string): string => authority.replace(/:\d*$/, "").replace(/\.$/, "");
