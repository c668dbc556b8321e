import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "../../reference/metrics/promql/index.ts";
import { readJson, VECTORS_FOLDER } from "../load.ts";
import { loadScripts } from "./load.ts";
import type { Evaluation } from "./script.ts";
import { scriptJson } from "./script-json.ts";

const scripts = loadScripts();
const evaluations = (steps: readonly { readonly is: string }[]): Evaluation[] => steps.filter(({ is }) => is === "eval") as Evaluation[];

describe("scripts: every file parses, and its JSON is valid by the schema", () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  for (const name of ["common-v1", "promql-script-v1"])
    ajv.addSchema(readJson(join(VECTORS_FOLDER, "schema", `${name}.json`), name) as object);
  const validate = ajv.getSchema("promql-script-v1.json");
  test.each(scripts)("$name", ({ script }) => {
    validate?.(JSON.parse(JSON.stringify(scriptJson(script))));
    expect(validate?.errors).toBeNull();
  });
  test("the schema refuses an invalid script", () => {
    validate?.({ schema: "../schema/promql-script-v1.json", steps: [{ is: "clear" }] });
    expect(validate?.errors).not.toBeNull();
  });
});

test.each(scripts)("scripts: $name has cases, and their expressions parse unless a parse error is expected", ({ script }) => {
  const cases = evaluations(script.steps);
  expect(cases.length).toBeGreaterThan(0);
  const surprising = cases.filter(({ expr, demands }) => {
    const refused = parse(expr).is === "fault";
    if (demands.fail === undefined) return refused;
    return demands.fail.is === "text" && demands.fail.text.includes("parse error") && !refused;
  });
  expect(surprising).toEqual([]);
});

test("scripts: an invalid file is reported with its line", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  writeFileSync(join(folder, "bad.test"), "clear\nlaod 5m\n");
  expect(() => loadScripts(folder)).toThrow(/bad\.test:2: .*not laod/);
  rmSync(folder, { recursive: true });
});
