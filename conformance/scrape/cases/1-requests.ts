import type { Sight } from "../vocabulary.ts";
import { made, page } from "./phrases.ts";

/** What a scraper asks its target for. */

const S = "configuration.scrape-config";
const asks = (rule: string, ...words: readonly string[]): Sight => ({ see: "asks", rule, ...(words.length > 0 && { words }) });
const OLD = { scrape_protocols: ["PrometheusText0.0.4"] };

const ORDERS: readonly (readonly [id: string, title: string, protocols: readonly string[]])[] = [
  ["text-only", "the text format 0.0.4 alone", ["PrometheusText0.0.4"]],
  ["text-first", "the text format 0.0.4 before OpenMetrics", ["PrometheusText0.0.4", "OpenMetricsText1.0.0"]],
  ["old-openmetrics", "OpenMetrics 0.0.1 alone", ["OpenMetricsText0.0.1"]],
  ["protobuf-alone", "messages of protobuf alone", ["PrometheusProto"]],
  ["protobuf-last", "messages of protobuf after the text format 1.0.0", ["PrometheusText1.0.0", "PrometheusProto"]],
];

export const cases = [
  made({ id: "method-get", covers: `${S}/metrics-path`, title: "A scrape is a GET.", see: asks("get") }),
  made({
    id: "path-default",
    covers: `${S}/metrics-path`,
    title: "The path of a scrape is /metrics where nothing else is configured.",
    see: asks("path", "/metrics"),
  }),
  made({
    id: "path-configured",
    covers: `${S}/metrics-path`,
    title: "The path of a scrape is the configured one.",
    settings: { metrics_path: "/own/path" },
    see: asks("path", "/own/path"),
  }),
  made({
    id: "parameters",
    covers: `${S}/params`,
    title: "The request of a scrape has the configured parameters, also several of one name.",
    settings: { params: { module: ["a b", "c"], empty: [""] } },
    see: asks("parameters", "module=a b", "module=c", "empty="),
  }),
  made({
    id: "accept-default",
    covers: `${S}/protocols-default`,
    title: "Without configured protocols a scrape prefers OpenMetrics, the newer version first.",
    needs: ["protocols", "fallback"],
    see: asks("prefers", "OpenMetricsText1.0.0", "OpenMetricsText0.0.1", "PrometheusText1.0.0", "PrometheusText0.0.4"),
  }),
  ...ORDERS.map(([id, title, protocols]) =>
    made({
      id: `accept-${id}`,
      covers: `${S}/protocols`,
      title: `A scrape accepts ${title}, as configured.`,
      settings: { scrape_protocols: protocols, fallback_scrape_protocol: "PrometheusText0.0.4" },
      needs: ["protocols", "fallback"],
      see: asks("prefers", ...protocols),
    }),
  ),
  made({
    id: "accept-native-first",
    covers: `${S}/protocols-native`,
    title: "A job that scrapes native histograms prefers messages of protobuf.",
    settings: { scrape_native_histograms: true },
    needs: ["native"],
    see: asks("prefers", "PrometheusProto", "OpenMetricsText1.0.0", "OpenMetricsText0.0.1", "PrometheusText1.0.0", "PrometheusText0.0.4"),
  }),
  made({
    id: "accept-parameters",
    covers: "negotiation.accept/parameters",
    title: "Each type that a scrape accepts has the parameters of its protocol.",
    see: asks("parameters-of-types"),
  }),
  made({
    id: "accept-quality-falls",
    covers: ["negotiation.quality-values/falling", "negotiation.accept/quality"],
    level: "SHOULD",
    title: "The quality values of Accept fall from one protocol to the next.",
    see: asks("quality-falls"),
  }),
  made({
    id: "accept-catch-all",
    covers: "negotiation.accept/catch-all",
    level: "SHOULD",
    title: "A scrape accepts anything else with the lowest quality.",
    see: asks("catch-all"),
  }),
  made({
    id: "accept-escaping",
    covers: "negotiation.accept/escaping",
    level: "SHOULD",
    title: "The types of version 1.0.0 name an escaping scheme.",
    needs: ["utf8"],
    see: asks("escaping"),
  }),
  made({
    id: "accept-known-scheme",
    covers: "negotiation.escaping-scheme/known",
    title: "An escaping scheme that a scrape asks for is one of the four.",
    see: asks("known-scheme"),
  }),
  ...(["underscores", "dots", "values"] as const).map((scheme) =>
    made({
      id: `accept-scheme-${scheme}`,
      covers: `${S}/escaping-scheme`,
      title: `A scrape asks for the configured escaping scheme ${scheme}.`,
      settings: { metric_name_escaping_scheme: scheme },
      needs: ["escaping"],
      see: asks("escaping", scheme),
    }),
  ),
  made({
    id: "accept-scheme-legacy",
    covers: `${S}/escaping-scheme`,
    title: "A job of the legacy validation scheme asks for underscores.",
    settings: { metric_name_validation_scheme: "legacy" },
    needs: ["escaping", "utf8"],
    see: asks("escaping", "underscores"),
  }),
  made({
    id: "coding-gzip",
    covers: "negotiation.compression/gzip",
    level: "SHOULD",
    title: "A scrape accepts gzip.",
    see: asks("coding", "gzip"),
  }),
  made({
    id: "coding-off",
    covers: `${S}/compression-off`,
    title: "A scrape does not accept gzip where compression is disabled.",
    settings: { enable_compression: false },
    needs: ["compression"],
    see: asks("no-gzip"),
  }),
  made({
    id: "coding-identity",
    covers: "negotiation.compression/gzip",
    level: "SHOULD",
    title: "A scrape accepts identity where compression is disabled.",
    settings: { enable_compression: false },
    needs: ["compression"],
    see: asks("coding", "identity"),
  }),
  made({
    id: "protocols-configured-text",
    covers: ["formats.text/version-0.0.4", `${S}/protocols`],
    title: "A job that accepts the text format 0.0.4 alone stores its pages.",
    settings: OLD,
    needs: ["protocols"],
    stages: [page(1, "a 7")],
    see: { see: "stored", name: "a", value: 7, stage: 1 },
  }),
];
