import { atMostOne, TLS } from "../http.ts";
import { duration, flag, path, secret, text } from "../kinds.ts";
import { optional, preset, struct } from "../struct.ts";
import { hostPort, HTTP_CONFIG } from "./receivers.ts";

/** Alertmanager docs, configuration.md, "File layout and global settings". */

/** Settings for kinds of receivers that this router lacks: they are allowed, because without such a receiver they mean nothing. */
const FOREIGN = {
  ...Object.fromEntries(
    [
      "jira_api_url",
      "slack_api_url_file",
      "slack_app_token_file",
      "slack_app_url",
      "victorops_api_key_file",
      "victorops_api_url",
      "pagerduty_url",
      "opsgenie_api_key_file",
      "opsgenie_api_url",
      "rocketchat_api_url",
      "rocketchat_token_file",
      "rocketchat_token_id_file",
      "wechat_api_url",
      "wechat_api_secret_file",
      "wechat_api_corp_id",
      "telegram_api_url",
      "telegram_bot_token_file",
      "webex_api_url",
      "mattermost_webhook_url_file",
    ].map((name) => [name, optional(text)]),
  ),
  ...Object.fromEntries(
    [
      "slack_api_url",
      "slack_app_token",
      "victorops_api_key",
      "opsgenie_api_key",
      "rocketchat_token",
      "rocketchat_token_id",
      "wechat_api_secret",
      "telegram_bot_token",
      "mattermost_webhook_url",
    ].map((name) => [name, optional(secret)]),
  ),
};

export const ROUTER_GLOBAL = struct(
  {
    resolve_timeout: preset(duration, 300_000),
    http_config: optional(HTTP_CONFIG),
    smtp_from: optional(text),
    smtp_hello: preset(text, "localhost"),
    smtp_smarthost: optional(hostPort),
    smtp_auth_username: optional(text),
    smtp_auth_password: optional(secret),
    smtp_auth_password_file: optional(path("secret")),
    smtp_auth_secret: optional(secret),
    smtp_auth_secret_file: optional(path("secret")),
    smtp_auth_identity: optional(text),
    smtp_require_tls: preset(flag, true),
    smtp_force_implicit_tls: optional(flag),
    smtp_tls_config: optional(TLS),
    ...FOREIGN,
  },
  ({ smtp_auth_password, smtp_auth_password_file, smtp_auth_secret, smtp_auth_secret_file }, where) => {
    atMostOne(where as never, { smtp_auth_password, smtp_auth_password_file });
    atMostOne(where as never, { smtp_auth_secret, smtp_auth_secret_file });
  },
);
