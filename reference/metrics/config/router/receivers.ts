import { NOTIFICATION_FUNCTIONS, parseTemplate, TemplateFault } from "../../rules/index.ts";
import { atMostOne, checkHttp, HTTP_FIELDS, TLS, type HttpConfig } from "../http.ts";
import {
  duration,
  flag,
  httpUrl,
  list,
  map,
  natural,
  oneOf,
  path,
  scalar,
  Secret,
  secret,
  text,
  type Kind,
  type ValueOf,
} from "../kinds.ts";
import type { Place } from "../source.ts";
import { optional, preset, required, struct } from "../struct.ts";

/** Alertmanager docs, configuration.md, `<receiver>`, `<webhook_config>`, `<email_config>`. */

export const HTTP_CONFIG: Kind<HttpConfig> = struct(HTTP_FIELDS, (value, where) => checkHttp(value, where as never));

/** A template that is expanded for each notification. */
const template: Kind<string> = scalar((written) => {
  try {
    parseTemplate(written, [], NOTIFICATION_FUNCTIONS);
    return written;
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return new Error(`the template cannot be parsed: ${error.message}`);
  }
});

/** A URL that is not printed: it may be all that is needed to post there. */
const secretUrl: Kind<Secret> = {
  read: (at) => {
    const written = at.text();
    if (written === undefined) return undefined;
    if (written === "<secret>" || written === "http://<secret>")
      return at.fail("it is the text that stands for a hidden URL: give the URL itself");
    return written.includes("{{")
      ? at.fail("a template in a URL is not supported: give the URL itself")
      : written === "" || httpUrl.read(at) !== undefined
        ? new Secret(written)
        : undefined;
  },
  // A URL to programs that check the text too.
  show: () => "http://<secret>",
};

const WEBHOOK = struct(
  {
    send_resolved: preset(flag, true),
    url: optional(secretUrl),
    url_file: optional(path("secret")),
    http_config: optional(HTTP_CONFIG),
    max_alerts: preset(natural, 0),
    timeout: preset(duration, 0),
    payload: preset(map(text), {}),
  },
  ({ url, url_file, payload }, where) => {
    const hasUrl = url !== undefined && url.reveal() !== "";
    if (!hasUrl && !url_file) where("url").fail("it is missing: give url or url_file");
    atMostOne(where as never, { url: hasUrl ? url : undefined, url_file });
    if (Object.keys(payload).length > 0)
      where("payload").fail("another form of the content is not supported: leave it out, and read the published form");
  },
);

/** A host and a port, of which the host may be empty. */
export const hostPort: Kind<string> = scalar((written) =>
  written === "" || /^(?:\[[^\]]+\]|[^:]*):[^:]+$/.test(written)
    ? written
    : new Error(`${JSON.stringify(written)} is not a host with a port: write smtp.example.org:587`),
);

const EMAIL = struct(
  {
    send_resolved: preset(flag, false),
    to: required(template),
    from: optional(template),
    hello: optional(text),
    smarthost: optional(hostPort),
    auth_username: optional(text),
    auth_password: optional(secret),
    auth_password_file: optional(path("secret")),
    auth_secret: optional(secret),
    auth_secret_file: optional(path("secret")),
    auth_identity: optional(text),
    headers: preset(map(template), {}),
    html: preset(template, '{{ template "email.default.html" . }}'),
    text: optional(template),
    require_tls: optional(flag),
    force_implicit_tls: optional(flag),
    tls_config: optional(TLS),
    threading: optional(struct({ enabled: preset(flag, false), thread_by_date: preset(oneOf("daily", "none"), "daily") })),
  },
  ({ headers, auth_password, auth_password_file, auth_secret, auth_secret_file }, where) => {
    atMostOne(where as never, { auth_password, auth_password_file });
    atMostOne(where as never, { auth_secret, auth_secret_file });
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice !== undefined) where("headers").fail(`${twice} is given twice`);
    for (const name of Object.keys(headers))
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) where("headers").fail(`${JSON.stringify(name)} is not the name of a header field`);
  },
);

const OTHERS = [
  "discord",
  "incidentio",
  "jira",
  "mattermost",
  "msteams",
  "msteamsv2",
  "opsgenie",
  "pagerduty",
  "pushover",
  "rocketchat",
  "slack",
  "sns",
  "telegram",
  "victorops",
  "webex",
  "wechat",
] as const;
/** A kind of receiver that the published configuration has and this router lacks. */
const absent = (kind: string): Kind<readonly never[]> => ({
  read: (at: Place) => {
    for (const item of at.items() ?? [])
      item.fail(
        `${kind} is not supported: notify by webhook_configs or email_configs, or through a program that forwards webhooks to ${kind}`,
      );
    return [];
  },
  show: () => [],
});

export const RECEIVER = struct({
  name: required(text),
  labels: preset(map(text), {}),
  webhook_configs: preset(list(WEBHOOK, "section"), []),
  email_configs: preset(list(EMAIL, "section"), []),
  ...Object.fromEntries(OTHERS.map((kind) => [`${kind}_configs`, preset(absent(kind), [])])),
});

export type WebhookConfig = ValueOf<typeof WEBHOOK>;
export type EmailConfig = ValueOf<typeof EMAIL>;
