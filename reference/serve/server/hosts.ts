import { entryFor, type HostTls } from "../../io/index.ts";
import type { Response } from "../../http/index.ts";
import type { Handler } from "../handler.ts";

const MISDIRECTED: Response = {
  status: 421,
  fields: [["content-type", "text/plain"]],
  body: "This connection belongs to another host: open a new one.\n",
};

/**
 * Answers 421 to requests for a host whose TLS settings are not those of the connection (rfc9110#7.4, rfc9110#15.5.20): a client that
 * connects to a host without client certificates must not reach one that requires them.
 */
export function forItsHost(handler: Handler, hosts: Readonly<Record<string, HostTls>>): Handler {
  const names = new Set(Object.keys(hosts));
  return (request, exchange) => {
    // The authority of a plain CONNECT is the far end of a tunnel (rfc9110#9.3.6).
    const isTunnel = request.method === "CONNECT" && request.protocol === undefined;
    const asked = isTunnel || request.authority === "" ? undefined : { host: hostOf(request.authority) };
    if (asked !== undefined && entryFor(asked.host, names) !== entryFor(exchange.connection.tls?.servername, names)) return MISDIRECTED;
    return handler(request, exchange);
  };
}

const hostOf = (authority: string): string => authority.replace(/:\d*$/, "");
