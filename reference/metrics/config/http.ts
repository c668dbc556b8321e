import { flag, httpUrl, list, map, oneOf, path, scalar, secret, type Secret, text, type Kind } from "./kinds.ts";
import { optional, preset, required, struct, type Values, type Where } from "./struct.ts";

/** How requests are made: Prometheus docs, configuration/configuration.md, `<http_config>`. */

/** Reports all but the first of the fields that exclude each other. */
export function atMostOne(where: (field: string) => { fail(message: string): void }, values: Readonly<Record<string, unknown>>): void {
  const [first, ...others] = Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name]) => name);
  for (const name of others) where(name).fail(`it cannot be combined with ${first}`);
}

const isEmpty = (value: Secret | undefined): boolean => value === undefined || value.reveal() === "";
const present = (value: Secret | undefined): Secret | undefined => (isEmpty(value) ? undefined : value);

const BASIC_AUTH = struct(
  {
    username: optional(text),
    username_file: optional(path("secret")),
    password: optional(secret),
    password_file: optional(path("secret")),
  },
  ({ username, username_file, password, password_file }, where) => {
    atMostOne(where as never, { username, username_file });
    atMostOne(where as never, { password: present(password), password_file });
  },
);

const AUTHORIZATION = struct(
  {
    type: preset(
      scalar((written) => {
        const scheme = written.trim();
        return scheme.toLowerCase() === "basic" ? new Error("use basic_auth for the scheme Basic") : scheme === "" ? "Bearer" : scheme;
      }),
      "Bearer",
    ),
    credentials: optional(secret),
    credentials_file: optional(path("secret")),
  },
  ({ credentials, credentials_file }, where) => atMostOne(where as never, { credentials: present(credentials), credentials_file }),
);

const TLS_VERSION = oneOf("", "TLS10", "TLS11", "TLS12", "TLS13");
/** `<tls_config>` */
export const TLS = struct(
  {
    ca: optional(text),
    ca_file: optional(path("certificates")),
    cert: optional(text),
    cert_file: optional(path("certificates")),
    key: optional(secret),
    key_file: optional(path("key")),
    server_name: optional(text),
    insecure_skip_verify: preset(flag, false),
    min_version: optional(TLS_VERSION),
    max_version: optional(TLS_VERSION),
  },
  ({ ca, ca_file, cert, cert_file, key, key_file }, where) => {
    atMostOne(where as never, { ca, ca_file });
    atMostOne(where as never, { cert, cert_file });
    atMostOne(where as never, { key: present(key), key_file });
    const [hasCertificate, hasKey] = [Boolean(cert || cert_file), Boolean(present(key) || key_file)];
    if (hasCertificate && !hasKey) where(cert ? "cert" : "cert_file").fail("a client certificate needs key or key_file");
    if (hasKey && !hasCertificate) where(key === undefined ? "key_file" : "key").fail("a client key needs cert or cert_file");
  },
);

const PROXY_HEADERS = map(list(secret));
const proxyUrl = scalar(
  (written) => {
    if (written === "") return "";
    const target = URL.parse(written);
    const isKnown = target !== null && ["http:", "https:", "socks5:"].includes(target.protocol);
    return isKnown ? written : new Error(`${JSON.stringify(written)} is not the URL of a proxy: write http://host:port`);
  },
  (written) => written.replace(/(:\/\/[^/@]*:)[^/@]*@/, "$1<secret>@"),
);

/** The fields for proxies, which OAuth 2 has too. */
const PROXY = {
  proxy_url: optional(proxyUrl),
  no_proxy: optional(text),
  proxy_from_environment: preset(flag, false),
  proxy_connect_header: preset(PROXY_HEADERS, {}),
};
function checkProxy(
  { proxy_url, no_proxy, proxy_from_environment, proxy_connect_header }: Values<typeof PROXY>,
  where: Where<typeof PROXY>,
): void {
  if (Object.keys(proxy_connect_header).length > 0 && !proxy_url && !proxy_from_environment)
    where("proxy_connect_header").fail("it needs proxy_url or proxy_from_environment");
  if (proxy_from_environment && proxy_url) where("proxy_from_environment").fail("it cannot be combined with proxy_url");
  if (proxy_from_environment && no_proxy) where("proxy_from_environment").fail("it cannot be combined with no_proxy");
  if (!proxy_from_environment && no_proxy && !proxy_url) where("no_proxy").fail("it needs proxy_url");
}

const JWT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** `<oauth2>` */
const OAUTH2_FIELDS = {
  client_id: required(text),
  grant_type: optional(oneOf("", "client_credentials", JWT)),
  client_secret: optional(secret),
  client_secret_file: optional(path("secret")),
  client_certificate_key: optional(secret),
  client_certificate_key_file: optional(path("secret")),
  client_certificate_key_id: optional(text),
  signature_algorithm: optional(oneOf("", "RS256", "RS384", "RS512")),
  iss: optional(text),
  audience: optional(text),
  claims: preset(map(text), {}),
  scopes: preset(list(text), []),
  token_url: required(httpUrl),
  endpoint_params: preset(map(text), {}),
  tls_config: optional(TLS),
  ...PROXY,
};
const OAUTH2 = struct(OAUTH2_FIELDS, (value, where) => {
  const { client_secret, client_secret_file, client_certificate_key, client_certificate_key_file } = value;
  atMostOne(where as never, { client_secret: present(client_secret), client_secret_file });
  atMostOne(where as never, { client_certificate_key: present(client_certificate_key), client_certificate_key_file });
  checkProxy(value, where);
});

/** Names that no section may set, in lower case. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    "authorization host content-encoding content-length content-type user-agent connection keep-alive proxy-authenticate proxy-authorization " +
    "www-authenticate accept-encoding x-prometheus-remote-write-version x-prometheus-remote-read-version x-prometheus-scrape-timeout-seconds " +
    "x-amz-date x-amz-security-token x-amz-content-sha256"
  ).split(" "),
);
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
function checkFieldName(name: string): string | undefined {
  if (!TOKEN.test(name)) return "it is not the name of a header field";
  return RESERVED.has(name.toLowerCase()) ? "this header field cannot be set here" : undefined;
}

const HEADER = struct({ values: preset(list(text), []), secrets: preset(list(secret), []), files: preset(list(path("secret")), []) });

/** The header fields of remote write and remote read. */
export const HEADERS: Kind<Readonly<Record<string, string>>> = map(text, checkFieldName);

/** The fields of `<http_config>`, which other sections contain. */
export const HTTP_FIELDS = {
  basic_auth: optional(BASIC_AUTH),
  authorization: optional(AUTHORIZATION),
  oauth2: optional(OAUTH2),
  /** Older forms of `authorization`. */
  bearer_token: optional(secret),
  bearer_token_file: optional(path("secret")),
  tls_config: optional(TLS),
  follow_redirects: preset(flag, true),
  enable_http2: preset(flag, true),
  ...PROXY,
  http_headers: preset(map(HEADER, checkFieldName), {}),
};
/** How requests are made. */
export type HttpConfig = Values<typeof HTTP_FIELDS>;

/** Reports the fields of `<http_config>` that exclude each other. */
export function checkHttp(value: HttpConfig, where: (field: never) => ReturnType<Where<typeof HTTP_FIELDS>>): void {
  const { basic_auth, authorization, oauth2, bearer_token, bearer_token_file } = value;
  atMostOne(where as never, { basic_auth, authorization, oauth2, bearer_token: present(bearer_token), bearer_token_file });
  checkProxy(value, where as never);
}

/** Whether any field of `<http_config>` differs from its default. */
export const isCustomHttp = (value: HttpConfig): boolean =>
  (Object.keys(HTTP_FIELDS) as (keyof HttpConfig)[]).some(
    (name) => JSON.stringify(value[name]) !== JSON.stringify(HTTP_FIELDS[name].fallback),
  );
