import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Labels } from "../model/index.ts";
import { finish, type Work } from "../promql/index.ts";
import { expand, NOTIFICATION_FUNCTIONS, parseTemplate, printed, TemplateFault, type Value } from "../rules/index.ts";
import type { Delivery, NotifiedAlert } from "./delivery.ts";
import { htmlOf, templateData } from "./template-data.ts";

type Recorded = readonly (readonly [template: string, text: string | null])[];
/** Templates of notifications, and what amtool 0.34.2 makes of them as text and as HTML; null: it refuses or fails. */
const RECORDED = JSON.parse(readFileSync(join(import.meta.dirname, "notification.json"), "utf8")) as {
  readonly text: Recorded;
  readonly html: Recorded;
};

const alert = (labels: Record<string, string>, annotations: Record<string, string>, more: Partial<NotifiedAlert>): NotifiedAlert => ({
  labels: Labels.of({ alertname: "A", zone: "z1", b: "<&>", ...labels }),
  annotations: Labels.of({ about: "it's", ...annotations }),
  startsAt: 0,
  endsAt: 0,
  isPresumed: false,
  updatedAt: 0,
  generatorUrl: "",
  fingerprint: "",
  isResolved: false,
  ...more,
});
const DELIVERY: Delivery = {
  id: 1,
  receiver: "team",
  index: 0,
  kind: "email",
  groupKey: "{}:{}",
  groupLabels: Labels.of({ alertname: "A" }),
  alerts: [
    alert({ i: "1" }, { n: "1" }, { startsAt: Date.parse("2026-03-02T10:04:05.678Z"), generatorUrl: "http://g/1", fingerprint: "f1" }),
    alert(
      { i: "2" },
      {},
      {
        startsAt: Date.parse("2026-07-01T00:00:00Z"),
        endsAt: Date.parse("2026-07-01T12:30:00.500Z"),
        generatorUrl: "http://g/2",
        fingerprint: "f2",
        isResolved: true,
      },
    ),
  ],
  until: 0,
};

// oxlint-disable-next-line require-yield -- notifications ask nothing
function* query(): Work<readonly Value[]> {
  return [];
}

function made(template: string, show?: (value: Value) => string): string | null {
  const dot = templateData(DELIVERY, "http://x.example/p");
  const context = { dot, variables: {}, query, nowMs: 0, externalUrl: "", isNotification: true, ...(show && { printed: show }) };
  try {
    return finish(expand(parseTemplate(template, [], NOTIFICATION_FUNCTIONS), context));
  } catch (error) {
    if (error instanceof TemplateFault) return null;
    throw error;
  }
}

const wrong = (rows: Recorded, show?: (value: Value) => string): unknown[] =>
  rows.map(([template, text]) => ({ template, text, ours: made(template, show) })).filter(({ text, ours }) => text !== ours);

test("templates of notifications are expanded as the published tool does", () => {
  expect(wrong(RECORDED.text)).toEqual([]);
});
test("in HTML everything but markup is escaped", () => {
  expect(wrong(RECORDED.html, htmlOf(printed))).toEqual([]);
});
