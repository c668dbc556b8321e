import { readFileSync } from "node:fs";
import { version } from "../../../../version.ts";
import type { HttpConfig, WebhookConfig } from "../../../metrics/config/index.ts";
import { type Delivery, type DeliveryOutcome, webhookJson } from "../../../metrics/router/index.ts";
import { described, HttpAccess } from "../http-access.ts";

/** How an attempt ended, and why if it failed. */
export type Attempt = { readonly outcome: DeliveryOutcome; readonly why?: string };

/** One way to reach a receiver. */
export interface Channel {
  /** Never rejects. */
  send(delivery: Delivery, signal: AbortSignal): Promise<Attempt>;
  close(): Promise<void>;
}

const DEFAULT_HTTP: HttpConfig = {
  basic_auth: undefined,
  authorization: undefined,
  oauth2: undefined,
  bearer_token: undefined,
  bearer_token_file: undefined,
  tls_config: undefined,
  follow_redirects: true,
  enable_http2: true,
  proxy_url: undefined,
  no_proxy: undefined,
  proxy_from_environment: false,
  proxy_connect_header: {},
  http_headers: {},
};
const CONNECT_MS = 10_000;
const KEEP_MS = 60_000;

/** Posts notifications: Alertmanager docs, configuration.md, `<webhook_config>`. */
export class Webhook implements Channel {
  readonly #config: WebhookConfig;
  readonly #externalUrl: string;
  readonly #access: HttpAccess;

  constructor(config: WebhookConfig, externalUrl: string) {
    this.#config = config;
    this.#externalUrl = externalUrl;
    this.#access = new HttpAccess(config.http_config ?? DEFAULT_HTTP, { connectMs: CONNECT_MS, keepMs: KEEP_MS });
  }

  async send(delivery: Delivery, signal: AbortSignal): Promise<Attempt> {
    const { timeout, url_file, url, max_alerts: maxAlerts } = this.#config;
    try {
      const target = url_file ? readFileSync(url_file, "utf8").trim() : (url?.reveal() ?? "");
      const within = timeout > 0 ? AbortSignal.any([signal, AbortSignal.timeout(timeout)]) : signal;
      const secrets = await this.#access.credentials(within);
      const { status, fields, body } = await this.#access.request(target, {
        method: "POST",
        fields: [["content-type", "application/json"], ["user-agent", `Touchstone/${version}`], ...secrets],
        body: webhookJson(delivery, { externalUrl: this.#externalUrl, maxAlerts }),
        signal: within,
      });
      void body[Symbol.asyncIterator]().return?.();
      this.#access.answered(status);
      if (status >= 200 && status < 300) return { outcome: "sent" };
      if (status >= 300 && status < 400)
        return {
          outcome: "refused",
          why: `it redirects to ${JSON.stringify(fields.get("location") ?? "")}: give that URL, redirects are not followed`,
        };
      return { outcome: status === 429 || status >= 500 ? "retry" : "refused", why: `it answers with ${status}` };
    } catch (error) {
      return { outcome: "retry", why: described(error) };
    }
  }

  close(): Promise<void> {
    return this.#access.close();
  }
}
