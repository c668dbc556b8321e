import { createSign } from "node:crypto";
import { version } from "../../../version.ts";
import type { HttpConfig } from "../../metrics/config/index.ts";
import { abortable, contentOf } from "./content.ts";
import { type AccessOptions, secretIn, Outgoing } from "./outgoing.ts";

/** Access tokens by the grants for programs (rfc6749#4.4, rfc7523#2.1; Prometheus docs, configuration/configuration.md, `<oauth2>`). */

type OAuth2Config = NonNullable<HttpConfig["oauth2"]>;
type Token = { readonly field: string; readonly expires: number };

const JWT_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const JWT_S = 3_600;
const ANSWER_MS = 10_000;
const MOST_OCTETS = 1 << 20;
const MOST_REASON = 200;
/** A token is renewed this long before it expires. */
const EARLY_MS = 10_000;
/** After a failure nothing is asked for this long: many targets may share a token. */
const PAUSE_MS = 1_000;

/** Gets a token, and keeps it until it expires. */
export class OAuth2Tokens {
  readonly #config: OAuth2Config;
  readonly #client: Outgoing;
  #token: Token | undefined;
  /** The one request in progress. */
  #asking: Promise<Token> | undefined;
  #failure: { readonly error: unknown; readonly until: number } | undefined;
  /** Where the secret of the client is: servers need not take it in both places (rfc6749#2.3.1). */
  #isInBody = false;

  constructor(config: OAuth2Config, options: AccessOptions) {
    this.#config = config;
    this.#client = new Outgoing({ ...config, enable_http2: true }, options);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** The value of the field Authorization. */
  async value(signal: AbortSignal): Promise<string> {
    if (this.#token !== undefined && this.#token.expires - EARLY_MS > Date.now()) return this.#token.field;
    if (this.#failure !== undefined && this.#failure.until > performance.now()) throw this.#failure.error;
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return (await abortable(this.#asking, signal)).field;
  }

  /** A server refused the token: the next request gets another one. */
  refused(): void {
    this.#token = undefined;
  }

  async #ask(): Promise<Token> {
    try {
      this.#token = await this.#request();
      this.#failure = undefined;
      return this.#token;
    } catch (cause) {
      const error = new Error(`oauth2: no token from ${this.#config.token_url}: ${cause instanceof Error ? cause.message : String(cause)}`);
      this.#failure = { error, until: performance.now() + PAUSE_MS };
      throw error;
    }
  }

  async #request(): Promise<Token> {
    const { grant_type, client_id: id, client_secret, client_secret_file, scopes, endpoint_params } = this.#config;
    if (grant_type === JWT_GRANT) return tokenOf(await this.#post({ grant_type, assertion: this.#assertion() }, undefined));
    const secret = client_secret_file ? secretIn(client_secret_file) : (client_secret?.reveal() ?? "");
    const scope = scopes.length > 0 ? { scope: scopes.join(" ") } : {};
    const params = { grant_type: "client_credentials", ...scope, ...endpoint_params };
    const basic = `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64")}`;
    const inBody = { ...params, client_id: id, client_secret: secret };
    let answer = this.#isInBody ? await this.#post(inBody, undefined) : await this.#post(params, basic);
    if (!this.#isInBody && answer.status >= 400 && answer.status < 500) {
      answer = await this.#post(inBody, undefined);
      this.#isInBody = answer.status === OK;
    }
    return tokenOf(answer);
  }

  async #post(params: Readonly<Record<string, string>>, authorization: string | undefined): Promise<{ status: number; text: string }> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { status, body } = await this.#client.request(this.#config.token_url, {
      method: "POST",
      fields: [
        ["accept", "application/json"],
        ["content-type", "application/x-www-form-urlencoded"],
        ["user-agent", `Touchstone/${version}`],
        ...(authorization === undefined ? [] : [["authorization", authorization] as const]),
      ],
      body: new URLSearchParams(params).toString(),
      signal,
    });
    const octets = await contentOf(body, MOST_OCTETS, signal);
    if (octets === undefined) throw new Error(`the answer is larger than ${MOST_OCTETS} octets`);
    return { status, text: new TextDecoder().decode(octets) };
  }

  /** A signed statement of who we are (rfc7523#3). */
  #assertion(): string {
    const { client_id, iss, audience, token_url, scopes, claims, signature_algorithm: algorithm } = this.#config;
    const { client_certificate_key: key, client_certificate_key_file: file, client_certificate_key_id: kid } = this.#config;
    const now = Math.floor(Date.now() / 1_000);
    const header = { alg: algorithm || "RS256", typ: "JWT", ...(kid && { kid }) };
    const scope = scopes.length > 0 ? { scope: scopes.join(" ") } : {};
    const own = { iss: iss || client_id, sub: client_id, aud: audience || token_url, iat: now, exp: now + JWT_S };
    const text = [header, { ...own, ...scope, ...claims }].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const sign = createSign(`RSA-SHA${header.alg.slice(2)}`).update(text);
    return `${text}.${sign.sign(file ? secretIn(file) : (key?.reveal() ?? ""), "base64url")}`;
  }
}

const OK = 200;
/** Text as in a form (rfc6749#2.3.1). */
const encoded = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);

/** The token in an answer (rfc6749#5.1). */
function tokenOf({ status, text }: { readonly status: number; readonly text: string }): Token {
  if (status !== OK) throw new Error(`it answers with ${status}: ${text.replaceAll(/\s+/g, " ").slice(0, MOST_REASON)}`);
  const { access_token: token, token_type: type, expires_in: seconds } = (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) throw new Error("the answer has no access_token");
  const life = Number(seconds ?? 0);
  // The type is compared without case, and usually written so.
  const scheme = typeof type === "string" && type.toLowerCase() !== "bearer" && /^[\w-]+$/.test(type) ? type : "Bearer";
  return { field: `${scheme} ${token}`, expires: life > 0 ? Date.now() + life * 1_000 : Infinity };
}
