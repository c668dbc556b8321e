import type { Change } from "../vocabulary.ts";
import { federate, made } from "./phrases.ts";

/** Another configuration while the server runs. */

const NEEDS = ["lifecycle"] as const;
const CONFIG = "/api/v1/status/config";
/** A sound change, which is the control of all others. */
const TWIN = ["/-/healthy", CONFIG];
const LABELS: Change = {
  settings: {
    global: { scrape_interval: "200ms", scrape_timeout: "200ms", evaluation_interval: "200ms", external_labels: { region: "us" } },
  },
};
const MORE: Change = {
  settings: {
    scrape_configs: [
      { job_name: "targets", static_configs: [{ targets: ["{target}"] }] },
      { job_name: "another", static_configs: [{ targets: ["{target}"] }] },
    ],
  },
};
const RULES = JSON.stringify({ groups: [{ name: "g", rules: [{ record: "job:fed_b:sum", expr: "sum by (job) (fed_b)" }] }] });

/** A configuration that is wrong in one place: it is refused, and the present one stays. */
const wrong = (id: string, title: string, change: Change) => [
  made({
    id: `reload-${id}`,
    covers: "configuration/refused",
    needs: NEEDS,
    title: `${title} is refused, and the present configuration stays.`,
    change,
    asks: [CONFIG],
    twin: TWIN,
    see: ["refused-and-kept", "1", "2"],
  }),
  made({
    id: `reload-${id}-targets`,
    covers: "configuration/not-applied",
    needs: NEEDS,
    title: `${title} changes nothing about the targets.`,
    change,
    asks: ["/api/v1/targets?state=active"],
    twin: TWIN,
    see: ["pools", "2", "dead", "dropped", "relabelled", "targets"],
  }),
];

export const cases = [
  made({
    id: "reload-post",
    covers: "management.reload/methods",
    needs: NEEDS,
    title: "A reload by POST takes the configuration.",
    change: {},
    asks: [CONFIG],
    see: ["status", "1", "200"],
  }),
  made({
    id: "reload-put",
    covers: "management.reload/methods",
    needs: NEEDS,
    title: "A reload by PUT takes the configuration.",
    change: { method: "PUT" },
    asks: [CONFIG],
    see: ["status", "1", "200"],
  }),
  made({
    id: "reload-disabled",
    covers: "management.reload/disabled",
    of: "plain",
    needs: NEEDS,
    title: "Without the life cycle API a reload by POST is refused, and changes nothing.",
    change: LABELS,
    asks: [CONFIG],
    twin: TWIN,
    see: ["refused-and-kept", "1", "2"],
  }),
  made({
    id: "reload-disabled-put",
    covers: "management.reload/disabled",
    of: "plain",
    needs: NEEDS,
    title: "Without the life cycle API a reload by PUT is refused, and changes nothing.",
    change: { ...LABELS, method: "PUT" },
    asks: [CONFIG],
    twin: TWIN,
    see: ["refused-and-kept", "1", "2"],
  }),
  made({
    id: "reload-disabled-403",
    covers: "management.reload/forbidden",
    level: "SHOULD",
    of: "plain",
    needs: NEEDS,
    title: "Without the life cycle API a reload is answered with 403.",
    change: {},
    asks: [],
    twin: TWIN,
    see: ["status", "1", "403"],
  }),
  made({
    id: "reload-shown",
    covers: "configuration/applied",
    needs: NEEDS,
    title: "After a reload the new configuration is shown.",
    change: LABELS,
    asks: [{ path: CONFIG, until: "region: us" }],
    see: ["text", "2", "region: us"],
  }),
  made({
    id: "reload-external",
    covers: "configuration/applied",
    needs: NEEDS,
    title: "After a reload new external labels are used.",
    change: LABELS,
    asks: [{ path: federate("fed_a"), until: 'region="us"' }],
    see: ["labels", "2", "fed_a", "region=us"],
  }),
  made({
    id: "reload-job",
    covers: "configuration/applied",
    needs: NEEDS,
    title: "After a reload a new job is scraped.",
    change: MORE,
    asks: [{ path: '/api/v1/query?query=fed_b{job="another"}', until: "another" }],
    see: ["found", "2", "fed_b", "job=another", "21"],
  }),
  made({
    id: "reload-gone-job",
    covers: "configuration/applied",
    needs: NEEDS,
    title: "After a reload the targets of a removed job are gone.",
    change: MORE,
    asks: [{ path: "/api/v1/targets?state=active", until: '"another"' }],
    see: ["pools", "2", "another", "targets"],
  }),
  made({
    id: "reload-gone-series",
    covers: "staleness/removed",
    needs: NEEDS,
    title: "After a reload the series of a removed job have ended.",
    change: MORE,
    asks: [{ path: '/api/v1/query?query=up{job="dead"}', unless: "dead" }, '/api/v1/query?query=up{job="targets"}'],
    see: ["found-none", "2", "3"],
  }),
  made({
    id: "reload-rules",
    covers: "management.reload/rules",
    needs: NEEDS,
    title: "A reload takes rule files that have changed.",
    change: { rules: RULES },
    asks: [{ path: "/api/v1/rules", until: "job:fed_b:sum" }],
    see: ["text", "2", "job:fed_b:sum"],
  }),
  made({
    id: "reload-rules-gone",
    covers: "management.reload/rules",
    needs: NEEDS,
    title: "A rule that a changed file lacks is gone.",
    change: { rules: RULES },
    asks: [{ path: "/api/v1/rules", unless: "job:fed_a:sum" }],
    see: ["no-text", "2", "job:fed_a:sum"],
  }),
  ...wrong("syntax", "A file that is no YAML", { text: "global: [\n" }),
  ...wrong("unknown-field", "An unknown field", { settings: { no_such_field: 1 } }),
  ...wrong("duration", "A text that is no duration", { settings: { global: { scrape_interval: "soon" } } }),
  ...wrong("timeout", "A time-out above its interval", {
    settings: { scrape_configs: [{ job_name: "targets", scrape_interval: "1s", scrape_timeout: "2s" }] },
  }),
  ...wrong("same-job", "A job name that occurs twice", { settings: { scrape_configs: [{ job_name: "a" }, { job_name: "a" }] } }),
  ...wrong("no-job", "A job without a name", { settings: { scrape_configs: [{ static_configs: [{ targets: ["{target}"] }] }] } }),
  ...wrong("relabel", "A relabelling rule without its target label", {
    settings: { scrape_configs: [{ job_name: "a", relabel_configs: [{ source_labels: ["b"], action: "hashmod", modulus: 2 }] }] },
  }),
  ...wrong("regex", "An invalid pattern", {
    settings: { scrape_configs: [{ job_name: "a", relabel_configs: [{ target_label: "b", regex: "(" }] }] },
  }),
  ...wrong("label", "A wrong name of an external label", { settings: { global: { external_labels: { __name__: "x", "": "y" } } } }),
  made({
    id: "reload-wrong-rules",
    covers: "configuration/refused",
    needs: NEEDS,
    title: "A rule file that is wrong is refused, and the present rules stay.",
    change: { rules: "groups: [{name: g, rules: [{record: x, expr: 'sum('}]}]" },
    asks: ["/api/v1/rules"],
    twin: TWIN,
    see: ["refused-with-text", "1", "2", "job:fed_a:sum"],
  }),
  made({
    id: "reload-message",
    covers: "configuration/said",
    level: "SHOULD",
    needs: NEEDS,
    title: "The answer to a wrong configuration says what is wrong.",
    change: { settings: { no_such_field: 1 } },
    asks: [],
    twin: TWIN,
    see: ["text", "1", "no_such_field"],
  }),
  made({
    id: "reload-failed-shown",
    covers: "status.runtime/success",
    level: "SHOULD",
    needs: NEEDS,
    title: "After a failed reload the run-time information says so.",
    change: { settings: { no_such_field: 1 } },
    asks: ["/api/v1/status/runtimeinfo"],
    twin: TWIN,
    see: ["field", "2", "data.reloadConfigSuccess", "false"],
  }),
  made({
    id: "reload-after-failed",
    covers: "configuration/applied",
    needs: NEEDS,
    title: "A good configuration is taken after a wrong one.",
    change: {},
    asks: ["/api/v1/status/runtimeinfo"],
    see: ["field", "2", "data.reloadConfigSuccess", "true"],
  }),
];
