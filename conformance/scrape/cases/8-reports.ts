import type { Answer, Sight, Stage } from "../vocabulary.ts";
import { bad, LEAK, made, OPENMETRICS, page } from "./phrases.ts";

/** The series that a scraper makes itself. */

const UP = "alerting.up/up";
const E = "features.extra-scrape-metrics";
const EXTRA = { extra_scrape_metrics: true } as const;
const report = (name: string, stage: number, value: number): Sight => ({ see: "report", name, stage, value });

const DOWN: readonly (readonly [id: string, title: string, answer: Answer, settings?: object])[] = [
  ["error", "answers with 500", { status: 500 }],
  ["unauthorized", "answers with 401", { status: 401 }],
  ["dropped", "ends the connection", { how: "drop" }],
  ["late", "does not answer in time", { how: "hang" }],
  ["malformed", "has a malformed page of OpenMetrics", { type: OPENMETRICS, page: `# TYPE leaked gauge\n${LEAK}\n}{\n# EOF\n` }],
  ["over-limit", "has more samples than the limit", { page: "b 1\nc 1\nd 1\n" }, { sample_limit: 2 }],
];
const failed = (answer: Answer): readonly Stage[] => [page(1), bad(answer), page(3)];

export const cases = [
  made({
    id: "up-one",
    covers: UP,
    level: "SHOULD",
    title: "The series up is 1 at the time of a scrape that is stored.",
    see: report("up", 1, 1),
  }),
  ...DOWN.map(([id, title, answer, settings = {}]) =>
    made({
      id: `up-zero-${id}`,
      covers: UP,
      level: "SHOULD",
      title: `The series up is 0 while a target ${title}.`,
      settings: { ...settings },
      stages: failed(answer),
      see: report("up", 2, 0),
      control: [page(1)],
    }),
  ),
  made({
    id: "up-goes-on",
    covers: UP,
    level: "SHOULD",
    title: "The series up is 1 again once the target can be scraped again.",
    stages: failed({ status: 500 }),
    see: report("up", 3, 1),
    control: [page(1)],
  }),
  made({
    id: "up-empty-page",
    covers: [UP, "prometheus-openmetrics#data-model.metric-set/empty"],
    level: "SHOULD",
    title: "The series up is 1 for a page of OpenMetrics without metrics.",
    stages: [page(1), { answer: { type: OPENMETRICS, page: "# EOF\n" }, until: 2 }, page(3)],
    see: report("up", 2, 1),
    control: [page(1)],
  }),
  made({
    id: "up-labels",
    covers: "alerting.up/labels",
    level: "SHOULD",
    title: "The series up has the labels of its target.",
    labels: { env: "test" },
    see: { see: "stored", name: "up", labels: { job: "{job}", instance: "{target}", env: "test" } },
  }),
  made({
    id: "companion-duration",
    covers: `${E}/companions`,
    level: "SHOULD",
    title: "The series scrape_duration_seconds is a time that is not negative, and shorter than a minute.",
    see: { see: "report", name: "scrape_duration_seconds", stage: 1, least: 0, most: 60 },
  }),
  made({
    id: "companion-samples",
    covers: `${E}/companions`,
    level: "SHOULD",
    title: "The series scrape_samples_post_metric_relabeling counts the samples that relabelling leaves.",
    settings: { metric_relabel_configs: [{ source_labels: ["__name__"], regex: "b", action: "drop" }] },
    stages: [page(1, "a 1", 'b{n="1"} 1', 'b{n="2"} 1')],
    see: report("scrape_samples_post_metric_relabeling", 1, 2),
  }),
  made({
    id: "extra-timeout",
    covers: `${E}/timeout`,
    title: "The series scrape_timeout_seconds is the time-out of the job.",
    settings: { ...EXTRA, scrape_timeout: "250ms" },
    needs: ["extra"],
    see: report("scrape_timeout_seconds", 1, 0.25),
  }),
  made({
    id: "extra-sample-limit",
    covers: `${E}/sample-limit`,
    title: "The series scrape_sample_limit is the limit of the job.",
    settings: { ...EXTRA, sample_limit: 17 },
    needs: ["extra"],
    see: report("scrape_sample_limit", 1, 17),
  }),
  made({
    id: "extra-no-sample-limit",
    covers: `${E}/sample-limit`,
    title: "The series scrape_sample_limit is 0 without a limit.",
    settings: EXTRA,
    needs: ["extra"],
    see: report("scrape_sample_limit", 1, 0),
  }),
  made({
    id: "extra-size",
    covers: `${E}/body-size`,
    title: "The series scrape_body_size_bytes is the size of the page.",
    settings: EXTRA,
    needs: ["extra"],
    see: report("scrape_body_size_bytes", 1, "stage 1\n".length),
  }),
  made({
    id: "extra-size-of-gzip",
    covers: `${E}/body-size`,
    title: "The series scrape_body_size_bytes is the size of the page without compression.",
    settings: EXTRA,
    needs: ["extra"],
    stages: [{ answer: { page: `stage 1\n# ${"x".repeat(1_000)}\n`, coding: { states: "gzip" } }, until: "stored" }],
    see: report("scrape_body_size_bytes", 1, "stage 1\n".length + 1_003),
  }),
  made({
    id: "extra-size-over-limit",
    covers: `${E}/body-size`,
    title: "The series scrape_body_size_bytes is -1 for a page that is larger than the limit.",
    settings: { ...EXTRA, body_size_limit: "100B" },
    needs: ["extra", "size-limit"],
    stages: failed({ page: `# ${"x".repeat(200)}\n` }),
    see: report("scrape_body_size_bytes", 2, -1),
    control: [page(1)],
  }),
  made({
    id: "extra-size-of-failure",
    covers: `${E}/body-size`,
    title: "The series scrape_body_size_bytes is 0 for another failure.",
    settings: EXTRA,
    needs: ["extra"],
    stages: failed({ status: 500 }),
    see: report("scrape_body_size_bytes", 2, 0),
    control: [page(1)],
  }),
];
