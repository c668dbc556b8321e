import { describeProblem } from "../../metrics/config/index.ts";
import { readConfigFiles } from "./config-files.ts";
import { readWebConfig } from "./web-access.ts";

/** Options of `metrics check-config`. */
export type CheckConfigOptions = { readonly agent?: true; readonly syntaxOnly?: true };

/** Checks configuration files and prints every problem with its place. Ends with status 1 if there is any. */
export function checkConfig(files: readonly string[], { agent, syntaxOnly }: CheckConfigOptions): void {
  for (const file of files) {
    const { config, problems, notices, missing } = readConfigFiles(file, { isAgent: agent === true });
    const all = syntaxOnly === true ? problems : [...problems, ...missing];
    for (const problem of all) console.error(describeProblem(problem));
    for (const notice of notices) console.error(`${describeProblem(notice)} (a note, no error)`);
    if (config === undefined || all.length > 0) process.exitCode = 1;
    const jobs = config?.scrape_configs.length ?? 0;
    console.log(`${file}: ${all.length > 0 ? counted(all.length, "problem") : `valid, ${counted(jobs, "job")}`}`);
  }
}

/** Checks web configurations likewise. */
export function checkWebConfig(files: readonly string[]): void {
  for (const file of files) {
    const { config, problems, notices } = readWebConfig(file);
    for (const problem of problems) console.error(describeProblem(problem));
    for (const notice of notices) console.error(`${describeProblem(notice)} (a note, no error)`);
    if (config === undefined) process.exitCode = 1;
    console.log(`${file}: ${config === undefined ? counted(problems.length, "problem") : "valid"}`);
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
