import type { Case, Settings } from "../vocabulary.ts";
import { bad, failing, LEAK, made, NOT_LEAKED, page, text } from "./phrases.ts";

/** Limits of a job: a scrape that exceeds one fails as a whole, and one that does not is stored. */

const S = "configuration.scrape-config";
const samples = (count: number): string => Array.from({ length: count }, (_, at) => `many{n="${at}"} 1\n`).join("");
const MANY = { see: "absent", name: "many" } as const;
const drop = (regex: string): Settings => ({ metric_relabel_configs: [{ source_labels: ["__name__"], regex, action: "drop" }] });
/** A comment that fills a page up to this many octets. */
const filling = (page: string, octets: number): string => `# ${"x".repeat(octets - page.length - 3)}\n${page}`;
const LABELS = ["label-limits"] as const;
const labels = (count: number): string => Array.from({ length: count }, (_, at) => `l${at}="v"`).join(",");
const AT_LIMIT = 4_096;

type Kept = Pick<Parameters<typeof made>[0], "id" | "covers" | "title" | "settings" | "needs"> & {
  readonly text: string;
  readonly name?: string;
};
/** A page within the limits. */
const kept = ({ text: body, name = "a", ...draft }: Kept): Case =>
  made({ ...draft, stages: [{ answer: { page: body }, until: "stored" }], see: { see: "stored", name, stage: 1 } });

export const cases = [
  failing({
    id: "samples-over-limit",
    covers: `${S}/sample-limit`,
    title: "Nothing is stored of a page with one sample more than the limit.",
    settings: { sample_limit: 4 },
    answer: { page: samples(5) },
    see: MANY,
  }),
  kept({
    id: "samples-at-limit",
    covers: `${S}/sample-limit`,
    title: "A page with as many samples as the limit is stored.",
    settings: { sample_limit: 4 },
    text: text(1, 'a{n="1"} 1', 'a{n="2"} 1', "a 1"),
  }),
  kept({
    id: "samples-after-relabelling",
    covers: [`${S}/sample-limit`, "configuration.metric-relabel-configs/samples"],
    title: "Samples that relabelling drops do not count for the limit.",
    settings: { sample_limit: 3, ...drop("many") },
    text: text(1, "a 1") + samples(20),
  }),
  kept({
    id: "samples-without-limit",
    covers: `${S}/sample-limit`,
    title: "A limit of 0 samples is no limit.",
    settings: { sample_limit: 0 },
    text: text(1, "a 1") + samples(500),
  }),
  made({
    id: "samples-over-limit-ends-series",
    covers: [`${S}/sample-limit`, "staleness.marking/series-gone"],
    title: "A scrape over the limit ends the series of the one before, as one that failed.",
    settings: { sample_limit: 4 },
    stages: [page(1, "a 1"), bad({ page: `a 1\n${samples(5)}` }), page(3)],
    see: [
      { see: "ended", name: "a" },
      { see: "absent", name: "many" },
    ],
    control: [page(1, "a 1")],
  }),
  failing({
    id: "labels-over-limit",
    covers: `${S}/label-limit`,
    title: "Nothing is stored of a page with a sample of too many labels.",
    settings: { label_limit: 12 },
    needs: LABELS,
    answer: { page: `${LEAK}\nmany{${labels(20)}} 1\n` },
    see: [NOT_LEAKED, MANY],
  }),
  kept({
    id: "labels-under-limit",
    covers: `${S}/label-limit`,
    title: "A sample with fewer labels than the limit is stored.",
    settings: { label_limit: 12 },
    needs: LABELS,
    text: text(1, `a{${labels(6)}} 1`),
  }),
  kept({
    id: "labels-after-relabelling",
    covers: [`${S}/label-limit`, "configuration.metric-relabel-configs/samples"],
    title: "Labels that relabelling removes do not count for the limit.",
    settings: { label_limit: 12, metric_relabel_configs: [{ regex: "l.*", action: "labeldrop" }] },
    needs: LABELS,
    text: text(1, `a{${labels(20)}} 1`),
  }),
  failing({
    id: "name-length-over-limit",
    covers: `${S}/label-name-length-limit`,
    title: "Nothing is stored of a page with a label name that is too long.",
    settings: { label_name_length_limit: 20 },
    needs: LABELS,
    answer: { page: `${LEAK}\nmany{${"n".repeat(21)}="v"} 1\n` },
    see: [NOT_LEAKED, MANY],
  }),
  kept({
    id: "name-length-at-limit",
    covers: `${S}/label-name-length-limit`,
    title: "A label name as long as the limit is stored.",
    settings: { label_name_length_limit: 20 },
    needs: LABELS,
    text: text(1, `a{${"n".repeat(20)}="v"} 1`),
  }),
  failing({
    id: "name-length-in-octets",
    covers: `${S}/label-name-length-limit`,
    title: "The length of a label name counts in octets of UTF-8.",
    settings: { label_name_length_limit: 20, metric_name_validation_scheme: "utf8" },
    needs: [...LABELS, "utf8"],
    answer: { type: "text/plain; version=1.0.0; escaping=allow-utf-8", page: `${LEAK}\nmany{"${"é".repeat(11)}"="v"} 1\n` },
    see: [NOT_LEAKED, MANY],
  }),
  failing({
    id: "value-length-over-limit",
    covers: `${S}/label-value-length-limit`,
    title: "Nothing is stored of a page with a label value that is too long.",
    settings: { label_value_length_limit: 60 },
    needs: LABELS,
    answer: { page: `${LEAK}\nmany{l="${"v".repeat(61)}"} 1\n` },
    see: [NOT_LEAKED, MANY],
  }),
  kept({
    id: "value-length-at-limit",
    covers: `${S}/label-value-length-limit`,
    title: "A label value as long as the limit is stored.",
    settings: { label_value_length_limit: 60 },
    needs: LABELS,
    text: text(1, `a{l="${"v".repeat(60)}"} 1`),
  }),
  failing({
    id: "value-length-in-octets",
    covers: `${S}/label-value-length-limit`,
    title: "The length of a label value counts in octets of UTF-8.",
    settings: { label_value_length_limit: 60 },
    needs: LABELS,
    answer: { page: `${LEAK}\nmany{l="${"🚆".repeat(16)}"} 1\n` },
    see: [NOT_LEAKED, MANY],
  }),
  failing({
    id: "size-over-limit",
    covers: `${S}/body-size-limit`,
    title: "Nothing is stored of a page that is larger than the limit.",
    settings: { body_size_limit: "4KB" },
    needs: ["size-limit"],
    answer: { page: filling(`${LEAK}\n`, AT_LIMIT + 1) },
  }),
  failing({
    id: "size-over-limit-in-chunks",
    covers: `${S}/body-size-limit`,
    title: "Nothing is stored of a page in chunks that is larger than the limit.",
    settings: { body_size_limit: "4KB" },
    needs: ["size-limit"],
    answer: { page: `${LEAK}\n${filling(`${LEAK}\n`, AT_LIMIT)}`, how: "chunked" },
  }),
  failing({
    id: "size-once-unpacked",
    covers: [`${S}/body-size-limit`, "formats.text/gzip"],
    title: "The size of a page counts once it is not compressed any more.",
    settings: { body_size_limit: "4KB" },
    needs: ["size-limit"],
    answer: { page: `${LEAK}\n${filling("# \n", AT_LIMIT * 4)}`, coding: { states: "gzip" } },
    good: { page: text(1), coding: { states: "gzip" } },
  }),
  kept({
    id: "size-under-limit",
    covers: `${S}/body-size-limit`,
    title: "A page that is smaller than the limit is stored.",
    settings: { body_size_limit: "4KB" },
    needs: ["size-limit"],
    text: filling(text(1, "a 1"), AT_LIMIT - 1),
  }),
  failing({
    id: "size-limit-of-endless-page",
    covers: `${S}/body-size-limit`,
    title: "A page without end fails at the limit of its size.",
    settings: { body_size_limit: "4KB" },
    needs: ["size-limit"],
    answer: { page: `${LEAK}\n`, how: "endless" },
  }),
  made({
    id: "targets-over-limit",
    covers: `${S}/target-limit`,
    title: "A job with more targets than its limit scrapes none of them.",
    settings: { target_limit: 1 },
    needs: ["target-limit"],
    hasSecond: true,
    stages: [{ answer: { page: `${LEAK}\n` }, until: "others" }],
    see: { see: "keeps", rule: "is-left-alone" },
    control: [page(1)],
    controlSettings: { target_limit: 2 },
  }),
  made({
    id: "targets-at-limit",
    covers: `${S}/target-limit`,
    title: "A job with as many targets as its limit scrapes them.",
    settings: { target_limit: 2 },
    needs: ["target-limit"],
    hasSecond: true,
    stages: [page(1, "a 1")],
    see: { see: "stored", name: "a" },
  }),
];
