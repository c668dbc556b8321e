import type { HttpConfig } from "../../metrics/config/index.ts";
import type { ClientResponse } from "../client/exchange.ts";
import { discard } from "./content.ts";
import { OAuth2Tokens } from "./oauth2.ts";
import { type AccessOptions, type Field, Outgoing, secretIn } from "./outgoing.ts";

/** A request of one attempt. */
export type Sent = {
  readonly method?: "GET" | "POST" | "PUT";
  readonly fields: readonly Field[];
  readonly body?: string | Uint8Array;
  /** Redirects that keep the method are followed with another method than GET too; `fields` go to any host. */
  readonly isRepeatable?: boolean;
  readonly signal: AbortSignal;
};

const UNAUTHORIZED = 401;
const MOST_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** These keep the method and the content; others make a GET of it (RFC 9110, section 15.4). */
const KEEPING: ReadonlySet<number> = new Set([307, 308]);

/** Requests as `<http_config>` describes them. Files with secrets and certificates are read when they are needed: they may change at any time. */
export class HttpAccess {
  readonly #config: HttpConfig;
  readonly #client: Outgoing;
  readonly #tokens: OAuth2Tokens | undefined;

  constructor(config: HttpConfig, options: AccessOptions) {
    this.#config = config;
    this.#client = new Outgoing(config, options);
    this.#tokens = config.oauth2 === undefined ? undefined : new OAuth2Tokens(config.oauth2, options);
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#tokens?.close()]);
  }

  /** Sends a request as it is: without our credentials, and without following redirects. */
  request(...request: Parameters<Outgoing["request"]>): Promise<ClientResponse> {
    return this.#client.request(...request);
  }

  /** Sends a request with our credentials, and follows redirects that keep its method if the configuration says so. */
  async send(first: string, { method = "GET", fields: own, body, isRepeatable = false, signal }: Sent): Promise<ClientResponse> {
    const secrets = await this.credentials(signal);
    let url = first;
    for (let redirects = 0; ; redirects++) {
      // Credentials are for the configured server: no other origin gets them.
      const fields = new URL(url).origin === new URL(first).origin ? [...own, ...secrets] : own;
      const response = await this.request(url, { method, fields, signal, ...(body !== undefined && { body }) });
      const isKept = method === "GET" ? REDIRECTS.has(response.status) : isRepeatable && KEEPING.has(response.status);
      const isFollowed = this.#config.follow_redirects && isKept;
      const to = isFollowed ? response.fields.get("location") : undefined;
      if (to === undefined) {
        this.answered(response.status);
        return response;
      }
      discard(response.body);
      const next = URL.parse(to, url);
      if (next === null || !/^https?:$/.test(next.protocol))
        throw new Error(`it redirects to ${JSON.stringify(to)}, which is not a URL of HTTP`);
      if (redirects === MOST_REDIRECTS) throw new Error(`it redirects more than ${MOST_REDIRECTS} times`);
      url = next.href;
    }
  }

  /** A server has answered a request with our credentials. */
  answered(status: number): void {
    if (status === UNAUTHORIZED) this.#tokens?.refused();
  }

  /** The fields that identify us. Rejects if there is no token, or once the signal is aborted. */
  async credentials(signal: AbortSignal): Promise<Field[]> {
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
    if (this.#tokens !== undefined) fields.push(["authorization", await this.#tokens.value(signal)]);
    for (const [name, { values, secrets, files }] of Object.entries(http_headers))
      for (const value of [...values, ...secrets.map((one) => one.reveal()), ...files.map(secretIn)])
        fields.push([name.toLowerCase(), value]);
    return fields;
  }
}

/** An error with its causes, which say more than the error itself. */
export function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : "";
  return cause === "" || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
