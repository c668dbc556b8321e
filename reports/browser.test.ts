import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compare } from "./compare/index.ts";
import { comparisonHtml, diffHtml, toHtml } from "./html.ts";
import { toJunit } from "./junit.ts";
import { sampleBench, sampleDiff, sampleResult } from "./sample.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
if (CHROMIUM === undefined)
  console.log("The pages are not tested in a browser: there is no chromium here (on Debian: apt-get install chromium).");

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const hostile = `</script><img src=x onerror="document.title='owned'">\u2028\u0000\u001b[31m`;

describe.runIf(CHROMIUM !== undefined)("the pages in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-browser-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name)).href;
  };
  const results = [
    sampleResult({ cases: 300, version: "1.52.0", shares: { error: 0.02 } }),
    sampleResult({ cases: 60, role: "client", seed: 3 }),
  ];
  const report = file("report.html", toHtml(results, { benches: [sampleBench()] }));
  const evil = file("evil.html", toHtml([sampleResult({ cases: 24, name: hostile, shares: { fail: 0.5 }, hostile })]));
  const matrix = file(
    "compare.html",
    comparisonHtml(compare(["nginx", "h2o", "caddy", "nghttpd"].map((name, seed) => sampleResult({ name, seed, cases: 100 })))),
  );
  const difference = file("diff.html", diffHtml(sampleDiff(hostile)));

  let context: BrowserContext;
  const complaints: string[] = [];
  beforeAll(async () => {
    context = await chromium.launchPersistentContext(join(folder, "profile"), { executablePath: CHROMIUM ?? "", args: FLAGS });
    context.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
    context.on("weberror", (error) => complaints.push(error.error().message));
    context.on("request", (request) => {
      if (!/^(?:file|data):/.test(request.url())) complaints.push(`fetched ${request.url()}`);
    });
  });
  afterAll(async () => {
    await context.close();
    rmSync(folder, { recursive: true });
  });

  async function opened(url: string, act: (page: Page) => Promise<void>, width = 1280): Promise<void> {
    complaints.length = 0;
    const page = await context.newPage();
    try {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(url);
      await act(page);
    } finally {
      await page.close();
    }
    expect(complaints).toEqual([]);
  }
  const shown = (page: Page): Promise<number> => page.locator("details.case:visible").count();

  test("filters by verdict, level, section, suite and text, and the address keeps them", () =>
    opened(report, async (page) => {
      const all = results.flatMap((result) => result.cases);
      expect(await shown(page)).toBe(all.length);
      await page.getByRole("checkbox", { name: "fail" }).check();
      const failed = all.filter((c) => c.verdict === "fail").length;
      expect(await shown(page)).toBe(failed);
      expect(await page.getByRole("status").textContent()).toBe(`${failed} of ${all.length} cases.`);
      await page.getByRole("checkbox", { name: "warn" }).check();
      expect(await shown(page)).toBe(all.filter((c) => c.verdict === "fail" || c.verdict === "warn").length);
      await page.getByRole("combobox", { name: "Suite" }).selectOption("1");
      expect(await shown(page)).toBe(results[1]?.cases.filter((c) => c.verdict === "fail" || c.verdict === "warn").length);
      expect(new URL(page.url()).hash).toBe("#verdict=fail&verdict=warn&suite=1");
      await page.reload();
      expect(await shown(page)).toBe(results[1]?.cases.filter((c) => c.verdict === "fail" || c.verdict === "warn").length);
      await page.goto("about:blank");
      await page.goto(report);
      await page.getByRole("combobox", { name: "Section" }).selectOption("rfc9113#6.7");
      expect(await shown(page)).toBe(all.filter((c) => c.spec === "rfc9113#6.7").length);
      await page.getByRole("combobox", { name: "Section" }).selectOption("");
      await page.getByRole("combobox", { name: "Level" }).selectOption("SHOULD");
      expect(await shown(page)).toBe(all.filter((c) => c.level === "SHOULD").length);
      await page.goto(`${report}#section=rfc9113%236.9&level=MUST&q=increment%20zero`);
      expect(await shown(page)).toBe(all.filter((c) => c.id.includes("window-update-zero")).length);
      expect(await page.locator("#cases .group:visible h3").allTextContents()).toEqual(["§6.9 WINDOW_UPDATE RFC 9113"]);
      await page.getByRole("searchbox", { name: "Text" }).fill("no such words");
      expect(await shown(page)).toBe(0);
      await page.getByRole("button", { name: "Show all cases" }).click();
      expect(await shown(page)).toBe(all.length);
    }));

  test("a failed case leads to its transcript, octets and control", () =>
    opened(report, async (page) => {
      await page.locator("article.trouble h3 a").first().click();
      const open = page.locator("details.case[open]");
      expect(await open.count()).toBe(1);
      expect(await open.evaluate((one) => document.activeElement === one.querySelector("summary"))).toBe(true);
      expect(await open.locator(".transcript > .wire > li").count()).toBe(10);
      await open.locator(".hex > summary").first().click();
      expect(await open.locator(".hex pre").first().textContent()).toContain(
        "0000  50 52 49 20 2a 20 48 54 54 50 2f 32 2e 30 0d 0a  PRI * HTTP/2.0..",
      );
      await open.getByText("The control: the same steps without the mistake").click();
      expect(await open.locator(".wire li:visible").count()).toBe(20);
    }));

  test("works with the keyboard alone", () =>
    opened(report, async (page) => {
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
      const first = page.locator("details.case > summary").first();
      await first.focus();
      await page.keyboard.press("Enter");
      await page.locator("details.case[open] .transcript > .wire").waitFor();
      expect(await first.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe("solid");
    }));

  test("text from a subject stays text", () =>
    opened(evil, async (page) => {
      for (const summary of await page.locator("details.case > summary").all()) await summary.click();
      expect(await page.title()).not.toBe("owned");
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.locator("script").count()).toBe(2);
      expect(await page.locator(".transcript .means").getByText("</script><img src=x").count()).toBeGreaterThan(20);
      expect(await page.locator(".means").last().textContent()).not.toContain("\u0000");
    }));

  test.each([
    ["report", report],
    ["hostile report", evil],
    ["comparison", matrix],
    ["difference", difference],
  ])("the %s has no sideways scroll at 360 pixels, folded or unfolded", (_, url) =>
    opened(
      url,
      async (page) => {
        const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(await over()).toBeLessThanOrEqual(0);
        await page.evaluate(() => {
          for (const details of [...document.querySelectorAll("details")].slice(0, 60)) details.open = true;
        });
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
    for (const url of [report, matrix, difference])
      await opened(url, async (page) => {
        await page.emulateMedia({ colorScheme, media });
        await page.evaluate(() => {
          for (const details of [...document.querySelectorAll("details")].slice(0, 40)) details.open = true;
        });
        const weak = await page.evaluate(contrasts);
        expect(weak.read).toBeGreaterThan(100);
        expect(weak.low).toEqual([]);
      });
  });

  test("is readable without its script", async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
    try {
      const page = await browser.newPage({ javaScriptEnabled: false });
      await page.goto(report);
      expect(await page.locator("details.case").count()).toBe(360);
      expect(await page.locator("#filters").isVisible()).toBe(false);
      expect(await page.locator("noscript p").isVisible()).toBe(true);
      expect(await page.locator("article.trouble .wire li").first().isVisible()).toBe(true);
    } finally {
      await browser.close();
    }
  });

  test("JUnit output is well-formed for a strict parser", () =>
    opened("about:blank", async (page) => {
      const xml = toJunit([...results, sampleResult({ cases: 24, name: hostile, shares: { fail: 0.5 }, hostile })]);
      const parsed = await page.evaluate((text) => {
        const document = new DOMParser().parseFromString(text, "application/xml");
        return { errors: document.getElementsByTagName("parsererror").length, cases: document.getElementsByTagName("testcase").length };
      }, xml);
      expect(parsed).toEqual({ errors: 0, cases: 384 });
    }));
});

/** Runs in the page: every text that shows, against the first background behind it that is not clear. */
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
