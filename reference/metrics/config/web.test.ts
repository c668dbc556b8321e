import { expect, test } from "vitest";
import { ciphersOf, loadWebConfig } from "./index.ts";

const HASH = `$2y$10$${"a".repeat(53)}`;
const load = (text: string): ReturnType<typeof loadWebConfig> => loadWebConfig(text, "/etc/web.yml");
const TLS = "tls_server_config:\n  cert_file: a.crt\n  key_file: a.key\n";
/** Each problem or notice as `line: field: message`. */
const said = (text: string): string[] => {
  const { problems, notices } = load(text);
  return [...problems, ...notices].map(({ line, field, message }) => `${line}: ${field}: ${message}`);
};

test("a whole configuration, with paths from its directory", () => {
  const { config, problems, notices, files } = load(
    `${TLS}  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca.crt
  client_allowed_sans: [scraper.example]
  min_version: TLS13
http_server_config:
  http2: false
  headers: {X-Frame-Options: deny}
basic_auth_users: {ops: ${HASH}}
rate_limit: {interval: 100ms, burst: 5}
`,
  );
  expect(problems).toEqual([]);
  expect(notices).toEqual([]);
  expect(files.map(({ path }) => path)).toEqual(["/etc/a.crt", "/etc/a.key", "/etc/ca.crt"]);
  expect(config).toMatchObject({
    tls_server_config: { cert_file: "/etc/a.crt", client_allowed_sans: ["scraper.example"], min_version: "TLS13" },
    http_server_config: { http2: false, headers: { "X-Frame-Options": "deny" } },
    basic_auth_users: { ops: HASH },
    rate_limit: { interval: 100, burst: 5 },
  });
});

test("an empty file sets nothing", () => {
  expect(load("")).toMatchObject({ config: { basic_auth_users: {} }, problems: [], notices: [] });
});

test.each([
  ["tls_server_config: {cert_file: a.crt}", "tls_server_config.key_file: TLS needs key or key_file"],
  ['tls_server_config: {cert_file: a.crt, key: ""}', "tls_server_config.key_file: TLS needs key or key_file"],
  ["tls_server_config: {key_file: a.key}", "tls_server_config.cert_file: TLS needs cert or cert_file"],
  [`${TLS}  cert: x`, "tls_server_config.cert_file: it cannot be combined with cert"],
  [`${TLS}  client_ca_file: ca.crt`, "tls_server_config.client_ca_file: it has no effect without client_auth_type"],
  [`${TLS}  client_allowed_sans: [a]`, "tls_server_config.client_allowed_sans: it needs client_auth_type"],
  [`${TLS}  client_auth_type: Always`, 'tls_server_config.client_auth_type: "Always" is not one of'],
  [`${TLS}  max_version: TLS11`, "tls_server_config.max_version: TLS 1.2 is the oldest version that is served"],
  [`${TLS}  min_version: TLS13\n  max_version: TLS12`, "tls_server_config.max_version: it is older than min_version"],
  [`${TLS}  cipher_suites: [TLS_FINE]`, 'tls_server_config.cipher_suites[0]: "TLS_FINE" is not a cipher suite'],
  [`${TLS}  cipher_suites: [TLS_RSA_WITH_AES_128_CBC_SHA]`, "tls_server_config.cipher_suites: all of these are weak"],
  [`${TLS}  curve_preferences: [P1]`, 'tls_server_config.curve_preferences[0]: "P1" is not one of'],
  ["http_server_config: {headers: {Server: x}}", "http_server_config.headers.Server: only Strict-Transport-Security"],
  ["http_server_config: {headers: {X-Frame-Options: maybe}}", 'http_server_config.headers.X-Frame-Options: "maybe" is not a value'],
  ["basic_auth_users: {a: secret}", "basic_auth_users.a: it is not a bcrypt hash"],
  ["basic_auth: {}", "basic_auth: unknown field"],
])("%j is refused", (text, message) => {
  expect(load(text).config).toBeUndefined();
  expect(said(text).join("\n")).toContain(message);
});

test.each([
  [`basic_auth_users: {a: ${HASH}}`, "1: basic_auth_users: weak: without tls_server_config passwords travel in clear text"],
  [`${TLS}basic_auth_users: {a: ${HASH.replace("10", "04")}}`, "4: basic_auth_users: weak: the cost of a is below 10"],
  [`${TLS}  min_version: TLS10`, "4: tls_server_config.min_version: weak: TLS 1.2 is the oldest version that is served all the same"],
  [`${TLS}  client_auth_type: RequireAnyClientCert`, "4: tls_server_config.client_auth_type: weak: clients are not verified"],
  [
    `${TLS}  cipher_suites: [TLS_RSA_WITH_AES_128_CBC_SHA, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]`,
    "4: tls_server_config.cipher_suites: weak: TLS_RSA_WITH_AES_128_CBC_SHA are not served",
  ],
])("%j is allowed, and weak", (text, message) => {
  expect(load(text).config).toBeDefined();
  expect(said(text).join("\n")).toContain(message);
});

test("suites have OpenSSL's names; those of TLS 1.3 are always there", () => {
  const suites = "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, TLS_AES_128_GCM_SHA256";
  expect(ciphersOf(load(`${TLS}  cipher_suites: [${suites}]`).config!.tls_server_config!)).toBe("ECDHE-ECDSA-CHACHA20-POLY1305");
  expect(ciphersOf(load(TLS).config!.tls_server_config!)).toBeUndefined();
});
