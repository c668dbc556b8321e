import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { read } from "./sources.ts";

/** The program that carries the schemas of pipelines. */
const INSTALLED = join(tmpdir(), `touchstone-peers-${userInfo().uid}`, "python/bin/check-jsonschema");
const VALIDATOR = existsSync(INSTALLED) ? INSTALLED : "check-jsonschema";
const INSTALL = "python3 -m pip install check-jsonschema";

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "touchstone-templates-"))));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the templates of pipelines", () => {
  test.for([
    ["ci/templates/gitlab.yml", "vendor.gitlab-ci", "script:", "scripts:"],
    ["ci/templates/github.yml", "vendor.github-workflows", "runs-on:", "runs-in:"],
    ["ci/templates/github-action/action.yml", "vendor.github-actions", "runs:", "run:"],
  ] as const)("%s fits the published schema, and with a mistake it does not", ([file, schema, right, wrong], context) => {
    const text = read(file);
    const statusOf = (content: string): number | null => {
      const copy = join(folder, "template.yml");
      writeFileSync(copy, content);
      return spawnSync(VALIDATOR, ["--builtin-schema", schema, copy]).status;
    };
    if (spawnSync(VALIDATOR, ["--version"]).error !== undefined) return context.skip(`the schemas are not here: ${INSTALL}`);
    expect(text).toContain(right);
    expect([statusOf(text), statusOf(text.replaceAll(right, wrong))]).toEqual([0, 1]);
  });
});
