import type { Socket } from "node:net";
import type { HttpConfig } from "../../metrics/config/index.ts";
import type { ClientResponse } from "../client/exchange.ts";
import { createClient, type HttpClient } from "../client/pool.ts";
import type { ClientOptions } from "../client/options.ts";
import type { ClientRequest } from "../client/request.ts";
import { discard } from "./content.ts";

type Field = readonly [name: string, value: string];

/** Requests through a proxy (rfc9110#9.3.6, rfc9112#3.2.2). */
export class ProxyHop {
  readonly #client: HttpClient;
  readonly #connectHeader: HttpConfig["proxy_connect_header"];

  constructor(options: ClientOptions, connectHeader: HttpConfig["proxy_connect_header"]) {
    this.#client = createClient({ ...options, alpn: ["http/1.1"] });
    this.#connectHeader = connectHeader;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Sends a request for a URL with http: to a proxy. */
  forward(proxy: string, url: string, request: ClientRequest & { readonly fields: readonly Field[] }): Promise<ClientResponse> {
    const { host } = new URL(url);
    const at = placeOf(proxy);
    return this.#client.request(at.url, { ...request, target: url, authority: host, fields: [...request.fields, ...at.fields] });
  }

  /** A connection through a proxy to a host, unless `signal` ends the attempt. */
  async tunnel(proxy: string, authority: string, signal: AbortSignal): Promise<Socket> {
    const at = placeOf(proxy);
    const more = Object.entries(this.#connectHeader).flatMap(([name, values]) =>
      values.map((value): Field => [name.toLowerCase(), value.reveal()]),
    );
    const response = await this.#client
      .request(at.url, { method: "CONNECT", authority, fields: [...at.fields, ...more], signal })
      .catch((error: unknown) => {
        throw signal.aborted ? new Error(`the proxy ${at.url} did not answer before the attempt was over`, { cause: error }) : error;
      });
    if (response.switched === undefined) {
      discard(response.body);
      throw new Error(`the proxy ${at.url} refuses a connection to ${authority}: it answers with ${response.status}`);
    }
    const { socket, rest } = response.switched;
    if (rest.length > 0) socket.unshift(rest);
    return socket as Socket;
  }
}

/** The URL of a proxy without its credentials, and the field that has them. */
function placeOf(proxy: string): { readonly url: string; readonly fields: readonly Field[] } {
  const { protocol, username, password, host } = new URL(proxy);
  if (protocol !== "http:" && protocol !== "https:") throw new Error(`proxies with ${protocol} are not supported`);
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const isKnown = username !== "" || password !== "";
  return {
    url: `${protocol}//${host}`,
    fields: isKnown ? [["proxy-authorization", `Basic ${Buffer.from(pair).toString("base64")}`]] : [],
  };
}
