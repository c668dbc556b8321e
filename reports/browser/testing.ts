/** The pages in an installed Chromium, for the tests in this folder. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
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
/** Text of a subject that tries to break out of the page. */
export const HOSTILE = `</script><img src=x onerror="document.title='owned'">\u2028\u0000\u001b[31m`;

type Browser = {
  /** Writes a page, and gives its address. */
  readonly file: (name: string, text: string) => string;
  /** Opens a page, and fails if anything complains or is fetched. */
  readonly opened: (url: string, act: (page: Page) => Promise<void>, width?: number) => Promise<void>;
  /** Opens a page without its script. */
  readonly openedPlain: (url: string, act: (page: Page) => Promise<void>) => Promise<void>;
};

/** A browser for the tests of one `describe`. */
export function browser(): Browser {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-browser-"));
  const complaints: string[] = [];
  let context: BrowserContext;
  beforeAll(async () => {
    context = await chromium.launchPersistentContext(join(folder, "profile"), { executablePath: CHROMIUM ?? "", args: FLAGS });
    // A page takes minutes on a machine with twenty other jobs.
    context.setDefaultTimeout(120_000);
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
  return {
    file: (name, text) => {
      writeFileSync(join(folder, name), text);
      return pathToFileURL(join(folder, name)).href;
    },
    opened: async (url, act, width = 1280) => {
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
    },
    openedPlain: async (url, act) => {
      const plain = await chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
      try {
        const page = await plain.newPage({ javaScriptEnabled: false });
        await page.goto(url);
        await act(page);
      } finally {
        await plain.close();
      }
    },
  };
}
