import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { EXAMPLES } from "../../metrics/config/corpus.ts";
import { readConfigFiles } from "./config-files.ts";

/** Our judgement of configurations beside that of others: promtool's, and that of the files that ship with the source of Prometheus 3. */

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
if (!hasPromtool)
  console.log("Configurations are not compared with promtool: it is not installed (on Debian: apt-get install prometheus).");
const MODULE = "github.com/prometheus/prometheus@v0.316.0";
const root = spawnSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).stdout?.trim() ?? "";
const shipped = join(root, MODULE, "config", "testdata");
const hasShipped = root !== "" && existsSync(shipped);
if (!hasShipped) console.log(`Configurations that ship with Prometheus 3 are not judged: go mod download ${MODULE}`);

const folder = mkdtempSync(join(tmpdir(), "touchstone-promtool-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.runIf(hasPromtool)(
  "promtool accepts what we accept, but for the listed differences",
  () => {
    const differ: string[] = [];
    for (const { name, yaml } of EXAMPLES) {
      const file = join(folder, "metrics.yml");
      writeFileSync(file, yaml);
      const theirs = spawnSync("promtool", ["check", "config", "--syntax-only", file]).status === 0;
      if (theirs !== (readConfigFiles(file).problems.length === 0)) differ.push(name);
    }
    expect(differ).toEqual(EXAMPLES.filter(({ older }) => older !== undefined).map(({ name }) => name));
  },
  120_000,
);

/** Files whose name does not say whether they are valid, and are not. */
const INVALID = new Set([
  "agent_mode.with_alert_manager.yml",
  "agent_mode.with_alert_relabels.yml",
  "agent_mode.with_remote_reads.yml",
  "agent_mode.with_rule_files.yml",
  "config_with_deprecated_am_api_config.yml",
  "otlp_allow_utf8.incompatible.yml",
  "otlp_no_translation.incompatible.yml",
  "unknown_attr.yml",
]);

test.runIf(hasShipped)("the configurations that ship with Prometheus 3 are judged as their names say", () => {
  const wrong = readdirSync(shipped).filter((name) => {
    if (!/\.ya?ml$/.test(name)) return false;
    const { problems } = readConfigFiles(join(shipped, name), { isAgent: name.startsWith("agent_mode") });
    return problems.length > 0 !== (name.includes(".bad.") || INVALID.has(name));
  });
  expect(wrong).toEqual([]);
});
