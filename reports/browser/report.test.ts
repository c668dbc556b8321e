import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { toHtml } from "../html.ts";
import { toJunit } from "../junit.ts";
import { sampleBench, sampleResult } from "../sample.ts";
import { browser, CHROMIUM, HOSTILE } from "./testing.ts";

describe.runIf(CHROMIUM !== undefined)("the page of a report in Chromium", () => {
  const { file, opened, openedPlain } = browser();
  const results = [
    sampleResult({ cases: 300, version: "1.52.0", shares: { error: 0.02 } }),
    sampleResult({ cases: 60, role: "client", seed: 3 }),
  ];
  const report = file("report.html", toHtml(results, { benches: [sampleBench()] }));
  const evil = file("evil.html", toHtml([sampleResult({ cases: 24, name: HOSTILE, shares: { fail: 0.5 }, hostile: HOSTILE })]));

  /** The number of cases that the filters leave; each is drawn when it comes into view. */
  async function shown(page: Page): Promise<number> {
    await page.locator("#filters").waitFor();
    return Number(/^(?:All )?(\d+)/.exec((await page.getByRole("status").textContent()) ?? "")?.[1]);
  }

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
      expect(await page.locator("#list h3").allTextContents()).toEqual(["§6.9 WINDOW_UPDATE RFC 9113"]);
      expect(await page.locator("#list details.case").count()).toBe(await shown(page));
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

  test("a section opens to its requirements, and a requirement leads to its cases", () =>
    opened(report, async (page) => {
      await page.locator("#filters").waitFor();
      const section = page.locator('details[data-section="rfc9113#6.7"]');
      await section.locator("summary").click();
      const link = section.getByRole("link").first();
      const id = await link.locator("code").textContent();
      expect(results[0]?.coverage.find(({ requirement }) => requirement.startsWith("rfc9113#6.7"))?.cases).toContain(id);
      await link.click();
      const open = page.locator("details.case[open]");
      await open.waitFor();
      expect(await open.locator("code.id").first().textContent()).toBe(id);
    }));

  test("cases are drawn when they come near the window, and all of them for a printer", () =>
    opened(report, async (page) => {
      await page.locator("#filters").waitFor();
      expect(await page.locator("details.case").count()).toBeLessThan(360);
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      expect(await page.locator("details.case").count()).toBe(360);
    }));

  test.each(["#%", "#case-9-nowhere", "#section=x&level=OUGHT&suite=7&verdict=zero"])(
    "an address that means nothing, %s, shows all cases",
    (hash) =>
      opened(`${report}${hash}`, async (page) => {
        expect(await shown(page)).toBe(360);
        expect(await page.locator("#needs").isVisible()).toBe(false);
      }),
  );

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
      expect(await page.locator("script").count()).toBe(4);
      expect(await page.locator(".transcript .means").getByText("</script><img src=x").count()).toBeGreaterThan(20);
      expect(await page.locator(".means").last().textContent()).not.toContain("\u0000");
    }));

  test("is readable without its script", () =>
    openedPlain(report, async (page) => {
      expect(await page.getByText("it needs JavaScript").isVisible()).toBe(true);
      expect(await page.locator("#filters").isVisible()).toBe(false);
      expect(await page.locator("article.trouble .wire li").first().isVisible()).toBe(true);
    }));

  test("JUnit output is well-formed for a strict parser", () =>
    opened("about:blank", async (page) => {
      const xml = toJunit([...results, sampleResult({ cases: 24, name: HOSTILE, shares: { fail: 0.5 }, hostile: HOSTILE })]);
      const parsed = await page.evaluate((text) => {
        const document = new DOMParser().parseFromString(text, "application/xml");
        return { errors: document.getElementsByTagName("parsererror").length, cases: document.getElementsByTagName("testcase").length };
      }, xml);
      expect(parsed).toEqual({ errors: 0, cases: 384 });
    }));
});
