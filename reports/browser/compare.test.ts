import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { compare } from "../compare/index.ts";
import { comparisonHtml } from "../html.ts";
import { sampleResult } from "../sample.ts";
import { browser, CHROMIUM, HOSTILE } from "./testing.ts";

describe.runIf(CHROMIUM !== undefined)("the page of a comparison in Chromium", () => {
  const { file, opened, openedPlain } = browser();
  const compared = compare(["nginx", "h2o", "caddy", "nghttpd"].map((name, seed) => sampleResult({ name, seed, cases: 100 })));
  const matrix = file("compare.html", comparisonHtml(compared));
  const suites = file(
    "suites.html",
    comparisonHtml(compare([sampleResult({ name: "nginx" }), sampleResult({ name: "curl", role: "client" })])),
  );
  const evil = file(
    "evil.html",
    comparisonHtml(compare([1, 2].map((seed) => sampleResult({ seed, cases: 24, name: `${HOSTILE} ${seed}`, hostile: HOSTILE })))),
  );

  const rows = (page: Page): Promise<string[]> => page.locator("#rows .unfold").allTextContents();
  const [nginx] = compared.matrices;
  if (nginx === undefined) throw new Error("results make a matrix");
  const matrixRows = nginx.rows;

  test("shows the differences first, and filters by verdict, section, implementation, level and text", () =>
    opened(matrix, async (page) => {
      const status = page.getByRole("status");
      const differing = matrixRows.filter((row) => row.disagree).length;
      await page.locator("#rows .row").first().waitFor();
      expect(await status.textContent()).toBe(`${differing} of 100 cases.`);
      await page.getByRole("combobox", { name: "Show" }).selectOption("all");
      expect(await status.textContent()).toBe("All 100 cases.");
      await page.getByRole("checkbox", { name: "fail" }).check();
      const failed = matrixRows.filter((row) => row.cells.some((cell) => cell?.verdict === "fail"));
      expect(await status.textContent()).toBe(`${failed.length} of 100 cases.`);
      await page.getByRole("combobox", { name: "Implementation" }).selectOption({ label: "h2o" });
      const byH2o = failed.filter((row) => row.cells[1]?.verdict === "fail");
      expect(await rows(page)).toEqual(byH2o.map((row) => row.title));
      expect(new URL(page.url()).hash).toBe("#verdict=fail&show=all&who=1");
      await page.reload();
      await page.locator("#rows .row").first().waitFor();
      expect(await rows(page)).toEqual(byH2o.map((row) => row.title));
      await page.getByRole("combobox", { name: "Implementation" }).selectOption("");
      await page.getByRole("checkbox", { name: "fail" }).uncheck();
      await page.getByRole("combobox", { name: "Section" }).selectOption({ label: "§6.7 PING" });
      expect(await rows(page)).toEqual(matrixRows.filter((row) => row.spec === "rfc9113#6.7").map((row) => row.title));
      await page.getByRole("combobox", { name: "Section" }).selectOption("");
      await page.getByRole("combobox", { name: "Level" }).selectOption("SHOULD");
      expect(await status.textContent()).toBe(`${matrixRows.filter((row) => row.level === "SHOULD").length} of 100 cases.`);
      await page.getByRole("combobox", { name: "Level" }).selectOption("");
      await page.getByRole("searchbox", { name: "Text" }).fill("window-update-zero on-stream");
      expect(await status.textContent()).toBe(
        `${matrixRows.filter(({ id }) => id.includes("window-update-zero") && id.includes("on-stream")).length} of 100 cases.`,
      );
      await page.getByRole("searchbox", { name: "Text" }).fill("no such words");
      expect(await rows(page)).toEqual([]);
      await page.getByRole("button", { name: "Show all cases" }).click();
      expect(await status.textContent()).toBe("All 100 cases.");
    }));

  test("every row and cell is in a table for a screen reader, with its column's name", () =>
    opened(`${matrix}#show=all`, async (page) => {
      await page.locator("#rows .row").first().waitFor();
      const table = page.getByRole("table", { name: "http2 server" });
      expect(await table.getByRole("columnheader").allTextContents()).toEqual(["Case", "nginx", "h2o", "caddy", "nghttpd"]);
      expect(await table.getAttribute("aria-rowcount")).toBe("101");
      const first = page.locator("#rows .row").first();
      expect(await first.getByRole("cell").allTextContents()).toEqual(matrixRows[0]?.cells.map((cell) => cell?.verdict));
      expect(await first.getAttribute("aria-rowindex")).toBe("2");
    }));

  test("rows are drawn when they come near the window, and the names of the columns stay in sight", () =>
    opened(`${matrix}#show=all`, async (page) => {
      await page.locator("#rows .row").first().waitFor();
      expect(await page.locator("#rows .row").count()).toBeLessThan(100);
      await page.locator("#rows .chunk").last().scrollIntoViewIfNeeded();
      await page.locator('#rows .row[aria-rowindex="101"]').scrollIntoViewIfNeeded();
      const head = page.getByRole("columnheader", { name: "caddy" });
      expect(await head.evaluate((one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom < innerHeight)).toBe(
        true,
      );
    }));

  test("the whole table is drawn for a printer", () =>
    opened(`${matrix}#show=all`, async (page) => {
      await page.locator("#rows .row").first().waitFor();
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      expect(await rows(page)).toEqual(matrixRows.map((row) => row.title));
    }));

  test("a row unfolds by the keyboard, and its link leads back to it", () =>
    opened(`${matrix}#show=all`, async (page) => {
      const button = page.locator("#rows .unfold").first();
      await button.focus();
      await page.keyboard.press("Enter");
      expect(await button.getAttribute("aria-expanded")).toBe("true");
      const last = matrixRows.at(-1);
      await page.goto("about:blank");
      await page.goto(`${matrix}#case=${encodeURIComponent(last?.id ?? "")}`);
      await page.locator('#rows .unfold[aria-expanded="true"]').waitFor();
      expect(await page.locator('#rows .unfold[aria-expanded="true"]').textContent()).toBe(last?.title);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(last?.title);
      const [name, shown] = [page.getByRole("columnheader", { name: "h2o" }), page.locator('#rows .unfold[aria-expanded="true"]')];
      const [above, below] = [await name.boundingBox(), await shown.boundingBox()];
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      const words = await page.locator("#rows .detail").textContent();
      for (const cell of last?.cells ?? []) expect(words).toContain(cell?.observed);
    }));

  test("on a narrow screen a link leads to its case too, and each verdict names who has it", () => {
    const middle = matrixRows[50];
    return opened(
      matrix,
      async (page) => {
        await page.locator("#rows .row").first().waitFor();
        await page.evaluate((id) => (location.hash = `#case=${encodeURIComponent(id)}`), middle?.id ?? "");
        const button = page.locator('#rows .unfold[aria-expanded="true"]');
        await button.waitFor();
        expect(await button.textContent()).toBe(middle?.title);
        expect(await button.evaluate((one) => Math.abs(one.getBoundingClientRect().top))).toBeLessThan(100);
        const names = middle?.cells.flatMap((cell, at) => (cell?.verdict === "pass" ? (nginx.columns[at]?.name ?? "") : [])) ?? [];
        const passed = names.length === nginx.columns.length ? "all" : names.join(", ");
        expect(await page.locator('#rows .row:has([aria-expanded="true"]) .verdicts').textContent()).toContain(`pass ${passed}`);
      },
      360,
    );
  });

  test("of two suites, one shows at a time", () =>
    opened(suites, async (page) => {
      await page.locator("#rows .row").first().waitFor();
      await page.getByRole("combobox", { name: "Suite" }).selectOption({ label: "http2 client" });
      const headers = (): Promise<string[]> =>
        page.getByRole("table", { name: "http2 client" }).getByRole("columnheader").allTextContents();
      expect(await page.getByRole("columnheader").allTextContents()).toEqual(expect.arrayContaining(["Case", "curl"]));
      expect(await headers()).toEqual(["Case", "curl"]);
      await page.reload();
      // The page unpacks its data first.
      await expect.poll(headers).toEqual(["Case", "curl"]);
    }));

  test.each(["#%", "#suite=length", "#suite=9&section=x&who=-1&show=most&level=OUGHT&verdict=zero", "#case=http2/nowhere"])(
    "an address that means nothing, %s, shows the cases",
    (hash) =>
      opened(`${suites}${hash}`, async (page) => {
        await page.locator("#rows .row").first().waitFor();
        expect(await page.locator("#needs").isVisible()).toBe(false);
        expect(await page.getByRole("combobox", { name: "Section" }).inputValue()).toBe("");
      }),
  );

  test("a damaged page says so", async () => {
    const text = comparisonHtml(compared);
    const damaged = file("damaged.html", text.replace(/(id="block-cells-0-1">).{400}/, "$1"));
    await opened(damaged, async (page) => {
      const note = page.getByText("This page is damaged, and its cases cannot be shown");
      await note.waitFor();
      expect(await page.locator("#filters").isVisible()).toBe(false);
    });
  });

  test("without its script it shows the totals, and says what the cases need", () =>
    openedPlain(matrix, async (page) => {
      expect(await page.locator(".totals tbody tr").count()).toBe(4);
      expect(await page.getByText("it needs JavaScript").isVisible()).toBe(true);
      expect(await page.locator("#filters").isVisible()).toBe(false);
    }));

  test("text from a subject stays text", () =>
    opened(`${evil}#show=all`, async (page) => {
      await page.locator("#rows .row").first().waitFor();
      for (const button of await page.locator("#rows .unfold").all()) await button.click();
      expect(await page.title()).not.toBe("owned");
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.locator("#rows .detail dd").getByText("</script><img src=x").count()).toBeGreaterThan(20);
      expect(await page.locator("#rows .detail dd").last().textContent()).not.toContain("\u0000");
    }));
});
