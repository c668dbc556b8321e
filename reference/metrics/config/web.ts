import { duration, flag, list, map, natural, oneOf, path, scalar, secret, text, type ValueOf } from "./kinds.ts";
import { type NamedFile, type Problem, Source } from "./source.ts";
import { optional, preset, struct } from "./struct.ts";

/** How a server is reached: TLS, certificates of clients, passwords, header fields (Prometheus docs, configuration/https.md). */

/** The suites of TLS 1.2 that are safe, by their names there and in OpenSSL. Those of TLS 1.3 are always there. */
const SUITES: Readonly<Record<string, string>> = Object.fromEntries(
  ["ECDSA", "RSA"].flatMap((kind) => [
    [`TLS_ECDHE_${kind}_WITH_AES_128_GCM_SHA256`, `ECDHE-${kind}-AES128-GCM-SHA256`],
    [`TLS_ECDHE_${kind}_WITH_AES_256_GCM_SHA384`, `ECDHE-${kind}-AES256-GCM-SHA384`],
    [`TLS_ECDHE_${kind}_WITH_CHACHA20_POLY1305`, `ECDHE-${kind}-CHACHA20-POLY1305`],
    [`TLS_ECDHE_${kind}_WITH_CHACHA20_POLY1305_SHA256`, `ECDHE-${kind}-CHACHA20-POLY1305`],
  ]),
);
const OF_TLS_1_3: ReadonlySet<string> = new Set(["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"]);
/** Known, and not served: without forward secrecy, or with ciphers that are broken. */
const isWeak = (suite: string): boolean => /^TLS_RSA_WITH_|_CBC_SHA(?:256)?$|_RC4_/.test(suite) && suite.startsWith("TLS_");

const suite = scalar((written) =>
  written in SUITES || OF_TLS_1_3.has(written) || isWeak(written)
    ? written
    : new Error(`${JSON.stringify(written)} is not a cipher suite: write names such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`),
);
const VERSION = oneOf("TLS10", "TLS11", "TLS12", "TLS13");
const CLIENT_AUTH = oneOf(
  "",
  "NoClientCert",
  "RequestClientCert",
  "RequireAnyClientCert",
  "VerifyClientCertIfGiven",
  "RequireAndVerifyClientCert",
);

const TLS = struct(
  {
    cert: optional(text),
    cert_file: optional(path("certificates")),
    key: optional(secret),
    key_file: optional(path("key")),
    client_auth_type: preset(CLIENT_AUTH, "NoClientCert"),
    client_ca: optional(text),
    client_ca_file: optional(path("certificates")),
    client_allowed_sans: preset(list(text), []),
    min_version: preset(VERSION, "TLS12"),
    max_version: preset(VERSION, "TLS13"),
    cipher_suites: preset(list(suite), []),
    curve_preferences: preset(list(oneOf("CurveP256", "CurveP384", "CurveP521", "X25519", "X25519MLKEM768")), []),
    prefer_server_cipher_suites: preset(flag, true),
  },
  ({ cert, cert_file, key, key_file, client_ca, client_ca_file, client_auth_type: auth, ...more }, where) => {
    const fail = (field: string, message: string): unknown =>
      (where as (field: string) => { fail(message: string): void })(field).fail(message);
    if (cert && cert_file) fail("cert_file", "it cannot be combined with cert");
    if (!cert && !cert_file) fail("cert_file", "TLS needs cert or cert_file");
    const hasKey = key !== undefined && key.reveal() !== "";
    if (hasKey && key_file) fail("key_file", "it cannot be combined with key");
    if (!hasKey && !key_file) fail("key_file", "TLS needs key or key_file");
    if (client_ca && client_ca_file) fail("client_ca_file", "it cannot be combined with client_ca");
    const hasAuthorities = Boolean(client_ca || client_ca_file);
    const asks = auth !== "" && auth !== "NoClientCert";
    if (hasAuthorities && !asks) fail(client_ca ? "client_ca" : "client_ca_file", "it has no effect without client_auth_type");
    const isVerified = auth === "VerifyClientCertIfGiven" || auth === "RequireAndVerifyClientCert";
    if (more.client_allowed_sans.length > 0 && !isVerified)
      fail("client_allowed_sans", "it needs client_auth_type VerifyClientCertIfGiven or RequireAndVerifyClientCert");
    if (more.max_version === "TLS10" || more.max_version === "TLS11") fail("max_version", "TLS 1.2 is the oldest version that is served");
    if (more.min_version === "TLS13" && more.max_version === "TLS12") fail("max_version", "it is older than min_version");
    if (more.cipher_suites.length > 0 && more.cipher_suites.every(isWeak)) fail("cipher_suites", "all of these are weak: none is served");
  },
);

/** The header fields that may be set, and what they may say. */
const FIELDS: Readonly<Record<string, (value: string) => boolean>> = {
  "Strict-Transport-Security": () => true,
  "Content-Security-Policy": () => true,
  "X-Content-Type-Options": (value) => value === "" || value.toLowerCase() === "nosniff",
  "X-Frame-Options": (value) => ["", "deny", "sameorigin"].includes(value.toLowerCase()),
  "X-XSS-Protection": () => true,
};
const header = scalar((written, at) => {
  const name = at.path.slice(at.path.lastIndexOf(".") + 1);
  return FIELDS[name]?.(written) === false ? new Error(`${JSON.stringify(written)} is not a value of ${name}`) : written;
});
const HTTP = struct({
  http2: preset(flag, true),
  headers: preset(
    map(header, (name) => (Object.hasOwn(FIELDS, name) ? undefined : `only ${Object.keys(FIELDS).join(", ")} can be set`)),
    {},
  ),
});

/** A password as bcrypt keeps it: version, cost, salt and hash. */
const BCRYPT = /^\$2[abxy]?\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const password = scalar((written) =>
  BCRYPT.test(written) ? written : new Error("it is not a bcrypt hash: make one with `htpasswd -nBC 10 NAME`"),
);

/** One request an interval, and so many at once before. */
const RATE_LIMIT = struct({ interval: preset(duration, 0), burst: preset(natural, 0) });

const WEB = struct({
  tls_server_config: optional(TLS),
  http_server_config: optional(HTTP),
  basic_auth_users: preset(map(password), {}),
  rate_limit: optional(RATE_LIMIT),
});
export type WebConfig = ValueOf<typeof WEB>;
export type WebTls = ValueOf<typeof TLS>;

/** Below this cost a stolen file is quickly searched for passwords. */
const LEAST_COST = 10;

/** What is allowed, and weak or without effect. */
function notices(source: Source, config: WebConfig): void {
  const note = (value: object, field: string, message: string): void => void source.placeOf(value, field).fail(message);
  const { tls_server_config: tls, basic_auth_users: users } = config;
  if (tls === undefined && Object.keys(users).length > 0)
    note(config, "basic_auth_users", "weak: without tls_server_config passwords travel in clear text");
  const cheap = Object.entries(users).filter(([, hash]) => Number(BCRYPT.exec(hash)?.[1]) < LEAST_COST);
  if (cheap.length > 0)
    note(config, "basic_auth_users", `weak: the cost of ${cheap.map(([name]) => name).join(", ")} is below ${LEAST_COST}`);
  if (tls === undefined) return;
  if (tls.min_version === "TLS10" || tls.min_version === "TLS11")
    note(tls, "min_version", "weak: TLS 1.2 is the oldest version that is served all the same");
  if (tls.client_auth_type === "RequestClientCert" || tls.client_auth_type === "RequireAnyClientCert")
    note(tls, "client_auth_type", "weak: clients are not verified; RequireAndVerifyClientCert does that");
  const weak = tls.cipher_suites.filter(isWeak);
  if (weak.length > 0) note(tls, "cipher_suites", `weak: ${weak.join(", ")} are not served`);
  if (tls.curve_preferences.length > 0) note(tls, "curve_preferences", "it has no effect: the curves are those of OpenSSL");
  if (!tls.prefer_server_cipher_suites) note(tls, "prefer_server_cipher_suites", "it has no effect: the server's order counts");
}

/** OpenSSL's names of the suites that are served; undefined for the usual ones. */
export function ciphersOf({ cipher_suites }: WebTls): string | undefined {
  const named = cipher_suites.flatMap((name) => SUITES[name] ?? []);
  return named.length === 0 ? undefined : [...new Set(named)].join(":");
}

/** Reads and checks a web configuration. An empty file is one without any setting. */
export function loadWebConfig(
  text: string,
  file: string,
): {
  readonly config: WebConfig | undefined;
  readonly problems: readonly Problem[];
  readonly notices: readonly Problem[];
  readonly files: readonly NamedFile[];
} {
  const source = new Source(file);
  const root = source.parse(text);
  const config = root === undefined ? undefined : WEB.read(root);
  const problems = [...source.problems];
  const isGood = config !== undefined && problems.length === 0;
  if (isGood) notices(source, config);
  return { config: isGood ? config : undefined, problems, notices: source.problems.slice(problems.length), files: source.files };
}
