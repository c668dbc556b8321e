import { describe, expect, test } from "vitest";
import { LabelOctets, Labels, METRIC_NAME } from "../model/index.ts";
import { SCRAPE } from "./leniency.ts";
import { Page } from "./page.ts";
import { readText } from "./text-read.ts";

describe("labelsInto(): all labels of a sample as octets", () => {
  test.each([
    ["a name alone", "up 1\n"],
    ["labels in any order, with and without blanks", 'up{job="web",instance="a:1"} 1\nup { z = "1" , a="2",} 2\nup{} 3\n'],
    ["values that are empty, or not ASCII", 'up{a="",b="é😀"} 1\n'],
    ["values with escapes", 'up{a="\\\\",b="\\"",c="x\\ny\\d"} 1\n'],
    ["names in quotes", '{"http.requests",a="1"} 1\n{"ü",a="1"} 2\nup{"x.y"="z"} 3\n'],
    ["syntax characters within a value", 'up{a="{b=1,c}",d=","} 1\n'],
  ])("equal the labels as texts: %s", (_about, text) => {
    const page = new Page();
    expect(readText(page, new TextEncoder().encode(text), { lenient: SCRAPE })).toBeUndefined();
    const labels = new LabelOctets();
    labels.addText("left", "over");
    for (let n = 0; n < page.count; n++) {
      page.labelsInto(n, labels);
      expect(labels.toLabels().flat).toEqual(Labels.of([[METRIC_NAME, page.name(n)], ...page.labels(n)]).flat);
    }
    expect(page.count).toBeGreaterThan(0);
  });
});
