import { readFileSync } from "node:fs";
import type { ClientTls } from "../../io/index.ts";
import type { HttpConfig } from "../../metrics/config/index.ts";
import { createClient, type HttpClient } from "../client/pool.ts";

export type AccessOptions = {
  readonly connectMs: number;
  readonly keepMs: number;
  /** Connections to one server; those of the client by default. */
  readonly connections?: number;
};

/** A client with the certificates of a configuration, whose files are read when they are needed: they may change at any time. */
export class TlsClient {
  readonly #config: Pick<HttpConfig, "tls_config" | "enable_http2">;
  readonly #options: AccessOptions;
  #known: { readonly client: HttpClient; readonly material: string } | undefined;

  constructor(config: Pick<HttpConfig, "tls_config" | "enable_http2">, options: AccessOptions) {
    this.#config = config;
    this.#options = options;
  }

  async close(): Promise<void> {
    await this.#known?.client.close();
  }

  /** The client; another one when a file with a certificate has changed. */
  get(): HttpClient {
    const tls = this.#tls();
    const material = JSON.stringify(tls);
    if (this.#known?.material === material) return this.#known.client;
    void this.#known?.client.close();
    const { connectMs, keepMs, connections } = this.#options;
    const client = createClient({
      alpn: this.#config.enable_http2 ? ["h2", "http/1.1"] : ["http/1.1"],
      tls,
      connectMs,
      keepMs,
      graceMs: 0,
      ...(connections !== undefined && { maxConnections: connections }),
    });
    this.#known = { client, material };
    return client;
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

const fileText = (path: string): string => readFileSync(path, "utf8");
/** The text of a file with a secret, without the end of its line. */
export const secretIn = (path: string): string => fileText(path).trim();
