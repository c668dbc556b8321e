import { readFileSync } from "node:fs";
import type { ClientTls } from "../../io/index.ts";
import type { HttpConfig } from "../../metrics/config/index.ts";
import type { ClientResponse } from "../client/exchange.ts";
import { createClient, type HttpClient } from "../client/pool.ts";
import { discard } from "./content.ts";

/** A header field of a request. */
export type Field = readonly [name: string, value: string];

export type AccessOptions = {
  readonly connectMs: number;
  readonly keepMs: number;
  /** Connections to one server; those of the client by default. */
  readonly connections?: number;
};

/** A request of one attempt. Redirects change neither its method nor its content: a POST is given only where none are followed. */
export type Sent = {
  readonly method?: "GET" | "POST" | "PUT";
  readonly fields: readonly Field[];
  readonly body?: string;
  readonly signal: AbortSignal;
};

const MOST_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Requests as `<http_config>` describes them. Files with secrets and certificates are read when they are needed: they may change at any time. */
export class HttpAccess {
  readonly #config: HttpConfig;
  readonly #options: AccessOptions;
  #client: { readonly client: HttpClient; readonly material: string } | undefined;

  constructor(config: HttpConfig, options: AccessOptions) {
    this.#config = config;
    this.#options = options;
  }

  async close(): Promise<void> {
    await this.#client?.client.close();
  }

  /** Sends a request with our credentials, and follows redirects to GET if the configuration says so. */
  async send(first: string, { method = "GET", fields: own, body, signal }: Sent): Promise<ClientResponse> {
    const secrets = this.credentials();
    let url = first;
    for (let redirects = 0; ; redirects++) {
      // Credentials are for the configured server: no other origin gets them.
      const fields = new URL(url).origin === new URL(first).origin ? [...own, ...secrets] : own;
      const response = await this.client().request(url, { method, fields, signal, ...(body !== undefined && { body }) });
      const isFollowed = method === "GET" && this.#config.follow_redirects && REDIRECTS.has(response.status);
      const to = isFollowed ? response.fields.get("location") : undefined;
      if (to === undefined) return response;
      discard(response.body);
      const next = URL.parse(to, url);
      if (next === null || !/^https?:$/.test(next.protocol))
        throw new Error(`it redirects to ${JSON.stringify(to)}, which is not a URL of HTTP`);
      if (redirects === MOST_REDIRECTS) throw new Error(`it redirects more than ${MOST_REDIRECTS} times`);
      url = next.href;
    }
  }

  /** The fields that identify us. */
  credentials(): Field[] {
    const { basic_auth, authorization, bearer_token, bearer_token_file, http_headers } = this.#config;
    const fields: Field[] = [];
    if (basic_auth !== undefined) {
      const { username = "", username_file, password, password_file } = basic_auth;
      const pair = `${username_file ? secretIn(username_file) : username}:${password_file ? secretIn(password_file) : (password?.reveal() ?? "")}`;
      fields.push(["authorization", `Basic ${Buffer.from(pair).toString("base64")}`]);
    }
    if (authorization !== undefined) {
      const { type, credentials, credentials_file } = authorization;
      fields.push(["authorization", `${type} ${credentials_file ? secretIn(credentials_file) : (credentials?.reveal() ?? "")}`]);
    }
    if (bearer_token !== undefined) fields.push(["authorization", `Bearer ${bearer_token.reveal()}`]);
    if (bearer_token_file) fields.push(["authorization", `Bearer ${secretIn(bearer_token_file)}`]);
    for (const [name, { values, secrets, files }] of Object.entries(http_headers))
      for (const value of [...values, ...secrets.map((one) => one.reveal()), ...files.map(secretIn)])
        fields.push([name.toLowerCase(), value]);
    return fields;
  }

  /** The client; another one when a file with a certificate has changed. */
  client(): HttpClient {
    const tls = this.#tls();
    const material = JSON.stringify(tls);
    if (this.#client?.material === material) return this.#client.client;
    void this.#client?.client.close();
    const client = createClient({
      alpn: this.#config.enable_http2 ? ["h2", "http/1.1"] : ["http/1.1"],
      tls,
      connectMs: this.#options.connectMs,
      keepMs: this.#options.keepMs,
      graceMs: 0,
      ...(this.#options.connections !== undefined && { maxConnections: this.#options.connections }),
    });
    this.#client = { client, material };
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
const secretIn = (path: string): string => fileText(path).trim();

/** An error with its causes, which say more than the error itself. */
export function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : "";
  return cause === "" || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
