import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Page } from "./page.ts";
import {
  acceptOf,
  contentTypeOf,
  type FamilyToWrite,
  formatBound,
  metadataByFamily,
  negotiate,
  parseContentType,
  PROTOBUF,
  type ProtobufFamily,
  readOpenMetrics,
  readProtobuf,
  readText,
  writeOpenMetrics,
  writeText,
} from "./index.ts";

/** Reads the pages of Debian's prometheus in each format, and has its tools read ours. */

const PROMTOOL = "/usr/bin/promtool";
const PROMETHEUS = "/usr/bin/prometheus";
const isHere = existsSync(PROMTOOL) && existsSync(PROMETHEUS);
if (!isHere) console.log("Pages are not compared with those of prometheus: it is not installed (on Debian: apt-get install prometheus).");

const MESSAGES = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

/** The samples of a page by name and labels. */
type Samples = ReadonlyMap<string, number>;
/** Bounds and quantiles in canonical form: text has them in the shortest form. */
const seriesOf = (name: string, labels: readonly (readonly [string, string])[]): string => {
  const same = labels.map(
    ([label, value]) => [label, label === "le" || label === "quantile" ? formatBound(numberOf(value)) : value] as const,
  );
  return JSON.stringify([name, same.sort(([a], [b]) => (a < b ? -1 : 1))]);
};
const numberOf = (text: string): number => Number(text.replace("Inf", "Infinity"));

const page = new Page();
function read(reader: typeof readText, text: Uint8Array | string): Samples {
  expect(reader(page, typeof text === "string" ? Buffer.from(text) : text)).toBeUndefined();
  return new Map(Array.from({ length: page.count }, (_, n) => [seriesOf(page.name(n), page.labels(n)), page.values[n] ?? 0]));
}
const samplesOf = (families: readonly FamilyToWrite[]): Samples =>
  new Map(families.flatMap(({ samples }) => samples.map(({ name, labels = [], value }) => [seriesOf(name, labels), value] as const)));

describe.skipIf(!isHere)("the page of prometheus", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-pages-"));
  let server: ChildProcess;
  let url = "";
  const get = async (accept: string): Promise<{ readonly type: string; readonly octets: Uint8Array }> => {
    const answer = await fetch(`${url}metrics`, { headers: { accept } });
    return { type: answer.headers.get("content-type") ?? "", octets: new Uint8Array(await answer.arrayBuffer()) };
  };
  const messages = async (): Promise<readonly ProtobufFamily[]> => {
    const families = readProtobuf((await get(acceptOf([PROTOBUF]))).octets);
    if ("is" in families) throw new Error(families.message);
    return families;
  };

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    writeFileSync(join(folder, "empty.yml"), "global: {}\n");
    const flags = [`--config.file=${folder}/empty.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`];
    server = spawn(PROMETHEUS, [...flags, "--log.level=error"], { stdio: "ignore" });
    while ((await fetch(`${url}-/ready`).catch(() => undefined))?.ok !== true) {
      if (server.exitCode !== null) throw new Error("prometheus ended before it was ready");
      await pause(50);
    }
    // Its own histograms and summaries have observations then.
    for (const path of ["metrics", "api/v1/query?query=1", "api/v1/labels"]) await (await fetch(url + path)).arrayBuffer();
  });
  afterAll(() => {
    server?.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });

  test("has the same series in messages as in text, and those that stand still the same values", async () => {
    const own = await messages();
    // A gauge may move and come back between two pages: a series must have the same value in one of five rounds.
    let differing: string[] | undefined;
    for (let round = 0; round < 5 && differing?.length !== 0; round++) {
      const [before, between, after] = [await get("text/plain"), await messages(), await get("text/plain")];
      const [first, last, found] = [read(readText, before.octets), read(readText, after.octets), samplesOf(between)];
      expect([...found.keys()].filter((one) => !last.has(one))).toEqual([]);
      expect([...first.keys()].filter((one) => !found.has(one))).toEqual([]);
      const still = [...first].filter(([one, value]) => Object.is(last.get(one), value));
      expect(still.length).toBeGreaterThan(200);
      const now = new Set(still.filter(([one, value]) => !Object.is(found.get(one), value)).map(([one]) => one));
      differing = differing === undefined ? [...now] : differing.filter((one) => now.has(one));
    }
    expect(differing).toEqual([]);
    expect(new Set(own.map(({ type }) => type))).toEqual(new Set(["counter", "gauge", "histogram", "summary"]));
    const described = metadataByFamily(page);
    for (const { name, type, help } of own) expect([name, described.get(name)]).toMatchObject([name, { type, help }]);
  });

  test("that we write as text is accepted by promtool, and has the same samples", async () => {
    const own = await messages();
    const text = writeText(own);
    const { stderr } = spawnSync(PROMTOOL, ["check", "metrics"], { input: text, encoding: "utf8" });
    expect(stderr).not.toMatch(/error while linting/);
    expect(read(readText, text)).toEqual(samplesOf(own));
  });

  test("that we write as OpenMetrics becomes a block with the same samples", async () => {
    const own = (await messages()).map((family) => ({
      ...family,
      name: family.type === "counter" ? family.name.replace(/_total$/, "") : family.name,
      samples: family.samples.map((sample) => ({ ...sample, timestamp: 1_700_000_000_000 })),
    }));
    const data = join(folder, "written");
    mkdirSync(join(data, "wal"), { recursive: true });
    const text = writeOpenMetrics(
      own.filter(
        ({ name, type }) =>
          type !== "counter" || !own.some((other) => other !== undefined && other.type !== "counter" && other.name === name),
      ),
    );
    const written = read(readOpenMetrics, text);
    writeFileSync(join(folder, "page"), text);
    execFileSync(PROMTOOL, ["tsdb", "create-blocks-from", "openmetrics", join(folder, "page"), data], { stdio: "pipe" });
    const dump = execFileSync(PROMTOOL, ["tsdb", "dump", data], { encoding: "utf8", maxBuffer: 1 << 26 })
      .trim()
      .split("\n");
    const stored = dump.map((line) => {
      const [, labels = "", value = "", time = ""] = /^\{(.*)\} (\S+) (\d+)$/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)=("(?:[^"\\]|\\.)*")/g)].map(
        ([, name = "", text = ""]) => [name, JSON.parse(text) as string] as const,
      );
      expect(time).toBe("1700000000000");
      const name = pairs.find(([label]) => label === "__name__")?.[1] ?? "";
      return [
        seriesOf(
          name,
          pairs.filter(([label]) => label !== "__name__"),
        ),
        numberOf(value),
      ] as const;
    });
    expect(stored.length).toBe(written.size);
    expect(new Map(stored)).toEqual(written);
  });

  test.each([
    "",
    "text/plain",
    "*/*",
    "text/*",
    "text/html",
    MESSAGES,
    `${MESSAGES};q=0.5,text/plain;version=0.0.4;q=0.3`,
    `${MESSAGES};q=0.3,text/plain;version=0.0.4;q=0.5`,
    `text/plain;version=0.0.4;q=0.5,${MESSAGES};q=0.5`,
    "application/vnd.google.protobuf",
    "application/vnd.google.protobuf;proto=other;encoding=delimited",
    "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=compact",
    "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily",
    "text/plain;version=9.9.9,image/png",
    `image/png;q=0.9,${MESSAGES};q=0.1`,
  ])("comes in the format that we would select for Accept: %j", async (accept) => {
    const { type } = await get(accept);
    const own = negotiate(accept, { formats: ["text", "protobuf"] });
    expect(own.is).toBe(type.startsWith("application/vnd.google.protobuf") ? "protobuf" : "text");
    expect(parseContentType(type)).toEqual(own);
    expect(parseContentType(contentTypeOf(own))).toEqual(own);
    const written = type.startsWith("text/plain") ? "text/plain; version=0.0.4; charset=utf-8" : contentTypeOf(own);
    expect(written).toBe(type);
  });
});

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
