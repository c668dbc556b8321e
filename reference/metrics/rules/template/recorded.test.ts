import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { finish, type Work } from "../../promql/index.ts";
import { parseTemplate } from "./parse.ts";
import { expand } from "./run.ts";
import { labelsValue, sampleValue, Struct, TemplateFault, type Value } from "./values.ts";

/** Templates, and the text that promtool 2.42 prints for them; null: it refuses the template, or expands it to an error. */
const RECORDED = JSON.parse(readFileSync(join(import.meta.dirname, "recorded.json"), "utf8")) as readonly [string, string | null][];

const texts = (labels: Record<string, string>): Map<string, string> => new Map(Object.entries(labels));
const labels = labelsValue(texts({ __name__: "m", instance: "h:0", job: "j0" }));
const external = labelsValue(texts({ region: "eu" }));
const SERIES = [sampleValue(texts({ __name__: "q", a: "1", b: "z" }), 7), sampleValue(texts({ __name__: "q", a: "2", b: "y" }), 1e6)];
const VALUE = 5;
const EXTERNAL_URL = "http://x.example/p";

// oxlint-disable-next-line require-yield -- the answers are known
function* query(text: string): Work<readonly Value[]> {
  if (text !== "q" && text !== "absent_thing") throw new TemplateFault(`no answer to ${text}`);
  return text === "q" ? SERIES : [];
}

function expanded(template: string): string {
  const dot = new Struct(
    "data",
    new Map<string, Value>([
      ["Labels", labels],
      ["ExternalLabels", external],
      ["ExternalURL", EXTERNAL_URL],
      ["Value", VALUE],
    ]),
  );
  const variables = { $labels: labels, $externalLabels: external, $externalURL: EXTERNAL_URL, $value: VALUE };
  return finish(expand(parseTemplate(template, Object.keys(variables)), { dot, variables, query, nowMs: 0, externalUrl: EXTERNAL_URL }));
}

/** The text, or null for a template that is refused or fails. */
function outcome(template: string): string | null {
  try {
    return expanded(template);
  } catch (error) {
    if (error instanceof TemplateFault) return null;
    throw error;
  }
}

test("templates are expanded as the published tool does", () => {
  const wrong = RECORDED.map(([template, text]) => ({ template, text, ours: outcome(template) })).filter(({ text, ours }) => text !== ours);
  expect(wrong).toEqual([]);
});
