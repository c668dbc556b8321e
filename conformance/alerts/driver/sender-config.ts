import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RouterList, SenderSetup, Settings } from "../vocabulary.ts";
import { filled, type Values } from "./texts.ts";

/** The configuration of a sender of alerts with the rules and routers of all cases, as JSON, which is YAML too. */

export type SenderCase = {
  readonly name: string;
  readonly setup: SenderSetup;
  /** A folder of its own. */
  readonly dir: string;
  /** Address of each end, and the folder. */
  readonly values: Values;
};

const INTERVAL = "500ms";
/** On every alert of the run. */
const EXTERNAL = { site: "here" };

/** The list of routers that a case has by default. */
const ONE: readonly RouterList[] = [{ ends: ["main"] }];

/** `page`: the address of the page with the signals. Returns the configuration, and writes what it refers to. */
export function senderConfig(cases: readonly SenderCase[], page: string, folder: string): string {
  const rules = join(folder, "rules.json");
  writeFileSync(rules, JSON.stringify({ groups: cases.map(groupOf) }, undefined, 1));
  return `${JSON.stringify(
    {
      global: { scrape_interval: INTERVAL, scrape_timeout: INTERVAL, evaluation_interval: INTERVAL, external_labels: EXTERNAL },
      rule_files: [rules],
      alerting: {
        alert_relabel_configs: cases.flatMap(({ setup: { relabel = [] }, values }) => filled(relabel, values)),
        alertmanagers: cases.flatMap(listsOf),
      },
      scrape_configs: [{ job_name: "signals", static_configs: [{ targets: [page] }] }],
    },
    undefined,
    1,
  )}\n`;
}

/** The rules of a case are a group. */
function groupOf({ name, setup: { rules = [{}], group = {} }, values }: SenderCase): Settings {
  const all = rules.map((rule) => ({ alert: "Down", expr: 'signal{case="{case}"} == 1', ...rule }));
  return filled({ name, interval: INTERVAL, ...group, rules: all }, values);
}

function listsOf({ setup: { lists = ONE }, values, dir }: SenderCase): Settings[] {
  return lists.map((list, at) => {
    const { ends, settings = {}, isListed = false } = list;
    const groups = [{ targets: ends.map((end) => values[end] ?? end) }];
    const file = join(dir, `routers-${at}.json`);
    if (isListed) writeFileSync(file, JSON.stringify(groups));
    return { ...(isListed ? { file_sd_configs: [{ files: [file] }] } : { static_configs: groups }), ...filled(settings, values) };
  });
}
