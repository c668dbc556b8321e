import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { browser, CHROMIUM } from "./testing.ts";

const at = (page: string): string => pathToFileURL(join(import.meta.dirname, "../published/site", page)).href;
const KINDS = [
  "index.html",
  "questions/smuggling.html",
  "protocols/http1.html",
  "implementations/nginx.html",
  "requirements/rfc9113.html",
] as const;

describe.runIf(CHROMIUM !== undefined)("the public site, opened from disk in Chromium", () => {
  const { opened, openedPlain } = browser();

  test("answers which proxies smuggle at once, and one click shows what was seen", () =>
    opened(at("index.html"), async (page) => {
      const card = page.getByRole("listitem").filter({ hasText: "Which proxies smuggle requests?" });
      const [answer = ""] = (await card.locator("p").allTextContents()).map((text) => text.split(".")[0]);
      await card.getByRole("link").click();
      await page.getByRole("heading", { level: 1, name: "Which proxies smuggle requests?" }).waitFor();
      const yes = await page.getByRole("row").filter({ hasText: "yes:" }).getByRole("rowheader").allTextContents();
      expect(yes.length).toBeGreaterThan(0);
      for (const name of yes) expect(answer).toContain(name.trim());
      await page
        .getByRole("link", { name: yes[0]?.trim() ?? "", exact: true })
        .first()
        .click();
      expect(await page.locator("section:target").textContent()).toContain("/hidden");
    }));

  test("a search leads to an implementation and to a requirement", () =>
    opened(at("protocols/http2.html"), async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("nginx 1");
      await page.locator("#found a").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: /^nginx / }).waitFor();
      await page.getByRole("searchbox").fill("bare CR invalid replaces");
      await page.getByRole("link", { name: /bare CR as invalid/ }).click();
      await page.locator(".requirement:target").waitFor();
      expect(await page.locator(".requirement:target").textContent()).toContain("kept by");
      await page.getByRole("searchbox").fill("no such words anywhere");
      await page.getByText("Nothing has all of these words.").waitFor();
      await page.keyboard.press("Escape");
      expect(await page.locator("#found").isVisible()).toBe(false);
    }));

  test.each(KINDS)("%s fits a phone, light and dark, and only its tables scroll aside", (kind) =>
    opened(
      at(kind),
      async (page) => {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
          const [paper, ink] = await page.evaluate(() => {
            const { backgroundColor, color } = getComputedStyle(document.body);
            return [backgroundColor, color].map((text) => Number(/\d+/.exec(text)?.[0]));
          });
          expect(Number(paper) > Number(ink)).toBe(colorScheme === "light");
        }
      },
      390,
    ),
  );

  test("without scripts everything but the search is there", () =>
    openedPlain(at("index.html"), async (page) => {
      expect(await page.getByRole("searchbox").isVisible()).toBe(false);
      expect(await page.getByRole("link", { name: "HTTP/2", exact: true }).isVisible()).toBe(true);
    }));
});
