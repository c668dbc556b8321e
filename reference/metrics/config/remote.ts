import { checkHttp, HEADERS, HTTP_FIELDS } from "./http.ts";
import { anyUrl, duration, flag, map, natural, oneOf, path, secret, text } from "./kinds.ts";
import { RELABEL_CONFIGS } from "./relabel.ts";
import { optional, preset, required, struct } from "./struct.ts";

/** Prometheus docs, configuration/configuration.md, `<remote_write>` and `<remote_read>`. */

const QUEUE_FIELDS = {
  capacity: preset(natural, 10_000),
  max_shards: preset(natural, 50),
  min_shards: preset(natural, 1),
  max_samples_per_send: preset(natural, 2_000),
  batch_send_deadline: preset(duration, 5_000),
  min_backoff: preset(duration, 30),
  max_backoff: preset(duration, 5_000),
  retry_on_http_429: preset(flag, false),
  sample_age_limit: preset(duration, 0),
};
const QUEUE = struct(QUEUE_FIELDS, (value, where) => {
  for (const field of ["capacity", "max_shards", "min_shards", "max_samples_per_send"] as const)
    if (value[field] === 0) where(field).fail("it must be greater than 0");
  if (value.min_shards > value.max_shards) where("min_shards").fail("it is greater than max_shards");
  if (value.max_backoff < value.min_backoff) where("max_backoff").fail("it is less than min_backoff");
});
const fallbacks = <F extends Readonly<Record<string, { readonly fallback: unknown }>>>(
  fields: F,
): { readonly [Name in keyof F]: F[Name]["fallback"] } =>
  Object.fromEntries(Object.entries(fields).map(([name, { fallback }]) => [name, fallback])) as { [Name in keyof F]: F[Name]["fallback"] };

const METADATA_FIELDS = { send: preset(flag, true), send_interval: preset(duration, 60_000), max_samples_per_send: preset(natural, 2_000) };

/** Signed requests of one cloud. */
export const SIGV4 = struct({
  region: optional(text),
  access_key: optional(text),
  secret_key: optional(secret),
  profile: optional(text),
  role_arn: optional(text),
  external_id: optional(text),
  use_fips_sts_endpoint: preset(flag, false),
  service_name: optional(text),
});
const AZURE = struct({
  cloud: optional(oneOf("AzurePublic", "AzureChina", "AzureGovernment")),
  scope: optional(text),
  managed_identity: optional(struct({ client_id: optional(text) })),
  workload_identity: optional(struct({ client_id: required(text), tenant_id: required(text), token_file_path: optional(path("secret")) })),
  oauth: optional(struct({ client_id: required(text), client_secret: optional(secret), tenant_id: required(text) })),
  sdk: optional(struct({ tenant_id: optional(text) })),
});

/** Ways to authenticate that exclude those of `<http_config>`. */
const CLOUD_AUTH = ["sigv4", "azuread", "google_iam"] as const;

export const REMOTE_WRITE = struct(
  {
    url: required(anyUrl),
    name: optional(text),
    remote_timeout: preset(duration, 30_000),
    headers: preset(HEADERS, {}),
    write_relabel_configs: preset(RELABEL_CONFIGS, []),
    send_exemplars: preset(flag, false),
    send_native_histograms: preset(flag, false),
    round_robin_dns: preset(flag, false),
    protobuf_message: preset(oneOf("prometheus.WriteRequest", "io.prometheus.write.v2.Request"), "prometheus.WriteRequest"),
    failed_request_logging: preset(flag, false),
    ...HTTP_FIELDS,
    enable_http2: preset(flag, false),
    queue_config: preset(QUEUE, fallbacks(QUEUE_FIELDS)),
    metadata_config: preset(struct(METADATA_FIELDS), fallbacks(METADATA_FIELDS)),
    sigv4: optional(SIGV4),
    azuread: optional(AZURE),
    google_iam: optional(struct({ credentials_file: optional(path("secret")) })),
    convert_nhcb_to_classic: preset(flag, false),
  },
  (value, where) => {
    checkHttp(value, where as never);
    const { basic_auth, authorization, oauth2, bearer_token, bearer_token_file } = value;
    const ways = { basic_auth, authorization, oauth2, bearer_token, bearer_token_file };
    const [way] = Object.entries(ways).find(([, one]) => one !== undefined) ?? [];
    const clouds = CLOUD_AUTH.filter((cloud) => value[cloud] !== undefined);
    for (const cloud of way === undefined ? clouds.slice(1) : clouds) where(cloud).fail(`it cannot be combined with ${way ?? clouds[0]}`);
  },
);

export const REMOTE_READ = struct(
  {
    url: required(anyUrl),
    name: optional(text),
    remote_timeout: preset(duration, 60_000),
    chunked_read_limit: preset(natural, 50_000_000),
    headers: preset(HEADERS, {}),
    read_recent: preset(flag, false),
    required_matchers: preset(map(text), {}),
    filter_external_labels: preset(flag, true),
    ...HTTP_FIELDS,
  },
  (value, where) => checkHttp(value, where as never),
);
