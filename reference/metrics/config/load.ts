import { GLOBAL, settledGlobal, type GlobalConfig } from "./global.ts";
import { stringify } from "yaml";
import { TARGET_GROUP } from "./discovery.ts";
import { list, type ValueOf } from "./kinds.ts";
import { notices } from "./notices.ts";
import { checkRelabelling } from "./relabel.ts";
import { SCRAPE_CONFIG, settledScrape, type ScrapeConfig } from "./scrape.ts";
import { Place, Source, type NamedFile, type Problem } from "./source.ts";
import { preset, struct } from "./struct.ts";
import { WHOLE, type Config, type Written } from "./whole.ts";

/** The configuration, or what is wrong with it. */
export type LoadedConfig = {
  /** Undefined if there are problems. */
  readonly config: Config | undefined;
  readonly problems: readonly Problem[];
  /** Every setting that is valid but has no effect on this server. */
  readonly notices: readonly Problem[];
  /** The files that the configuration names. */
  readonly files: readonly NamedFile[];
};

/** `file` is the path of the text: relative paths in it begin in its directory. */
export type LoadOptions = {
  readonly file: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Agent mode neither evaluates rules nor answers queries, and refuses their sections. */
  readonly isAgent?: boolean;
};

/** Targets that share labels. */
export type TargetGroup = ValueOf<typeof TARGET_GROUP>;

/** Reads and checks a whole configuration. */
export function loadConfig(text: string, { file, environment = {}, isAgent = false }: LoadOptions): LoadedConfig {
  const source = new Source(file);
  const root = source.parse(text);
  const written = root === undefined ? undefined : WHOLE.read(root);
  const config = written === undefined ? undefined : settled(source, written, environment);
  if (config !== undefined && isAgent) {
    for (const section of ["alerting", "rule_files", "remote_read"] as const) {
      const used = config[section];
      if (used !== undefined && !(Array.isArray(used) && used.length === 0))
        source.placeOf(written!, section).fail("agent mode does not allow it");
    }
  }
  const { problems, files } = source;
  const isGood = problems.length === 0 && config !== undefined;
  return {
    config: isGood ? config : undefined,
    problems: [...problems].sort((a, b) => a.line - b.line),
    notices: isGood ? notices(source, config, written!) : [],
    files,
  };
}

/** A file that `scrape_config_files` names: more `scrape_configs`. */
const MORE = struct({ scrape_configs: preset(list(SCRAPE_CONFIG, "section"), []) });

/** Reads a file with more jobs. `known` are the names of the jobs of other files. */
export function loadScrapeConfigs(
  text: string,
  file: string,
  global: GlobalConfig,
  known: ReadonlySet<string>,
): Pick<LoadedConfig, "problems" | "files"> & { readonly jobs: readonly ScrapeConfig[] } {
  const source = new Source(file);
  const root = source.parse(text);
  const written = root === undefined ? undefined : MORE.read(root);
  const jobs = written?.scrape_configs.map((job) => settledScrape(source, job, global)) ?? [];
  checkNames(source, written?.scrape_configs ?? [], "job_name", new Set(known));
  return { jobs, problems: source.problems, files: source.files };
}

const TARGETS = list(TARGET_GROUP, "group");

/** Reads a list of targets as files and HTTP answers have it, in JSON or YAML (Prometheus docs, configuration/configuration.md, `<file_sd_config>`). */
export function loadTargets(
  text: string,
  file: string,
): { readonly groups: readonly TargetGroup[]; readonly problems: readonly Problem[] } {
  const source = new Source(file);
  const root = source.parse(text);
  return { groups: (root === undefined ? undefined : TARGETS.read(root)) ?? [], problems: source.problems };
}

function settled(source: Source, written: Written, environment: Readonly<Record<string, string | undefined>>): Config {
  const global = settledGlobal(written.global ?? GLOBAL.read(new Place(source, null, "global", 0))!, environment);
  const scheme = global.metric_name_validation_scheme;
  checkNames(source, written.scrape_configs, "job_name");
  checkNames(source, written.remote_write, "name");
  checkNames(source, written.remote_read, "name");
  for (const rules of rulesOutsideJobs(written)) checkRelabelling(source, rules, scheme);
  const strategy = written.otlp?.translation_strategy;
  if (scheme === "legacy" && (strategy === "NoTranslation" || strategy === "NoUTF8EscapingWithSuffixes"))
    source.placeOf(written.otlp!, "translation_strategy").fail(`${strategy} needs the metric_name_validation_scheme utf8`);
  for (const field of ["rule_files", "scrape_config_files"] as const)
    for (const pattern of written[field])
      if (!/^[^*]*(\*[^/]*)?$/.test(pattern))
        source.placeOf(written, field).fail(`${JSON.stringify(pattern)} has a * outside of its last part`);
  return { ...written, global, scrape_configs: written.scrape_configs.map((job) => settledScrape(source, job, global)) };
}

const rulesOutsideJobs = ({ alerting, remote_write }: Written) => [
  alerting?.alert_relabel_configs ?? [],
  ...(alerting?.alertmanagers ?? []).flatMap(({ relabel_configs, alert_relabel_configs }) => [relabel_configs, alert_relabel_configs]),
  ...remote_write.map(({ write_relabel_configs }) => write_relabel_configs),
];

/** Reports names that come twice; an empty name is not a name. */
function checkNames<T extends object>(source: Source, values: readonly T[], field: keyof T & string, seen = new Set<string>()): void {
  for (const value of values) {
    const name = value[field];
    if (typeof name !== "string" || name === "") continue;
    if (seen.has(name)) source.placeOf(value, field).fail(`there is another one named ${JSON.stringify(name)}`);
    seen.add(name);
  }
}

/** One job as YAML, with its defaults and without its secrets. */
export const jobText = (job: ScrapeConfig): string => stringify(SCRAPE_CONFIG.show(job));

/** The configuration as YAML, with its defaults and without its secrets. */
export const configText = (config: Config): string => stringify(WHOLE.show(config));
