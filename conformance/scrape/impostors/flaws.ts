import type { RelayFlaw } from "./relay.ts";

/** Scrapers that are wrong on purpose: our own with a flaw in its configuration, between it and its targets, or in what it shows. */

export type FlawedJob = Readonly<Record<string, unknown>>;
export type Flaw = {
  readonly about: string;
  readonly job?: (job: FlawedJob) => FlawedJob;
  readonly relay?: RelayFlaw;
  readonly shows?: "everything" | "nothing" | "inventions";
  readonly isSilent?: true;
};

const without = (job: FlawedJob, ...names: readonly string[]): FlawedJob =>
  Object.fromEntries(Object.entries(job).filter(([name]) => !names.includes(name)));
const LIMITS = ["sample_limit", "label_limit", "label_name_length_limit", "label_value_length_limit", "target_limit", "body_size_limit"];
const flipped = (job: FlawedJob, name: string, byDefault: boolean): FlawedJob => ({ [name]: !(job[name] ?? byDefault) });
const listsOf = (job: FlawedJob): { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> }[] =>
  (job["static_configs"] ?? []) as never;

export const FLAWS: { readonly [name: string]: Flaw } = {
  credulous: {
    about: "takes whatever comes for a page, follows every redirect with its credentials, verifies nothing, and has no limits",
    relay: "credulous",
    job: (job) => ({
      ...without(job, ...LIMITS, "tls_config"),
      ...(job["scheme"] === "https" && { tls_config: { insecure_skip_verify: true } }),
    }),
  },
  mumbling: { about: "asks for anything but what it is configured to ask for", relay: "mumbling" },
  contrary: {
    about: "does the opposite of its settings, and does not relabel",
    job: (job) => ({
      ...without(job, "relabel_configs", "metric_relabel_configs", "fallback_scrape_protocol", "tls_config", "scrape_protocols"),
      ...flipped(job, "honor_labels", false),
      ...flipped(job, "honor_timestamps", true),
      ...flipped(job, "follow_redirects", true),
      ...flipped(job, "scrape_native_histograms", false),
      job_name: `x${String(job["job_name"])}`,
      relabel_configs: [{ target_label: "instance", replacement: "wrong" }],
      static_configs: listsOf(job).map(({ targets, labels }) => ({ targets, labels: { case: labels["case"] } })),
      ...(job["file_sd_configs"] !== undefined && { static_configs: [] }),
    }),
  },
  strict: {
    about: "has limits below those of its configuration",
    job: (job) => ({
      ...job,
      ...(Number(job["sample_limit"] ?? 0) > 0 && { sample_limit: Number(job["sample_limit"]) - 1 }),
      ...(job["label_limit"] !== undefined && { label_limit: 4 }),
      ...(job["label_name_length_limit"] !== undefined && { label_name_length_limit: 19 }),
      ...(job["label_value_length_limit"] !== undefined && { label_value_length_limit: 59 }),
      ...(job["body_size_limit"] !== undefined && { body_size_limit: "1KB" }),
      ...(job["target_limit"] !== undefined && { target_limit: 1 }),
    }),
  },
  untracked: { about: "does not track times of its own", job: (job) => ({ ...job, track_timestamps_staleness: false }) },
  undying: { about: "shows series that have ended", shows: "everything" },
  mortal: { about: "ends every series", shows: "nothing" },
  fabricating: { about: "reports invented values, at other times, with other labels", shows: "inventions" },
  silent: { about: "scrapes nothing", isSilent: true },
};
