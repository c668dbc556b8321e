import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WrongUse } from "../../harness/driver.ts";
import type { Step } from "../vocabulary.ts";
import { filled } from "./content.ts";

/** The configuration of a run, as JSON, which is YAML too. */

export type Job = { readonly step: Step; readonly name: string; readonly target: string; readonly dir: string };
export type ConfigOptions = {
  readonly intervalMs: number;
  readonly template: string | undefined;
};

/** A template must say where the jobs go. */
export function readTemplate(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new WrongUse(`The template cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (!text.includes("{jobs}")) throw new WrongUse(`The template ${file} has no {jobs}: write it where the list of scrape_configs goes.`);
  return text;
}

/** The text of the configuration. Writes lists of targets that are in files of their own. */
export function configOf(jobs: readonly Job[], { intervalMs, template }: ConfigOptions): string {
  const interval = `${intervalMs}ms`;
  const all = jobs.map((job) => {
    const { step, name, target, dir } = job;
    const second = step.hasSecond === true ? [target.replace("127.0.0.1", "localhost")] : [];
    const list = [{ targets: [target, ...second], labels: { case: name, ...step.labels } }];
    const file = join(dir, "targets.json");
    if (step.isListed === true) writeFileSync(file, JSON.stringify(list));
    return {
      job_name: name,
      scrape_interval: interval,
      scrape_timeout: interval,
      ...(step.isListed === true ? { file_sd_configs: [{ files: [file] }] } : { static_configs: list }),
      ...(settingsOf(job) as object),
    };
  });
  const text = JSON.stringify(all, undefined, 1);
  return template === undefined ? `{"scrape_configs": ${text}}\n` : template.replaceAll("{jobs}", () => text);
}

/** The settings of a job with the places in them. */
function settingsOf({ step, target, dir }: Job): unknown {
  const fill = (value: unknown): unknown => {
    if (typeof value === "string") return filled(value, { target, dir });
    if (Array.isArray(value)) return value.map(fill);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member)]));
  };
  return fill(step.settings ?? {});
}
