import { readFileSync } from "node:fs";
import type { ClientTls } from "../../io/index.ts";
import type { HttpConfig } from "../../metrics/config/index.ts";
import type { ClientResponse } from "../client/exchange.ts";
import { createClient, type HttpClient } from "../client/pool.ts";
import type { ClientRequest } from "../client/request.ts";
import { proxyFor } from "./proxy-choice.ts";
import { ProxyHop } from "./proxy-hop.ts";
import { socksTunnel } from "./socks.ts";

/** A header field of a request. */
export type Field = readonly [name: string, value: string];
/** The part of a configuration that says how a request gets to its server. */
type RouteConfig = Pick<
  HttpConfig,
  "tls_config" | "enable_http2" | "proxy_url" | "no_proxy" | "proxy_from_environment" | "proxy_connect_header"
>;

export type AccessOptions = {
  readonly connectMs: number;
  readonly keepMs: number;
  /** Connections to one server; those of the client by default. */
  readonly connections?: number;
};

/** A client with the certificates and proxies of a configuration. Files with certificates are read when they are needed: they may change at any time. */
export class Outgoing {
  readonly #config: RouteConfig;
  readonly #options: AccessOptions;
  #known: { readonly client: HttpClient; readonly hop: ProxyHop; readonly material: string } | undefined;

  constructor(config: RouteConfig, options: AccessOptions) {
    this.#config = config;
    this.#options = options;
  }

  async close(): Promise<void> {
    await this.#end();
  }

  /** Sends a request, through the proxy of its URL if there is one. */
  request(url: string, request: ClientRequest & { readonly fields: readonly Field[] }): Promise<ClientResponse> {
    const { client, hop } = this.#clients();
    const proxy = url.startsWith("http:") ? proxyFor(url, this.#config, process.env) : undefined;
    // Through SOCKS the client speaks to the server itself.
    return proxy === undefined || isSocks(proxy) ? client.request(url, request) : hop.forward(proxy, url, request);
  }

  async #end(): Promise<void> {
    await Promise.all([this.#known?.client.close(), this.#known?.hop.close()]);
  }

  /** The clients; others when a file with a certificate has changed. */
  #clients(): { readonly client: HttpClient; readonly hop: ProxyHop } {
    const tls = this.#tls();
    const material = JSON.stringify(tls);
    if (this.#known?.material === material) return this.#known;
    void this.#end();
    const { connectMs, keepMs, connections } = this.#options;
    const own = { tls, connectMs, keepMs, graceMs: 0, ...(connections !== undefined && { maxConnections: connections }) };
    const hop = new ProxyHop(own, this.#config.proxy_connect_header);
    const client = createClient({
      ...own,
      alpn: this.#config.enable_http2 ? ["h2", "http/1.1"] : ["http/1.1"],
      tunnel: (authority, isSecure, signal) => {
        const proxy = proxyFor(`${isSecure ? "https" : "http"}://${authority}`, this.#config, process.env);
        if (proxy !== undefined && isSocks(proxy)) return socksTunnel(proxy, authority, signal);
        return proxy === undefined || !isSecure ? undefined : hop.tunnel(proxy, authority, signal);
      },
    });
    this.#known = { client, hop, material };
    return this.#known;
  }

  #tls(): ClientTls {
    const { ca, ca_file, cert, cert_file, key, key_file, server_name, insecure_skip_verify } = this.#config.tls_config ?? {};
    const [authority, certificate, secret] = [
      ca_file ? fileText(ca_file) : ca,
      cert_file ? fileText(cert_file) : cert,
      key_file ? fileText(key_file) : key?.reveal(),
    ];
    return {
      ...(authority && { ca: authority }),
      ...(certificate && { cert: certificate }),
      ...(secret && { key: secret }),
      ...(server_name && { servername: server_name }),
      ...(insecure_skip_verify === true && { verify: false }),
    };
  }
}

const isSocks = (proxy: string): boolean => /^socks5h?:/.test(proxy);
const fileText = (path: string): string => readFileSync(path, "utf8");
/** The text of a file with a secret, without the end of its line. */
export const secretIn = (path: string): string => fileText(path).trim();
