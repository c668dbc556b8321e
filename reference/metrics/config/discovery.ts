import { atMostOne, checkHttp, HTTP_FIELDS, isCustomHttp, TLS } from "./http.ts";
import { duration, flag, httpUrl, integer, list, map, natural, oneOf, path, scalar, secret, Secret, text, type Kind } from "./kinds.ts";
import type { Place } from "./source.ts";
import { optional, preset, required, struct, type Fields } from "./struct.ts";

/** Where targets come from: Prometheus docs, configuration/configuration.md, the sections `<…_sd_config>` and `<static_config>`. */

const LABEL_NAME = /^.+$/su;
const labelSet = map(text, (name) => (LABEL_NAME.test(name) && name.isWellFormed() ? undefined : "it is not a label name"));

/** Targets with their labels; also what files and HTTP answers list. */
export const TARGET_GROUP = struct({ targets: preset(list(text), []), labels: preset(labelSet, {}) });

const FILE = struct({ files: preset(list(path("targets")), []), refresh_interval: preset(duration, 300_000) }, ({ files }, where) => {
  if (files.length === 0) where("files").fail("it is empty: name at least one file");
  for (const file of files)
    if (!/^[^*]*(\*[^/]*)?\.(?:json|yml|yaml|JSON|YML|YAML)$/.test(file))
      where("files").fail(`${JSON.stringify(file)} does not end in .json, .yml or .yaml, or has more than one *`);
});

const DNS = struct(
  {
    names: preset(list(text), []),
    type: preset(
      scalar((written) =>
        /^(?:SRV|A|AAAA|MX|NS)$/i.test(written) ? written : new Error(`${JSON.stringify(written)} is not one of SRV, A, AAAA, MX, NS`),
      ),
      "SRV",
    ),
    port: preset(natural, 0),
    refresh_interval: preset(duration, 30_000),
  },
  ({ names, type, port }, where) => {
    if (names.length === 0) where("names").fail("it is empty: name at least one record");
    if (port === 0 && type.toUpperCase() !== "SRV") where("port").fail(`records of type ${type} need a port`);
  },
);

const HTTP = struct({ url: required(httpUrl), refresh_interval: preset(duration, 60_000), ...HTTP_FIELDS }, checkHttp);

const CONSUL = struct(
  {
    server: preset(text, "localhost:8500"),
    path_prefix: optional(text),
    token: optional(secret),
    datacenter: optional(text),
    namespace: optional(text),
    partition: optional(text),
    scheme: preset(text, "http"),
    username: optional(text),
    password: optional(secret),
    services: preset(list(text), []),
    tags: preset(list(text), []),
    node_meta: preset(map(text), {}),
    filter: optional(text),
    health_filter: optional(text),
    tag_separator: preset(text, ","),
    allow_stale: preset(flag, true),
    refresh_interval: preset(duration, 30_000),
    ...HTTP_FIELDS,
  },
  (value, where) => {
    if (value.server.trim() === "") where("server").fail("it is empty");
    if ((value.username || value.password) && value.basic_auth) where("username").fail("it cannot be combined with basic_auth");
    if (value.token && (value.authorization || value.oauth2)) where("token").fail("it cannot be combined with authorization or oauth2");
    checkHttp(value, where as never);
  },
);

const FILTERS = list(
  struct({ name: required(text), values: preset(list(text), []) }, ({ values }, where) => {
    if (values.length === 0) where("values").fail("it is empty: a filter needs values");
  }),
);
const AWS_FIELDS = {
  region: optional(text),
  endpoint: optional(text),
  access_key: optional(text),
  secret_key: optional(secret),
  profile: optional(text),
  role_arn: optional(text),
  external_id: optional(text),
  refresh_interval: preset(duration, 60_000),
  port: preset(natural, 80),
  ...HTTP_FIELDS,
};
const EC2 = struct({ ...AWS_FIELDS, filters: preset(FILTERS, []) }, checkHttp);

const ROLES = ["pod", "service", "endpoints", "endpointslice", "node", "ingress"] as const;
type Role = (typeof ROLES)[number];
const role = oneOf(...ROLES);
/** The objects whose selectors each role may have. */
const SELECTORS: Readonly<Record<Role, readonly Role[]>> = {
  pod: ["pod", "node"],
  service: ["service"],
  endpointslice: ["pod", "service", "endpointslice"],
  endpoints: ["pod", "service", "endpoints"],
  node: ["node"],
  ingress: ["ingress"],
};
/** Requirements on fields: `name=value`, `name==value` or `name!=value`, separated by commas. */
const fieldSelector = scalar((written) =>
  written.split(",").every((one) => one.trim() === "" || /^[^=!]+(?:==?|!=)[^=!]*$/.test(one.trim()))
    ? written
    : new Error(`${JSON.stringify(written)} is not a field selector`),
);
const REQUIREMENT = String.raw`\s*(?:!?\s*[\w./-]+|[\w./-]+\s*(?:==?|!=|<|>)\s*[\w.-]*|[\w./-]+\s+(?:in|notin)\s*\([\w.,\s-]*\))\s*`;
const LABEL_SELECTOR = new RegExp(`^(?:${REQUIREMENT}(?:,${REQUIREMENT})*)?$`);
/** Requirements on labels: comparisons, sets and existence, separated by commas. */
const labelSelector = scalar((written) =>
  LABEL_SELECTOR.test(written) ? written : new Error(`${JSON.stringify(written)} is not a label selector`),
);
const KUBERNETES = struct(
  {
    api_server: optional(httpUrl),
    role: required(role),
    kubeconfig_file: optional(path("secret")),
    namespaces: optional(struct({ own_namespace: preset(flag, false), names: preset(list(text), []) })),
    selectors: preset(list(struct({ role: required(role), label: optional(labelSelector), field: optional(fieldSelector) })), []),
    attach_metadata: optional(
      struct({
        node: preset(flag, false),
        namespace: preset(flag, false),
        deployment: preset(flag, false),
        job: preset(flag, false),
        cronjob: preset(flag, false),
      }),
    ),
    ...HTTP_FIELDS,
  },
  (value, where) => {
    const { api_server, kubeconfig_file, namespaces, selectors } = value;
    checkHttp(value, where as never);
    if (api_server && kubeconfig_file) where("kubeconfig_file").fail("it cannot be combined with api_server");
    if (isCustomHttp(value) && kubeconfig_file) where("kubeconfig_file").fail("it cannot be combined with settings of the HTTP client");
    else if (isCustomHttp(value) && !api_server) where("role").fail("settings of the HTTP client need an api_server");
    if (namespaces?.own_namespace === true && (api_server || kubeconfig_file))
      where("namespaces").fail("own_namespace cannot be combined with api_server or kubeconfig_file");
    const seen = new Set<string>();
    for (const selector of selectors) {
      if (seen.has(selector.role)) where("selectors").fail(`there are two selectors for the role ${selector.role}`);
      seen.add(selector.role);
      if (!SELECTORS[value.role].includes(selector.role))
        where("selectors").fail(`the role ${value.role} allows only selectors for ${SELECTORS[value.role].join(", ")}`);
    }
  },
);

/** The kinds of discovery whose fields are checked one by one. */
const CHECKED = {
  file_sd_configs: preset(list(FILE, "section"), []),
  http_sd_configs: preset(list(HTTP, "section"), []),
  dns_sd_configs: preset(list(DNS, "section"), []),
  kubernetes_sd_configs: preset(list(KUBERNETES, "section"), []),
  consul_sd_configs: preset(list(CONSUL, "section"), []),
  ec2_sd_configs: preset(list(EC2, "section"), []),
};

/** A kind of discovery that is only recognized: its fields, and which of them must be present. */
// oxlint-disable-next-line max-params -- a row of the table below
const recognized = (fields: string, needed = "", more: Fields = HTTP_FIELDS, check: Check = () => {}): Kind<unknown> => {
  const must = new Set(words(needed));
  const kinds = Object.fromEntries(
    words(fields).map((field) => {
      const [name = "", kind = "text"] = field.split(":");
      return [name, must.has(name) ? required(KINDS[kind] ?? text) : optional(KINDS[kind] ?? text)];
    }),
  ) as Fields;
  const isHttp = more === HTTP_FIELDS;
  return struct({ refresh_interval: optional(duration), port: optional(integer), ...more, ...kinds }, (value, where) => {
    if (isHttp) checkHttp(value as never, where as never);
    check(value, where as never);
  });
};
const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");
type Check = (value: Readonly<Record<string, unknown>>, where: (field: string) => Place) => void;
const isEmpty = (value: unknown): boolean => value === undefined || value === "" || (value instanceof Secret && value.reveal() === "");
/** Reports those of the fields that are absent or empty. */
const need = (value: Readonly<Record<string, unknown>>, where: (field: string) => Place, fields: string): void => {
  for (const field of fields.split(" ")) if (isEmpty(value[field])) where(field).fail("it is missing");
};
const AZURE_WAYS = ["OAuth", "ManagedIdentity", "SDK", "WorkloadIdentity"];
const checkAzure: Check = (value, where) => {
  const way = String(value["authentication_method"] ?? "OAuth");
  if (way === "OAuth") need(value, where, "tenant_id client_id client_secret");
  if (!AZURE_WAYS.includes(way)) where("authentication_method").fail(`it is not one of ${AZURE_WAYS.join(", ")}`);
};
const checkMarathon: Check = (value, where) => {
  const { servers, auth_token, auth_token_file, basic_auth, authorization, oauth2, bearer_token, bearer_token_file } = value;
  if (!Array.isArray(servers) || servers.length === 0) where("servers").fail("it is empty: name at least one server");
  atMostOne(where, { auth_token, auth_token_file, basic_auth, authorization, oauth2, bearer_token, bearer_token_file });
};
const checkSecret: Check = (value, where) => {
  if (isEmpty(value["secret_key"]) && isEmpty(value["secret_key_file"]))
    where("secret_key").fail("it is missing: give secret_key or secret_key_file");
  atMostOne(where, { secret_key: value["secret_key"], secret_key_file: value["secret_key_file"] });
};
const checkStackit: Check = ({ endpoint }, where) => {
  if (typeof endpoint === "string" && endpoint.startsWith(":")) where("endpoint").fail(`${JSON.stringify(endpoint)} is not a URL`);
};
const KINDS: Readonly<Record<string, Kind<unknown>>> = {
  texts: list(text) as Kind<unknown>,
  secret: secret as Kind<unknown>,
  flag: flag as Kind<unknown>,
  number: integer as Kind<unknown>,
  duration: duration as Kind<unknown>,
  filters: FILTERS as Kind<unknown>,
  tls: TLS as Kind<unknown>,
  file: path("secret") as Kind<unknown>,
  url: httpUrl as Kind<unknown>,
};
const NO_HTTP: Fields = {};
const AWS = "region endpoint access_key secret_key:secret profile role_arn external_id";
const section = (kind: Kind<unknown>) => preset(list(kind, "section"), [] as readonly unknown[]);

/** The kinds of discovery that this server does not have: their fields are checked, and nothing is discovered. */
const RECOGNIZED = {
  aws_sd_configs: section(recognized(`role ${AWS} filters:filters clusters:texts`, "role")),
  azure_sd_configs: section(
    recognized(
      "environment subscription_id tenant_id client_id client_secret:secret authentication_method resource_group",
      "subscription_id",
      HTTP_FIELDS,
      checkAzure,
    ),
  ),
  digitalocean_sd_configs: section(recognized("role")),
  docker_sd_configs: section(recognized("host filters:filters host_networking_host match_first_network:flag", "host")),
  dockerswarm_sd_configs: section(recognized("host role filters:filters", "host role")),
  eureka_sd_configs: section(recognized("server:url", "server")),
  gce_sd_configs: section(recognized("project zone filter tag_separator", "project zone", NO_HTTP)),
  hetzner_sd_configs: section(recognized("role label_selector", "role")),
  ionos_sd_configs: section(recognized("datacenter_id", "datacenter_id")),
  kuma_sd_configs: section(recognized("server:url client_id fetch_timeout:duration", "server")),
  lightsail_sd_configs: section(recognized(AWS)),
  linode_sd_configs: section(recognized("tag_separator region")),
  marathon_sd_configs: section(recognized("servers:texts auth_token:secret auth_token_file:file", "", HTTP_FIELDS, checkMarathon)),
  nerve_sd_configs: section(recognized("servers:texts paths:texts timeout:duration", "", NO_HTTP)),
  nomad_sd_configs: section(recognized("allow_stale:flag namespace region server tag_separator")),
  oci_sd_configs: section(
    recognized("auth tenancy user fingerprint key_file:file key_passphrase:secret key_passphrase_file:file region compartments:texts"),
  ),
  openstack_sd_configs: section(
    recognized(
      "identity_endpoint username userid password:secret project_name project_id domain_name domain_id application_credential_name " +
        "application_credential_id application_credential_secret:secret role region all_tenants:flag tls_config:tls availability",
      "role region",
      NO_HTTP,
    ),
  ),
  outscale_sd_configs: section(
    recognized("endpoint region access_key secret_key:secret secret_key_file:file", "region access_key", HTTP_FIELDS, checkSecret),
  ),
  ovhcloud_sd_configs: section(
    recognized(
      "endpoint application_key application_secret:secret consumer_key:secret service",
      "application_key application_secret consumer_key service",
      NO_HTTP,
    ),
  ),
  puppetdb_sd_configs: section(recognized("url:url query include_parameters:flag", "url query")),
  scaleway_sd_configs: section(
    recognized(
      "project_id api_url:url zone access_key secret_key:secret secret_key_file:file name_filter tags_filter:texts role",
      "role project_id access_key",
      HTTP_FIELDS,
      checkSecret,
    ),
  ),
  serverset_sd_configs: section(recognized("servers:texts paths:texts timeout:duration", "", NO_HTTP)),
  stackit_sd_configs: section(
    recognized(
      "project region endpoint service_account_key:secret private_key:secret service_account_key_path:file private_key_path:file credentials_file_path:file",
      "",
      HTTP_FIELDS,
      checkStackit,
    ),
  ),
  triton_sd_configs: section(
    recognized("account role dns_suffix endpoint groups:texts tls_config:tls version:number", "account dns_suffix endpoint", NO_HTTP),
  ),
  uyuni_sd_configs: section(recognized("server:url username password:secret entitlement separator", "server username password")),
  vultr_sd_configs: section(recognized("")),
};

/** The names of the kinds of discovery that are only checked. */
export const RECOGNIZED_DISCOVERY: readonly (keyof typeof RECOGNIZED)[] = Object.keys(RECOGNIZED) as (keyof typeof RECOGNIZED)[];

/** The fields of all kinds of discovery, for sections that contain them. */
export const DISCOVERY_FIELDS = { static_configs: preset(list(TARGET_GROUP, "section"), []), ...CHECKED, ...RECOGNIZED };
