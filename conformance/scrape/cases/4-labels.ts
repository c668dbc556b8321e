import type { Settings } from "../vocabulary.ts";
import { made, page } from "./phrases.ts";

/** Labels of targets, their conflicts with those of pages, and relabelling. */

const S = "configuration.scrape-config";
const R = "configuration.relabel-config";
const M = "configuration.metric-relabel-configs";
const relabel = (...rules: readonly object[]): Settings => ({ relabel_configs: rules });
const metrics = (...rules: readonly object[]): Settings => ({ metric_relabel_configs: rules });
const HONOR: Settings = { honor_labels: true };

export const cases = [
  made({
    id: "label-job",
    covers: `${S}/job-name`,
    title: "The label job is the name of the job.",
    stages: [page(1, "a 1")],
    see: { see: "stored", name: "a", labels: { job: "{job}" } },
  }),
  made({
    id: "label-instance",
    covers: `${R}/instance`,
    title: "The label instance is the address of the target.",
    stages: [page(1, "a 1")],
    see: { see: "stored", name: "a", labels: { instance: "{target}" } },
  }),
  made({
    id: "label-of-target",
    covers: "configuration.static-config/labels",
    title: "The labels of a list of targets are those of every sample.",
    labels: { env: "test" },
    stages: [page(1, 'a{own="x"} 1')],
    see: { see: "stored", name: "a", labels: { env: "test", own: "x" } },
  }),
  ...(
    [
      ["job", "{job}"],
      ["instance", "{target}"],
      ["env", "test"],
    ] as const
  ).flatMap(([label, own]) => [
    made({
      id: `conflict-${label}`,
      covers: `${S}/honor-labels-false`,
      title: `A label ${label} of a page becomes exported_${label}, and that of the target is attached.`,
      labels: { env: "test" },
      stages: [page(1, `a{${label}="x"} 1`)],
      see: { see: "stored", name: "a", labels: { [label]: own, [`exported_${label}`]: "x" } },
    }),
    made({
      id: `honor-${label}`,
      covers: `${S}/honor-labels-true`,
      title: `A label ${label} of a page stays with honor_labels.`,
      labels: { env: "test" },
      settings: HONOR,
      stages: [page(1, `a{${label}="x"} 1`)],
      see: { see: "stored", name: "a", labels: { [label]: "x", [`exported_${label}`]: null } },
    }),
  ]),
  made({
    id: "conflict-asked-for",
    covers: `${S}/honor-labels-false`,
    title: "A label of a page is renamed where honor_labels is false in so many words.",
    settings: { honor_labels: false },
    stages: [page(1, 'a{job="x"} 1')],
    see: { see: "stored", name: "a", labels: { job: "{job}", exported_job: "x" } },
  }),
  made({
    id: "honor-other-labels",
    covers: `${S}/honor-labels-true`,
    title: "With honor_labels the labels of the target are attached where the page has none.",
    labels: { env: "test" },
    settings: HONOR,
    stages: [page(1, 'a{job="x"} 1')],
    see: { see: "stored", name: "a", labels: { job: "x", instance: "{target}", env: "test" } },
  }),
  made({
    id: "relabel-instance",
    covers: `${R}/instance`,
    title: "An instance that relabelling has set stays.",
    settings: relabel({ target_label: "instance", replacement: "own" }),
    stages: [page(1, "a 1")],
    see: { see: "stored", name: "a", labels: { instance: "own" } },
  }),
  made({
    id: "relabel-path",
    covers: `${R}/special-labels`,
    title: "The label __metrics_path__ is the path of the scrape.",
    settings: relabel({ target_label: "__metrics_path__", replacement: "/elsewhere" }),
    see: { see: "asks", rule: "path", words: ["/elsewhere"] },
  }),
  made({
    id: "relabel-parameter",
    covers: `${R}/special-labels`,
    title: "A label __param_NAME is a parameter of the request.",
    settings: { params: { module: ["old"] }, ...relabel({ target_label: "__param_module", replacement: "new" }) },
    see: { see: "asks", rule: "parameters", words: ["module=new"] },
  }),
  made({
    id: "relabel-scheme",
    covers: `${R}/special-labels`,
    title: "The label __scheme__ is the scheme of the scrape.",
    settings: { scheme: "https", ...relabel({ target_label: "__scheme__", replacement: "http" }) },
    stages: [page(1, "a 1")],
    see: { see: "stored", name: "a" },
  }),
  made({
    id: "relabel-special-of-list",
    covers: `${R}/special-labels`,
    title: "A special label among those of the list of targets replaces the setting.",
    labels: { __metrics_path__: "/listed" },
    see: { see: "asks", rule: "path", words: ["/listed"] },
  }),
  made({
    id: "relabel-hidden-labels",
    covers: `${R}/hidden-labels`,
    title: "Labels that begin with two underscores are not stored.",
    labels: { __secret: "x" },
    settings: relabel({ target_label: "__tmp_y", replacement: "y" }),
    stages: [page(1, "a 1")],
    see: [
      { see: "keeps", rule: "no-labels", words: ["__"] },
      { see: "stored", name: "a" },
    ],
  }),
  made({
    id: "relabel-from-hidden",
    covers: `${R}/replace`,
    title: "A replacement has the groups of a match of the whole joined value.",
    labels: { __x: "one", __y: "two" },
    settings: relabel({ source_labels: ["__x", "__y"], regex: "o(.*);(.*)o", target_label: "made", replacement: "${1}-$2" }),
    stages: [page(1, "a 1")],
    see: { see: "stored", name: "a", labels: { made: "ne-tw" } },
  }),
  made({
    id: "relabel-anchored",
    covers: `${R}/replace`,
    title: "An expression that matches only a part of the value replaces nothing.",
    labels: { env: "testing" },
    settings: relabel({ source_labels: ["env"], regex: "test", target_label: "env", replacement: "x" }),
    stages: [page(1, "a 1")],
    see: { see: "stored", name: "a", labels: { env: "testing" } },
  }),
  made({
    id: "relabel-drop",
    covers: `${R}/drop`,
    title: "A target that a rule drops is not scraped, and the other one is.",
    hasSecond: true,
    settings: relabel({ source_labels: ["__address__"], regex: "localhost:.*", action: "drop" }),
    stages: [page(1)],
    see: { see: "asks", rule: "only-host", words: ["{target}"] },
  }),
  made({
    id: "relabel-keep",
    covers: `${R}/drop`,
    title: "A target that a rule does not keep is not scraped, and the other one is.",
    hasSecond: true,
    settings: relabel({ source_labels: ["__address__"], regex: "127.*", action: "keep" }),
    stages: [page(1)],
    see: { see: "asks", rule: "only-host", words: ["{target}"] },
  }),
  made({
    id: "relabel-map",
    covers: `${R}/labelmap`,
    title: "The action labelmap copies labels to the names of its replacement.",
    labels: { __own_zone: "z1" },
    settings: relabel({ regex: "__own_(.+)", action: "labelmap" }),
    stages: [page(1, "a 1")],
    see: { see: "stored", name: "a", labels: { zone: "z1" } },
  }),
  made({
    id: "samples-dropped",
    covers: `${M}/samples`,
    title: "Samples that relabelling drops are not stored, and others are.",
    settings: metrics({ source_labels: ["__name__"], regex: "b|c", action: "drop" }),
    stages: [page(1, "a 1", "b 1", "c 1")],
    see: [
      { see: "stored", name: "a" },
      { see: "absent", name: "b" },
      { see: "absent", name: "c" },
    ],
  }),
  made({
    id: "samples-renamed",
    covers: `${M}/samples`,
    title: "Relabelling can give samples another name.",
    settings: metrics({ source_labels: ["__name__"], regex: "old_(.*)", target_label: "__name__", replacement: "new_$1" }),
    stages: [page(1, "old_a 1")],
    see: [
      { see: "stored", name: "new_a" },
      { see: "absent", name: "old_a" },
    ],
  }),
  made({
    id: "samples-labels-dropped",
    covers: `${M}/samples`,
    title: "Relabelling can remove labels of samples.",
    settings: metrics({ regex: "internal.*", action: "labeldrop" }),
    stages: [page(1, 'a{internal_id="7",kept="x"} 1')],
    see: { see: "stored", name: "a", labels: { internal_id: null, kept: "x" } },
  }),
  made({
    id: "reports-not-relabelled",
    covers: `${M}/not-reports`,
    title: "The series up is not relabelled as samples are.",
    settings: metrics({ source_labels: ["__name__"], regex: "up|a", action: "drop" }),
    stages: [page(1, "a 1")],
    see: [
      { see: "stored", name: "up" },
      { see: "absent", name: "a" },
    ],
  }),
];
