import { accessSync, constants, globSync, readFileSync } from "node:fs";
import {
  type Config,
  loadConfig,
  loadRules,
  loadScrapeConfigs,
  loadTargets,
  type NamedFile,
  type Problem,
  type RuleDefaults,
  type ScrapeConfig,
} from "../../metrics/config/index.ts";
import type { RuleGroup } from "../../metrics/rules/index.ts";

/** A configuration with everything that it reads from other files. */
export type ConfigFiles = {
  /** Undefined if there are problems. */
  readonly config: Config | undefined;
  /** The groups of all rule files. */
  readonly rules: readonly RuleGroup[];
  readonly problems: readonly Problem[];
  /** Settings that are valid but have no effect, and files that do not exist yet. */
  readonly notices: readonly Problem[];
  /** Named files that cannot be used now, such as secrets. They do not make the configuration invalid: they may come later. */
  readonly missing: readonly Problem[];
};

/** Reads a configuration file, and the files with more jobs that it names; checks that the other named files can be read. */
export function readConfigFiles(file: string, { isAgent = false }: { readonly isAgent?: boolean } = {}): ConfigFiles {
  const read = textOf(file);
  if (typeof read !== "string")
    return { config: undefined, rules: [], problems: [{ file, line: 1, field: "", message: read.message }], notices: [], missing: [] };
  const loaded = loadConfig(read, { file, isAgent, environment: process.env });
  const { config, notices } = loaded;
  const more = config === undefined ? NOTHING_MORE : moreJobs(file, config, loaded.files);
  const found = [...loaded.files.map((one) => ({ ...one, file })), ...more.files].map(checkNamed);
  const rules = config === undefined ? NO_RULES : rulesIn(config, loaded.files);
  const problems = [...loaded.problems, ...more.problems, ...rules.problems];
  return {
    rules: rules.groups,
    config:
      config === undefined || problems.length > 0 ? undefined : { ...config, scrape_configs: [...config.scrape_configs, ...more.jobs] },
    problems,
    notices: [...notices, ...found.flatMap(({ notices }) => notices)],
    missing: found.flatMap(({ problems }) => problems),
  };
}

type Rules = { readonly groups: readonly RuleGroup[]; readonly problems: readonly Problem[] };
const NO_RULES: Rules = { groups: [], problems: [] };

/** The groups of the rule files that exist. */
function rulesIn({ global }: Config, files: readonly NamedFile[]): Rules {
  const { evaluation_interval, rule_query_offset, metric_name_validation_scheme: scheme } = global;
  const defaults = { evaluationIntervalMs: evaluation_interval, queryOffsetMs: rule_query_offset, scheme };
  const paths = new Set(files.filter(({ use }) => use === "rules").flatMap(({ path }) => globSync(path).sort()));
  const found = [...paths].map((path) => readRules(path, defaults));
  return { groups: found.flatMap(({ groups }) => groups), problems: found.flatMap(({ problems }) => problems) };
}

/** The groups of a rule file, or why it cannot be used. */
export function readRules(path: string, defaults: RuleDefaults): Rules {
  const text = textOf(path);
  if (typeof text === "string") return loadRules(text, path, defaults);
  return { groups: [], problems: [{ file: path, line: 1, field: "", message: text.message }] };
}

type More = { readonly jobs: readonly ScrapeConfig[]; readonly problems: readonly Problem[]; readonly files: readonly Named[] };
/** A named file, and the file that names it. */
type Named = NamedFile & { readonly file: string };
const NOTHING_MORE: More = { jobs: [], problems: [], files: [] };

function moreJobs(file: string, config: Config, files: readonly NamedFile[]): More {
  const known = new Set(config.scrape_configs.map(({ job_name }) => job_name));
  const more = { jobs: [] as ScrapeConfig[], problems: [] as Problem[], files: [] as Named[] };
  for (const { path, line, field } of files.filter(({ use }) => use === "scrapes"))
    for (const found of globSync(path).sort()) {
      const text = textOf(found);
      if (typeof text !== "string") {
        more.problems.push({ file, line, field, message: text.message });
        continue;
      }
      const { jobs, problems, files } = loadScrapeConfigs(text, found, config.global, known);
      more.jobs.push(...jobs);
      more.problems.push(...problems);
      more.files.push(...files.map((one) => ({ ...one, file: found })));
      for (const { job_name } of jobs) known.add(job_name);
    }
  return more;
}

type Found = { readonly problems: readonly Problem[]; readonly notices: readonly Problem[] };
const FINE: Found = { problems: [], notices: [] };

/** Checks one named file as far as its use allows. */
function checkNamed({ file, line, field, path, use }: Named): Found {
  const problem = (message: string): Problem => ({ file, line, field, message });
  switch (use) {
    case "secret":
    case "certificates":
    case "key":
    case "rules":
      if (use === "rules" && /[*?[]/.test(path)) return FINE;
      return wrapped(readingOf(path), problem);
    case "targets": {
      const found = globSync(path).sort();
      if (found.length === 0) return { problems: [], notices: [problem(`${path} does not exist yet`)] };
      const problems = found.flatMap((one) => {
        const text = textOf(one);
        return typeof text === "string" ? loadTargets(text, one).problems : [problem(text.message)];
      });
      return { problems, notices: [] };
    }
    case "scrapes":
    case "templates":
    case "written":
      return FINE;
  }
}

const wrapped = (message: string | undefined, problem: (message: string) => Problem): Found =>
  message === undefined ? FINE : { problems: [problem(message)], notices: [] };

/** Why a file cannot be read; undefined if it can. */
export function readingOf(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return unreadable(path, error).message;
  }
}

/** The text of a file, or why it cannot be read. */
export function textOf(path: string): string | Error {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return unreadable(path, error);
  }
}

/** Node's message repeats the path: only its reason is kept. */
const unreadable = (path: string, error: unknown): Error =>
  new Error(`${path} cannot be read: ${String(error instanceof Error ? error.message : error).replace(/^[A-Z]+: ([^,]*),.*$/, "$1")}`);
