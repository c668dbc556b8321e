import { globSync } from "node:fs";
import { describeProblem, loadRouterConfig, type Problem, type RouterConfig } from "../../../metrics/config/index.ts";
import { NOTIFICATION_FUNCTIONS, parseTemplate, TemplateFault } from "../../../metrics/rules/index.ts";
import { textOf } from "../config-files.ts";

/** The configuration of a router with the files of templates that it names. */
export type RouterFiles = {
  /** Undefined if there are problems. */
  readonly config: RouterConfig | undefined;
  readonly templates: readonly string[];
  readonly problems: readonly Problem[];
  readonly notices: readonly Problem[];
};

export function readRouterFiles(file: string): RouterFiles {
  const text = textOf(file);
  if (typeof text !== "string")
    return { config: undefined, templates: [], problems: [{ file, line: 1, field: "", message: text.message }], notices: [] };
  const { config, problems, notices } = loadRouterConfig(text, file);
  const read = (config?.templates ?? []).flatMap((pattern) => globSync(pattern).sort()).map(readTemplate);
  const wrong = [...problems, ...read.flatMap(({ problem }) => problem ?? [])];
  return { config: wrong.length > 0 ? undefined : config, templates: read.map((one) => one.text), problems: wrong, notices };
}

function readTemplate(file: string): { readonly text: string; readonly problem?: Problem } {
  const text = textOf(file);
  if (typeof text !== "string") return { text: "", problem: { file, line: 1, field: "", message: text.message } };
  try {
    parseTemplate(text, [], NOTIFICATION_FUNCTIONS);
    return { text };
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return { text: "", problem: { file, line: error.line, field: "", message: `the template cannot be parsed: ${error.message}` } };
  }
}

/** Checks configurations of alert routers and prints every problem with its place. Ends with status 1 if there is any. */
export function checkRouterConfig(files: readonly string[]): void {
  for (const file of files) {
    const { config, problems, notices } = readRouterFiles(file);
    for (const problem of problems) console.error(describeProblem(problem));
    for (const notice of notices) console.error(`${describeProblem(notice)} (a note, no error)`);
    if (config === undefined) process.exitCode = 1;
    console.log(
      `${file}: ${config === undefined ? `${problems.length} ${problems.length === 1 ? "problem" : "problems"}` : `valid, receivers: ${[...config.receivers.keys()].join(", ")}`}`,
    );
  }
}
