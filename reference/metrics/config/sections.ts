import { STRATEGIES } from "../otlp/index.ts";
import { DISCOVERY_FIELDS } from "./discovery.ts";
import { checkHttp, HTTP_FIELDS, RESERVED, TLS } from "./http.ts";
import { duration, flag, integer, list, map, oneOf, real, scalar, size, text } from "./kinds.ts";
import { RELABEL_CONFIGS } from "./relabel.ts";
import { SIGV4 } from "./remote.ts";
import { checkAddresses } from "./scrape.ts";
import { optional, preset, required, struct } from "./struct.ts";

/** The smaller sections: Prometheus docs, configuration/configuration.md, `<alertmanager_config>`, `<tsdb>`, `<exemplars>`, `<tracing_config>`, `otlp`, `runtime`. */

const ALERTMANAGER = struct(
  {
    scheme: preset(text, "http"),
    path_prefix: optional(text),
    timeout: preset(duration, 10_000),
    api_version: preset(oneOf("v2"), "v2"),
    ...HTTP_FIELDS,
    sigv4: optional(SIGV4),
    ...DISCOVERY_FIELDS,
    relabel_configs: preset(RELABEL_CONFIGS, []),
    alert_relabel_configs: preset(RELABEL_CONFIGS, []),
  },
  (value, where) => {
    checkHttp(value, where as never);
    checkAddresses(value, where as never);
    if (value.sigv4 && (value.basic_auth || value.authorization || value.oauth2))
      where("sigv4").fail("it cannot be combined with another way to authenticate");
  },
);
export const ALERTING = struct({
  alert_relabel_configs: preset(RELABEL_CONFIGS, []),
  alertmanagers: preset(list(ALERTMANAGER, "section"), []),
});

const percentage = scalar((written) => {
  const value = Number(written);
  return value >= 0 && value <= 100 ? value : new Error(`${JSON.stringify(written)} is not a percentage from 0 to 100`);
});
const RETENTION = struct({ time: optional(duration), size: optional(size), percentage: optional(percentage) });
export const STORAGE = struct({
  tsdb: optional(
    struct({
      out_of_order_time_window: optional(duration),
      stale_series_compaction_threshold: preset(real, 0),
      chunk_encoding: optional(struct({ floats: optional(oneOf("", "xor", "xor2")) })),
      retention: optional(RETENTION),
    }),
  ),
  exemplars: optional(struct({ max_exemplars: preset(integer, 100_000) })),
});

export const TRACING = struct({
  client_type: preset(oneOf("grpc", "http"), "grpc"),
  endpoint: required(text),
  sampling_fraction: preset(real, 0),
  insecure: preset(flag, false),
  tls_config: optional(TLS),
  headers: preset(
    map(text, (name) => (RESERVED.has(name.toLowerCase()) ? "this header field cannot be set here" : undefined)),
    {},
  ),
  compression: optional(oneOf("", "gzip")),
  timeout: optional(duration),
});

export const OTLP = struct(
  {
    promote_resource_attributes: preset(list(text), []),
    promote_all_resource_attributes: preset(flag, false),
    ignore_resource_attributes: preset(list(text), []),
    translation_strategy: preset(oneOf(...STRATEGIES), STRATEGIES[0]),
    keep_identifying_resource_attributes: preset(flag, false),
    convert_histograms_to_nhcb: preset(flag, false),
    promote_scope_metadata: preset(flag, false),
    label_name_underscore_sanitization: preset(flag, true),
    label_name_preserve_multiple_underscores: preset(flag, true),
  },
  (value, where) => {
    const { promote_all_resource_attributes: isAll, promote_resource_attributes: promoted, ignore_resource_attributes: ignored } = value;
    if (isAll && promoted.length > 0)
      where("promote_resource_attributes").fail("it cannot be combined with promote_all_resource_attributes");
    if (!isAll && ignored.length > 0) where("ignore_resource_attributes").fail("it needs promote_all_resource_attributes: true");
    for (const field of ["promote_resource_attributes", "ignore_resource_attributes"] as const) {
      const names = value[field].map((name) => name.trim());
      if (names.includes("")) where(field).fail("an attribute is empty");
      const twice = names.find((name, at) => name !== "" && names.indexOf(name) < at);
      if (twice !== undefined) where(field).fail(`${JSON.stringify(twice)} is listed twice`);
    }
  },
);

export const RUNTIME = struct({ gogc: preset(integer, 75), log_level: preset(oneOf("debug", "info", "warn", "error"), "info") });
