import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { compare } from "../compare/index.ts";
import { comparisonHtml, diffHtml, toHtml } from "../html.ts";
import { connectionOf } from "../qlog/connection.ts";
import { readQlog } from "../qlog/read.ts";
import { sampleLog } from "../qlog/sample.ts";
import { sampleBench, sampleDiff, sampleResult } from "../sample.ts";
import { browser, CHROMIUM, HOSTILE } from "./testing.ts";

describe.runIf(CHROMIUM !== undefined)("how the pages look in Chromium", () => {
  const { file, opened } = browser();
  const report = file("report.html", toHtml([sampleResult({ cases: 300 })], { benches: [sampleBench()] }));
  const evil = file("evil.html", toHtml([sampleResult({ cases: 24, name: HOSTILE, shares: { fail: 0.5 }, hostile: HOSTILE })]));
  const compared = compare(["nginx", "h2o", "caddy", "nghttpd"].map((name, seed) => sampleResult({ name, seed, cases: 100 })));
  const matrix = file("compare.html", comparisonHtml(compared));
  const evilMatrix = file(
    "evil-compare.html",
    comparisonHtml(compare([1, 2].map((seed) => sampleResult({ seed, cases: 24, name: `${HOSTILE} ${seed}`, hostile: HOSTILE })))),
  );
  const difference = file("diff.html", diffHtml(sampleDiff(HOSTILE)));
  const logs = readQlog("0011aabb0011aabb0011aabb0011aabb_server.sqlog", sampleLog(HOSTILE)).map(connectionOf);
  const connection = file("connection.html", toHtml([], { connections: logs }));

  /** Waits until the cases are drawn, and unfolds the first ones. The pages of differences and connections have none. */
  async function unfolded(page: Page): Promise<void> {
    if (page.url() !== difference && page.url() !== connection) await page.locator("#rows .row, #list details.case").first().waitFor();
    await page.evaluate(() => {
      for (const details of [...document.querySelectorAll("details")].slice(0, 60)) details.open = true;
      for (const button of [...document.querySelectorAll<HTMLElement>("#rows .unfold")].slice(0, 5)) button.click();
    });
  }

  test.each([
    ["report", report],
    ["hostile report", evil],
    ["hostile comparison", evilMatrix],
    ["comparison", matrix],
    ["difference", difference],
    ["connection", connection],
  ])("the %s has no sideways scroll at 360 pixels, folded or unfolded", (_, url) =>
    opened(
      url,
      async (page) => {
        const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(await over()).toBeLessThanOrEqual(0);
        await unfolded(page);
        expect(await over()).toBeLessThanOrEqual(0);
      },
      360,
    ),
  );

  test.each([
    ["light", "screen"],
    ["dark", "screen"],
    ["dark", "print"],
  ] as const)("text has a contrast of 4.5 to 1 or more, in %s, on %s", async (colorScheme, media) => {
    for (const url of [report, matrix, difference, connection])
      await opened(url, async (page) => {
        await page.emulateMedia({ colorScheme, media });
        await unfolded(page);
        const weak = await page.evaluate(contrasts);
        expect(weak.read).toBeGreaterThan(url === connection ? 40 : 100);
        expect(weak.low).toEqual([]);
      });
  });
});

/** Runs in the page: every text that shows, against the first opaque background under it. */
function contrasts(): { read: number; low: string[] } {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color: string): number[] => {
    if (canvas === null) return [0, 0, 0, 0];
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (color: readonly number[]): number => {
    const [r = 0, g = 0, b = 0] = color.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element: Element | null): number[] => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if ((color[3] ?? 0) > 0) return color;
    }
    return rgba("canvas");
  };
  const found = { read: 0, low: [] as string[] };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null && found.read < 1500; node = walk.nextNode()) {
    const element = node.parentElement;
    if (
      element === null ||
      node.textContent?.trim() === "" ||
      !element.checkVisibility() ||
      element.closest("script, style, .unseen, option")
    )
      continue;
    const [a, b] = [luminance(rgba(getComputedStyle(element).color)), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.read++;
    if (ratio < 4.5) found.low.push(`${ratio.toFixed(2)} ${element.className} ${node.textContent?.slice(0, 40)}`);
  }
  return found;
}
