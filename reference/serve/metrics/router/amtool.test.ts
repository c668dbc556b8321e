import { spawn, spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ROUTER_CASES } from "../../../metrics/config/router/corpus.ts";
import { readRouterFiles } from "./config-files.ts";
import { serveRouter } from "./server.ts";
import { AMTOOLS, Folder, HOW_TO_GET } from "./testing.ts";

/** amtool works against our router, and judges configurations as we do. */

if (AMTOOLS.length === 0) console.log(`amtool is not used: it is not installed (${HOW_TO_GET}).`);

const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());

const CONFIG = `
route:
  receiver: all
  group_by: [alertname]
  routes: [{matchers: ['team="x"'], receiver: team}]
receivers:
- {name: all, webhook_configs: [{url: "http://127.0.0.1:1/"}]}
- {name: team}
`;

function run(program: string, ...args: readonly string[]): Promise<{ readonly status: number | null; readonly out: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.on("close", (status) => resolve({ status, out: out.trim() }));
  });
}

describe.each(AMTOOLS)("%s", (program) => {
  test("alerts, silences, configuration and cluster of our router", async () => {
    const server = await serveRouter({
      file: folder.write("router.yml", CONFIG),
      directory: folder.at(`data-${AMTOOLS.indexOf(program)}`),
      onNotice: () => {},
    });
    const tool = (...args: readonly string[]) => run(program, `--alertmanager.url=${server.url}`, ...args);
    const json = async (...args: readonly string[]): Promise<unknown> => JSON.parse((await tool(...args, "-o", "json")).out);
    expect(await tool("alert", "add", "alertname=Disk", "node=a", '--annotation=summary="full"')).toMatchObject({ status: 0 });
    expect(await tool("alert", "add", "Disk", "node=b")).toMatchObject({ status: 0 });
    expect(await json("alert", "query", "node=a")).toMatchObject([
      { labels: { alertname: "Disk", node: "a" }, status: { state: "active" } },
    ]);
    expect(await json("alert", "query", "--receiver=other")).toEqual([]);
    const { out: id } = await tool("silence", "add", "node=~a|c", "--comment=why", "--duration=2h", "--author=me");
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(await json("alert", "query", "--silenced")).toMatchObject([{ labels: { node: "a" }, status: { silencedBy: [id] } }]);
    expect(await json("silence", "query")).toMatchObject([
      { id, comment: "why", createdBy: "me", matchers: [{ name: "node", value: "a|c", isRegex: true }] },
    ]);
    expect((await tool("silence", "query", "-q", "node=~a.*")).out).toBe(id);
    const before = (await json("silence", "query")) as readonly { readonly endsAt: string }[];
    expect(await tool("silence", "update", "--duration=5h", id)).toMatchObject({ status: 0 });
    const after = (await json("silence", "query")) as typeof before;
    expect(Date.parse(after[0]?.endsAt ?? "") - Date.parse(before[0]?.endsAt ?? "")).toBeGreaterThan(3_600_000);
    folder.write("silences.json", JSON.stringify(after.map((one) => ({ ...one, id: "", comment: "again" }))));
    expect(await tool("silence", "import", folder.at("silences.json"))).toMatchObject({ status: 0 });
    expect(await json("silence", "query")).toHaveLength(2);
    expect(await tool("silence", "expire", id)).toMatchObject({ status: 0 });
    expect(await json("silence", "query", "--expired")).toMatchObject([{ id, status: { state: "expired" } }]);
    expect((await tool("config", "show")).out).toContain("receiver: all");
    expect((await tool("config", "routes", "show")).out).toMatch(/all[^]*team/);
    expect((await tool("config", "routes", "test", "team=x")).out).toBe("team");
    expect((await tool("cluster", "show")).out).toContain("disabled");
    await server.close();
  });

  test("accepts the configurations that we accept, but for the listed differences", () => {
    const differ = ROUTER_CASES.filter(({ text }) => {
      const file = folder.write("case.yml", text);
      return (spawnSync(program, ["check-config", file]).status === 0) !== (readRouterFiles(file).config !== undefined);
    });
    expect(differ.map(({ about }) => about)).toEqual(ROUTER_CASES.filter((one) => one.differs !== undefined).map(({ about }) => about));
  });
});

const MODULE = "github.com/prometheus/alertmanager@v0.34.2";
const cache = spawnSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).stdout?.trim() ?? "";
const shipped = cache === "" ? [] : globSync(join(cache, MODULE, "config/testdata/*.yml")).sort();
if (shipped.length === 0) console.log(`Configurations that ship with Alertmanager are not judged: go mod download ${MODULE}`);

test.runIf(shipped.length > 0 && AMTOOLS.length > 1)(
  "the configurations that ship with Alertmanager: only what we do not support is judged otherwise",
  () => {
    const differ = shipped.filter((file) => {
      const { config, problems } = readRouterFiles(file);
      if (config === undefined && problems.every(({ message }) => message.includes("not supported"))) return false;
      return (spawnSync(AMTOOLS.at(-1) ?? "", ["check-config", file]).status === 0) !== (config !== undefined);
    });
    expect(differ).toEqual([]);
    expect(shipped.length).toBeGreaterThan(40);
  },
);

test("without amtool: every listed difference has a reason", () => {
  expect(ROUTER_CASES.filter((one) => one.differs === "")).toEqual([]);
});
