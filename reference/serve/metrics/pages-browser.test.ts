import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveMetrics, type MetricsServer } from "./index.ts";
import { measured } from "./pages-measures.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
if (CHROMIUM === undefined)
  console.log("The pages of serve metrics are not tested: chromium is not installed: apt-get install chromium (Debian)");
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

/** What a target may say to take over a page. */
const HOSTILE = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">`;
const PATHS = ["graph", "alerts", "targets", "rules", "service-discovery", "tsdb-status", "config", "flags", "status"];

describe.runIf(CHROMIUM !== undefined)("the web pages in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-pages-browser-"));
  let target: HttpServer;
  let server: MetricsServer;
  let browser: Browser;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(import.meta.dirname, "../../../ci/pages.ts")]);
    let requests = 0;
    target = createServer((_, response) => {
      requests += 100;
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4" });
      response.end(
        `# HELP hostile_info ${HOSTILE}\n# TYPE hostile_info gauge\nhostile_info{x=${JSON.stringify(HOSTILE)}} 1\n` +
          `# HELP requests_total Requests so far.\n# TYPE requests_total counter\nrequests_total{code="200"} ${requests}\nrequests_total{code="500"} 7\n`,
      );
    });
    await new Promise<void>((resolve) => void target.listen(0, "127.0.0.1", resolve));
    const file = join(folder, "metrics.yml");
    const rules = join(folder, "rules.yml");
    writeFileSync(
      rules,
      `groups:
  - name: demo
    interval: 1s
    rules:
      - {record: "code:requests:rate1m", expr: "sum by (code) (rate(requests_total[1m]))"}
      - {alert: Down, expr: "up == 0", labels: {severity: page}, annotations: {summary: "{{ $labels.instance }} is down", runbook: "https://runbooks.example/down"}}
      - {alert: Hostile, expr: "hostile_info == 1", annotations: {summary: "{{ $labels.x }}", link: "javascript:document.title='owned'"}}
      - {alert: Quiet, expr: "absent(up)", for: 5m}
`,
    );
    writeFileSync(
      file,
      `global: {scrape_interval: 2s, scrape_timeout: 2s}
rule_files: [rules.yml]
scrape_configs:
  - job_name: services
    static_configs:
      - {targets: ["127.0.0.1:${(target.address() as AddressInfo).port}"], labels: {team: ${JSON.stringify(HOSTILE)}}}
      - {targets: ["127.0.0.1:1"]}
      - {targets: ["127.0.0.1:2"], labels: {environment: test}}
    relabel_configs:
      - {source_labels: [environment], regex: test, action: drop}
      - {target_label: region, replacement: north}
`,
    );
    const flags = { "web.page-title": HOSTILE, "storage.tsdb.path": "data" };
    server = await serveMetrics({ directory: join(folder, "data"), graceMs: 100, flags, scrape: { file, onNotice: () => {} } });
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
    // The recorded series needs two scrapes, an alert one evaluation after them.
    const isThere = async (path: string, text: string): Promise<boolean> =>
      (await (await fetch(`${server.url}api/v1/${path}`)).text()).includes(text);
    while (!(await isThere("series?match[]=code:requests:rate1m", "code:"))) await pause(20);
    while (!(await isThere("alerts", '"alertname":"Hostile"'))) await pause(20);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    target.closeAllConnections();
    target.close();
    rmSync(folder, { recursive: true });
  });

  /** Console messages, errors, and requests of another host: what the policy forbids is among them. */
  async function opened(
    path: string,
    act: (page: Page) => Promise<void>,
    { expected, ...options }: Parameters<Browser["newContext"]>[0] & { readonly expected?: RegExp } = {},
  ): Promise<void> {
    const complaints: string[] = [];
    const context = await browser.newContext({ timezoneId: "UTC", ...options });
    // A page takes minutes on a machine with twenty other jobs.
    context.setDefaultTimeout(120_000);
    try {
      const page = await context.newPage();
      page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("request", (request) => {
        if (new URL(request.url()).host !== new URL(server.url).host) complaints.push(`asked for ${request.url()}`);
      });
      await page.goto(`${server.url}${path}`);
      await act(page);
      expect(await page.title()).toMatch(/ – Touchstone metrics$/);
      expect(complaints.filter((one) => expected?.test(one) !== true)).toEqual([]);
    } finally {
      await context.close();
    }
  }
  const graph = (expr: string, more = ""): string => `graph?g0.expr=${encodeURIComponent(expr)}${more}`;
  const editor = (page: Page) => page.getByRole("textbox", { name: "Expression" });

  test("an expression is typed with completion, and Enter runs it; the address keeps it over a reload", () =>
    opened("", async (page) => {
      await page.waitForURL("**/graph");
      await editor(page).focus();
      await page.keyboard.type("requests_tot");
      await page.getByRole("option", { name: /requests_total/ }).waitFor();
      // A list that has only just appeared ignores the key.
      const accepted = async (): Promise<string | null> => {
        await page.keyboard.press("Enter");
        return await editor(page).textContent();
      };
      await expect.poll(accepted).toBe("requests_total");
      await page.keyboard.press("Enter");
      const rows = page.getByRole("table", { name: "Result" }).getByRole("row");
      await expect.poll(() => rows.count()).toBe(3);
      expect(await rows.nth(2).textContent()).toMatch(/^requests_total\{code="500", .*\}7$/);
      expect(new URL(page.url()).searchParams.get("g0.expr")).toBe("requests_total");
      await page.reload();
      await expect.poll(() => rows.count()).toBe(3);
    }));

  test("completion shows what a target says about a metric as text", () =>
    opened("graph", async (page) => {
      await editor(page).focus();
      await page.keyboard.type("hostile_");
      await page.locator(".cm-completionInfo").waitFor();
      expect(await page.locator(".cm-completionInfo").textContent()).toContain(HOSTILE);
    }));

  test("completion knows functions and the labels of a metric", () =>
    opened("graph", async (page) => {
      await editor(page).focus();
      await page.keyboard.type("sum(ra");
      await page.getByRole("option", { name: /^rate/ }).waitFor();
      await page.keyboard.type("te(requests_total{co");
      const label = page.getByRole("option", { name: "code", exact: true });
      await label.waitFor();
      expect(await label.textContent()).toBe("code");
    }));

  test("an expression that is wrong: the message of the server with its place; then a good one again", () =>
    opened(
      graph("rate(requests_total)"),
      async (page) => {
        await page.getByRole("alert").getByText("expected type range vector").waitFor();
        // The editor marks it, too.
        await page.locator(".cm-lintRange-error").waitFor();
        await editor(page).focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.type("1 + 1\n");
        await page.getByRole("cell", { name: "2", exact: true }).waitFor();
        expect(await page.getByRole("alert").count()).toBe(0);
      },
      { expected: /the server responded with a status of 400/ },
    ));

  test("a graph by keyboard: tabs, cursor with values, a series that is hidden, a longer range", () =>
    opened(graph("requests_total", "&g0.range_input=5m"), async (page) => {
      const table = page.getByRole("tab", { name: "Table" });
      await table.focus();
      await page.keyboard.press("ArrowRight");
      const chart = page.getByRole("img", { name: /^Graph of 2 series from/ });
      await chart.waitFor();
      expect(await page.getByRole("tab", { name: "Graph" }).getAttribute("aria-selected")).toBe("true");
      await chart.focus();
      await page.keyboard.press("ArrowLeft");
      const line = page.getByRole("list", { name: "Series" }).getByRole("button").nth(1);
      await expect.poll(() => line.textContent()).toMatch(/code="500".*(?:7|no sample)$/);
      await line.press("Enter");
      expect(await line.getAttribute("aria-pressed")).toBe("false");
      await page.getByRole("button", { name: "Longer range" }).press("Enter");
      expect(await page.getByRole("textbox", { name: "Range" }).inputValue()).toBe("15m");
      expect(new URL(page.url()).searchParams.get("g0.range_input")).toBe("15m");
    }));

  test("a graph by mouse: dragging zooms, and the end of the range stays", () =>
    opened(graph("requests_total", "&g0.tab=0&g0.range_input=1h"), async (page) => {
      const plot = page.locator(".u-over");
      const box = (await plot.boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + 50);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.75, box.y + 50, { steps: 3 });
      await page.mouse.up();
      await expect.poll(() => page.getByRole("textbox", { name: "Range" }).inputValue()).toMatch(/^1[45]m/);
      expect(await page.getByLabel("End").inputValue()).not.toBe("");
    }));

  test("explain: the tree with the series, samples and time of each node", () =>
    opened(graph("sum by (code) (rate(requests_total[1m]))", "&g0.tab=2"), async (page) => {
      const tree = page.getByRole("list", { name: "Tree of the expression" });
      await tree.waitFor();
      const nodes = await tree.locator(".node").allTextContents();
      expect(nodes).toHaveLength(4);
      expect(nodes[0]).toMatch(/^sum by \(code\) \(rate\(requests_total\[1m\]\)\)\s*aggregation, 2 series, 2 samples, [\d.]+ ms/);
      expect(nodes[2]).toMatch(/^requests_total\[1m\]\s*range selector, 2 series, \d+ samples/);
    }));

  test("links of alerts open the same expression, and a second panel has an expression of its own", () =>
    opened("graph?g0.expr=up&g0.tab=1&g0.moment_input=2026-01-02+03:04:05", async (page) => {
      await expect.poll(() => page.getByLabel("Time").inputValue()).toBe("2026-01-02T03:04:05");
      await page.getByText("No series: the expression has no result").waitFor();
      await page.getByRole("button", { name: "Add a panel" }).click();
      await page.getByRole("textbox", { name: "Expression 2" }).fill("vector(42)");
      await page.getByRole("region", { name: "Query 2" }).getByRole("button", { name: "Execute" }).click();
      await page.getByRole("cell", { name: "42" }).waitFor();
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ "g0.expr": "up", "g1.expr": "vector(42)" });
      await page.getByRole("button", { name: "Remove panel 1" }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get("g0.expr")).toBe("vector(42)");
    }));

  test("targets: state, last error and labels; the filter", () =>
    opened("targets", async (page) => {
      await page.getByText("1 of 2 up").waitFor();
      const down = page.getByRole("row", { name: /127\.0\.0\.1:1\/metrics/ });
      expect(await down.textContent()).toMatch(/down.*nothing listens at 127\.0\.0\.1:1/);
      expect(await page.locator("tbody").textContent()).toContain(`team="${HOSTILE.replaceAll('"', '\\"')}"`);
      await page.getByRole("checkbox", { name: "Only targets that are not up" }).check();
      expect(await page.locator("tbody tr").count()).toBe(1);
    }));

  test("discovery: what rules made of a target, step by step, and where one was dropped", () =>
    opened("service-discovery", async (page) => {
      await page.getByText("2 active of 3 discovered").waitFor();
      const cards = page.getByRole("article");
      const [first, last] = [cards.first(), cards.last()];
      await first.getByRole("button", { name: "Show relabelling step by step" }).press("Enter");
      await first.getByText("region: added → north").waitFor();
      await last.getByRole("button", { name: "Show relabelling step by step" }).click();
      await last.getByText("Dropped: the target is not scraped.").waitFor();
      expect(await last.getByText("Not reached.").count()).toBe(1);
    }));

  test("rules and alerts: an expression leads to the query page without loading the document again", () =>
    opened("rules", async (page) => {
      await page.getByRole("heading", { name: /^code:requests:rate1m/ }).waitFor();
      await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
      await page.getByRole("link", { name: "Alerts" }).click();
      await page.getByRole("heading", { name: /^Hostile firing/ }).waitFor();
      // Readers of the screen hear where they are.
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Alerts");
      expect(await page.getByText("127.0.0.1:1 is down").count()).toBe(1);
      // Only addresses of the web are links.
      expect(await page.getByRole("link", { name: "https://runbooks.example/down" }).getAttribute("rel")).toContain("noreferrer");
      expect(await page.locator("a[href^='javascript']").count()).toBe(0);
      await page.getByRole("link", { name: "absent(up)" }).click();
      await page.getByText("No series: the expression has no result").waitFor();
      expect(await page.evaluate(() => "isSame" in globalThis)).toBe(true);
      await page.goBack();
      await page.getByRole("heading", { name: "Alerts", exact: true }).waitFor();
    }));

  test("status pages: cardinality by label, the configuration, flags, the process", () =>
    opened("tsdb-status", async (page) => {
      await page.getByRole("row", { name: /^code 2$/ }).waitFor();
      await page.getByRole("link", { name: "Config" }).click();
      await page.getByLabel("Configuration as YAML").getByText("job_name: services").waitFor();
      await page.getByRole("link", { name: "Flags" }).click();
      await page.getByRole("row", { name: /--web\.page-title <script>/ }).waitFor();
      await page.getByRole("link", { name: "Status" }).click();
      expect(await page.getByRole("row", { name: /touchstoneVersion/ }).textContent()).toMatch(/\d+\.\d+/);
    }));

  test("the measures find a page that is too wide, a text that is too faint, and a button without a name", () =>
    opened("flags", async (page) => {
      await page.getByRole("row", { name: /--web/ }).waitFor();
      await page.evaluate(() => {
        document
          .querySelector("main")!
          .replaceChildren(...["p", "button", "div"].map((name) => Object.assign(document.createElement(name), { className: name })));
        document.querySelector("p.p")!.textContent = "faint";
        (document.querySelector("p.p") as HTMLElement).style.color = "#999";
        (document.querySelector("div.div") as HTMLElement).style.cssText = "width: 200vw; height: 1px";
      });
      const { over, faint, nameless } = await page.evaluate(measured);
      expect(over).toBeGreaterThan(100);
      expect([faint, nameless]).toEqual([[expect.stringMatching(/^P p: 2\.\d+$/)], [expect.stringContaining('class="button"')]]);
    }));

  test.each([
    ["light", 1_280],
    ["dark", 1_280],
    ["light", 390],
    ["dark", 390],
  ] as const)("%s, %i pixels wide: every page fits, its texts have enough contrast, and its controls have names", (colorScheme, width) =>
    opened(
      graph("{job='services'}", "&g1.expr=requests_total&g1.tab=0&g2.expr=sum(rate(requests_total[1m]))&g2.tab=2"),
      async (page) => {
        await page.locator(".u-over").waitFor();
        await page.locator(".tree").waitFor();
        for (const path of PATHS) {
          if (path !== "graph") await page.goto(`${server.url}${path}`);
          await page.locator("main :is(table, article, pre, .facts)").first().waitFor();
          const { over, faint, nameless } = await page.evaluate(measured);
          expect([path, over, faint, nameless]).toEqual([path, 0, [], []]);
        }
      },
      { colorScheme, viewport: { width, height: 844 } },
    ),
  );
});
