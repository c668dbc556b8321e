import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAgent, type Agent } from "./agent.ts";
import { serveChannel, type ChannelServer } from "./server.ts";
import { drawToken } from "./tokens.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
if (CHROMIUM === undefined) console.log("The terminal page is not tested: chromium is not installed: apt-get install chromium (Debian)");
/** How long a page may take on a machine with twenty other jobs. */
const PATIENCE_MS = 120_000;
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

describe.runIf(CHROMIUM !== undefined)("the terminal page in Chromium", () => {
  const tokens = { agent: drawToken(), client: drawToken(), watcher: drawToken() };
  let server: ChannelServer;
  let agent: Agent;
  let browser: Browser;
  /** Console messages, errors and unexpected requests of the current test's page. A page of an earlier test may still report while it closes. */
  let complaints: string[] = [];
  beforeAll(async () => {
    server = await serveChannel({ tokens });
    const env = { PATH: process.env["PATH"], PS1: "$ ", HOME: "/" };
    agent = startAgent({ url: server.sessionUrl("main"), token: tokens.agent, command: "/bin/sh", env, retryMs: 400 });
    await agent.offered;
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
  });
  afterAll(async () => {
    await browser.close();
    agent.close();
    await server.close();
  });

  async function opened(options: Parameters<Browser["newContext"]>[0], act: (page: Page) => Promise<void>, url = server.pageUrl("main")) {
    const own: string[] = [];
    complaints = own;
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    try {
      const page = await context.newPage();
      page.on("console", (message) => own.push(`${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => own.push(error.message));
      page.on("request", (request) => {
        const { host, search } = new URL(request.url());
        if (host !== new URL(server.url).host || search.includes(tokens.client)) own.push(`asked for ${request.url()}`);
      });
      await page.goto(url);
      await act(page);
    } finally {
      await context.close();
    }
  }
  const rows = (page: Page) => page.locator(".xterm-rows");
  const typedSoFar = () => server.channel.hub.session("main")?.typing.end ?? 0;
  const state = (page: Page, name: string) => page.locator(`#state[data-state="${name}"]`).waitFor();

  test("a command is typed, then the page reloads: the shell runs it, and the page shows the output again", () =>
    opened({}, async (page) => {
      await state(page, "connected");
      await page.keyboard.type("echo $((6*7))\n");
      await rows(page)
        .getByText(/^42\s*$/)
        .first()
        .waitFor();
      const before = await rows(page).textContent();
      await page.reload();
      await state(page, "connected");
      await rows(page)
        .getByText(/^42\s*$/)
        .first()
        .waitFor();
      expect((await rows(page).textContent())?.startsWith(before?.trimEnd() ?? "?")).toBe(true);
      // The terminal's replies to a replayed query do not reach the shell again.
      const asks = "printf '\\033[c'; sleep 0.3; echo asked | tr a-z A-Z\n";
      const typed = typedSoFar() + asks.length + "\x1b[?1;2c".length;
      await page.keyboard.type(asks);
      await rows(page).getByText("ASKED").first().waitFor();
      await expect.poll(typedSoFar).toBe(typed);
      await page.reload();
      await rows(page).getByText("ASKED").first().waitFor();
      await page.waitForTimeout(200);
      expect(typedSoFar()).toBe(typed);
      expect(complaints).toEqual([]);
    }));

  test("the agent reconnects: the page shows both states, and input works again", () =>
    opened({}, async (page) => {
      await state(page, "connected");
      // A state of 400 ms is noted in the page itself: a busy machine may look too late.
      const shown = await page.evaluateHandle(states);
      agent.drop();
      await page.waitForFunction((seen) => seen.at(-1) === "connected", shown);
      expect(await shown.jsonValue()).toEqual(["gone", "connected"]);
      await page.keyboard.type("echo back | tr a-z A-Z\n");
      await rows(page).getByText("BACK").first().waitFor();
      expect(complaints).toEqual([]);
    }));

  test("an invalid token: the page says so and does not retry", () =>
    opened(
      {},
      async (page) => {
        await state(page, "refused");
        expect(await page.getByRole("status").textContent()).toContain("Invalid token: open the complete URL");
      },
      `${server?.url ?? ""}#session=main&token=${drawToken()}`,
    ));

  test.each([
    ["light", 360],
    ["dark", 360],
    ["light", 1_280],
    ["dark", 1_280],
  ] as const)("%s scheme, %i pixels wide: the page fits, and the state has enough contrast", (colorScheme, width) =>
    opened({ colorScheme, viewport: { width, height: 640 } }, async (page) => {
      await state(page, "connected");
      await page.waitForTimeout(250);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const found = await page.evaluate(measures);
      expect(found.over).toEqual([0, 0]);
      expect(found.cells).toBe(true);
      expect(found.ratio).toBeGreaterThanOrEqual(4.5);
      expect(found.keys).toBe(width < 640);
      expect(complaints).toEqual([]);
    }),
  );

  test("a watcher on a small screen: sees the terminal in the typing client's size, and cannot type", () =>
    opened({ viewport: { width: 1000, height: 600 } }, async (typing) => {
      await state(typing, "connected");
      await typing.keyboard.type("echo se$((1))en\n");
      await rows(typing)
        .getByText(/^se1en\s*$/)
        .first()
        .waitFor();
      const before = typedSoFar();
      const other = await browser.newContext({ viewport: { width: 390, height: 700 } });
      other.setDefaultTimeout(PATIENCE_MS);
      try {
        const page = await other.newPage();
        await page.goto(server.pageUrl("main", "watcher"));
        await state(page, "connected");
        expect(await page.getByRole("status").textContent()).toContain("Watching");
        await rows(page)
          .getByText(/^se1en\s*$/)
          .first()
          .waitFor();
        await page.locator("#terminal").click();
        await page.keyboard.type("exit 9\n");
        expect(await page.locator("#keys").isVisible()).toBe(false);
        // The typing client keeps its size; the watcher shows the same number of cells in a smaller font.
        const cells = (of: Page) => of.locator("#facts").textContent();
        expect(await cells(page)).toContain((await cells(typing))?.split(" ·")[0]);
        await expect
          .poll(() => page.evaluate(() => Number.parseFloat(getComputedStyle(document.querySelector(".xterm-rows")!).fontSize)))
          .toBeLessThan(14);
        await typing.keyboard.type("echo sti$((1))l\n");
        await rows(page)
          .getByText(/^sti1l\s*$/)
          .first()
          .waitFor();
        expect(typedSoFar()).toBe(before + "echo sti$((1))l\n".length);
      } finally {
        await other.close();
      }
      expect(complaints).toEqual([]);
    }));

  test("the shell exits: the page shows its status, also after a reconnect", () =>
    opened({ viewport: { width: 360, height: 640 } }, async (page) => {
      await state(page, "connected");
      await page.keyboard.type("exit 3\n");
      await state(page, "exited");
      expect(await page.getByRole("status").textContent()).toContain("Exited with status 3");
      await page.getByRole("button", { name: "Reconnect" }).click();
      await state(page, "exited");
      expect(complaints).toEqual([]);
    }));
});

describe.runIf(CHROMIUM !== undefined)("the terminal page in Chromium over TLS", () => {
  test("an accepted self-signed certificate: the page loads over HTTP/2 and connects over wss:", async () => {
    const tokens = { agent: drawToken(), client: drawToken() };
    await using server = await serveChannel({ tokens, tls: true });
    const { certificate } = server;
    const env = { PATH: process.env["PATH"], PS1: "$ ", HOME: "/" };
    const agent = startAgent({ url: server.sessionUrl("main"), token: tokens.agent, command: "/bin/sh", env, ca: certificate ?? "" });
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
    try {
      await agent.offered;
      const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const sockets: string[] = [];
      page.on("websocket", (socket) => sockets.push(new URL(socket.url()).protocol));
      await page.goto(server.pageUrl("main"));
      await page.locator('#state[data-state="connected"]').waitFor();
      await page.keyboard.type("echo $((6*7))\n");
      await page
        .locator(".xterm-rows")
        .getByText(/^42\s*$/)
        .first()
        .waitFor();
      expect(sockets).toEqual(["wss:"]);
      // The page itself uses HTTP/2, over which browsers may open the WebSocket too (rfc8441).
      expect(
        await page.evaluate(() => (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).nextHopProtocol),
      ).toBe("h2");
    } finally {
      await browser.close();
      agent.close();
    }
  });
});

/** Runs in the page: collects the states that it shows from now on. */
function states(): (string | undefined)[] {
  const seen: (string | undefined)[] = [];
  const element = document.querySelector<HTMLElement>("#state")!;
  new MutationObserver(() => {
    if (seen.at(-1) !== element.dataset["state"]) seen.push(element.dataset["state"]);
  }).observe(element, { attributeFilter: ["data-state"] });
  return seen;
}

/** Runs in the page: measures whether the terminal fits, and the contrast of the state. */
function measures(): { over: number[]; cells: boolean; ratio: number; keys: boolean } {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  const luminance = (color: string): number => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const element = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!;
  const text = luminance(getComputedStyle(element("#words")).color);
  const background = luminance(getComputedStyle(element("header")).backgroundColor);
  const place = element("#terminal");
  const screen = element(".xterm-screen");
  return {
    over: [place.scrollWidth - place.clientWidth, place.scrollHeight - place.clientHeight].map((by) => Math.max(0, by)),
    cells: screen.clientWidth > place.clientWidth * 0.8 && screen.clientHeight > place.clientHeight * 0.8,
    ratio: (Math.max(text, background) + 0.05) / (Math.min(text, background) + 0.05),
    keys: element("#keys").checkVisibility(),
  };
}
