import { existsSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startAgent, type Agent } from "./agent.ts";
import { serveChannel, type ChannelServer } from "./server.ts";
import { drawToken } from "./tokens.ts";

/** The page over a bad line, beside other pages, and after its shell has ended. */

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

/** A network between page and hub that can stop to deliver, without an end of any connection. */
async function network(port: number) {
  let isFrozen = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => isFrozen || to.destroy());
      from.on("data", (octets) => void (isFrozen || to.write(octets)));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    freeze: (on: boolean) => void (isFrozen = on),
    cut: () => sockets.forEach((socket) => socket.destroy()),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe.runIf(CHROMIUM !== undefined)("the terminal page in Chromium, over time", () => {
  const tokens = { agent: drawToken(), client: drawToken(), watcher: drawToken() };
  let server: ChannelServer;
  let agent: Agent;
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await serveChannel({ tokens });
    const env = { PATH: process.env["PATH"], PS1: "$ ", HOME: "/" };
    agent = startAgent({ url: server.sessionUrl("main"), token: tokens.agent, command: "/bin/sh", env, retryMs: 100, again: true });
    await agent.offered;
    return async () => {
      agent.close();
      await server.close();
    };
  });

  const rows = (page: Page) => page.locator(".xterm-rows");
  const shows = (page: Page, text: RegExp | string) => rows(page).getByText(text).first().waitFor();
  const state = (page: Page, name: string) => page.locator(`#state[data-state="${name}"]`).waitFor();
  const opened = async (act: (page: Page, context: BrowserContext) => Promise<void>, url = server.pageUrl("main")) => {
    const context = await browser.newContext({ viewport: { width: 900, height: 500 } });
    // A page takes minutes on a machine with twenty other jobs.
    context.setDefaultTimeout(120_000);
    try {
      const page = await context.newPage();
      await page.goto(url);
      await state(page, "connected");
      await act(page, context);
    } finally {
      await context.close();
    }
  };

  test("the network stops to deliver: the page says so, reconnects, and sends what was typed meanwhile", async () => {
    const line = await network(server.port);
    const url = server.pageUrl("main").replace(`:${server.port}/`, `:${line.port}/`);
    await opened(async (page) => {
      await shows(page, "$");
      line.freeze(true);
      await state(page, "reconnecting");
      expect(await page.getByRole("status").textContent()).toContain("Connection lost");
      await page.keyboard.type("echo $((6*7))\n");
      line.cut();
      line.freeze(false);
      await state(page, "connected");
      await shows(page, /^42\s*$/);
    }, url);
    line.stop();
  });

  test("a reload within a full-screen program: the page shows it again, without an alert, and the shell's screen after it", () =>
    opened(async (page) => {
      await page.keyboard.type(
        "seq 1 3000; printf '\\033[?1049h\\033[2J\\033[5;5Hédit\\303'; read x; printf '\\251\\n'; read y; printf '\\033[?1049l'\n",
      );
      await shows(page, "édit");
      await page.reload();
      await state(page, "connected");
      await shows(page, "édit");
      expect(await page.locator("#notice").isVisible()).toBe(false);
      expect(await rows(page).textContent()).not.toContain("3000");
      await page.keyboard.type("\n");
      await shows(page, "é");
      await page.keyboard.type("\n");
      await shows(page, /^3000\s*$/);
    }));

  test("two pages: a query of the shell is answered once, and the size is the owner's until the other takes it", () =>
    opened(async (page, context) => {
      const typed = () => server.channel.hub.session("main")?.typing.end ?? 0;
      const other = await context.newPage();
      await other.setViewportSize({ width: 420, height: 700 });
      await other.goto(server.pageUrl("main"));
      await state(other, "connected");
      await shows(other, "$");
      const facts = await page.locator("#facts").textContent();
      expect(await other.locator("#facts").textContent()).toBe(facts);
      const asks = "printf '\\033[c'; sleep 0.3; echo asked | tr a-z A-Z\n";
      const before = typed();
      await page.keyboard.type(asks);
      await shows(other, "ASKED");
      await page.waitForTimeout(300);
      expect(typed() - before).toBe(asks.length + "\x1b[?1;2c".length);
      await other.getByRole("button", { name: "Use this size" }).click();
      await expect.poll(() => page.locator("#facts").textContent()).not.toBe(facts);
      expect(await other.getByRole("button", { name: "Use this size" }).isVisible()).toBe(false);
      expect(await page.getByRole("button", { name: "Use this size" }).isVisible()).toBe(true);
    }));

  test("the shell exits: the page offers a new one, and types into it", () =>
    opened(async (page) => {
      await page.keyboard.type("exit 3\n");
      await state(page, "exited");
      expect(await page.getByRole("status").textContent()).toContain("Exited with status 3");
      await page.reload();
      await state(page, "exited");
      await page.getByRole("button", { name: "New shell" }).click();
      await state(page, "connected");
      await page.keyboard.type("echo $((6*7))\n");
      await shows(page, /^42\s*$/);
    }));
});
