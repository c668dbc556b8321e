import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveMetrics, type MetricsServer } from "./index.ts";

const BEGIN = 1_760_000_000;
const PAGE = `# TYPE up gauge
# HELP up Whether the target is up.
up{job="a"} 1 ${BEGIN}
up{job="a"} 0 ${BEGIN + 30}
up{job="b"} 1 ${BEGIN}
# TYPE requests counter
requests_total{job="a"} 1 ${BEGIN}
requests_total{job="a"} 31 ${BEGIN + 30}
# EOF
`;

type Envelope = {
  readonly status: string;
  readonly data?: unknown;
  readonly errorType?: string;
  readonly error?: string;
  readonly warnings?: string[];
  readonly infos?: string[];
};

describe("serveMetrics()", () => {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-metrics-"));
  let server: MetricsServer;
  beforeAll(async () => {
    const pages = [Buffer.from(PAGE)];
    server = await serveMetrics({ directory, pages, admin: true, now: () => (BEGIN + 60) * 1_000, flags: { "query.timeout": "2m" } });
  });
  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  const at = (path: string): string => `${server.url}api/v1/${path}`;
  async function ask(path: string, init?: RequestInit): Promise<Envelope & { readonly httpStatus: number }> {
    const response = await fetch(at(path), init);
    const text = await response.text();
    return { httpStatus: response.status, ...(text === "" ? { status: "" } : (JSON.parse(text) as Envelope)) };
  }
  const encoded = encodeURIComponent;

  test("the samples of a page are stored", () => {
    expect(server.loaded).toMatchObject([{ samples: 5, refused: new Map() }]);
  });

  test("instant query without a time: evaluated at the server's current time", async () => {
    expect(await ask("query?query=sum(up)")).toEqual({
      httpStatus: 200,
      status: "success",
      data: { resultType: "vector", result: [{ metric: {}, value: [BEGIN + 60, "1"] }] },
    });
  });

  test("a form over the limit: 413, a damaged form: 400", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const large = await ask("query", { method: "POST", headers, body: `query=${"a".repeat(5 << 20)}` });
    expect(large).toMatchObject({ httpStatus: 413, errorType: "bad_data", error: "the form is longer than 4194304 octets" });
    expect((await ask("query", { method: "POST", headers, body: "query=%zz" })).httpStatus).toBe(400);
  });

  test("pages of other origins: no permission without a pattern", async () => {
    const response = await fetch(at("query?query=1"), { headers: { origin: "https://a.example" } });
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("instant query, parameters in a POST form: same response as in the target", async () => {
    const form = new URLSearchParams({ query: "up", time: String(BEGIN) });
    const posted = await ask("query", { method: "POST", body: form });
    expect(posted).toEqual(await ask(`query?${form.toString()}`));
    expect(posted.data).toMatchObject({ result: [{ metric: { job: "a" } }, { metric: { job: "b" } }] });
  });

  test("range query: series sorted by labels, samples by time", async () => {
    const { data } = await ask(`query_range?query=up&start=${BEGIN}&end=${BEGIN + 30}&step=15s`);
    expect(data).toEqual({
      resultType: "matrix",
      result: [
        {
          metric: { __name__: "up", job: "a" },
          values: [
            [BEGIN, "1"],
            [BEGIN + 15, "1"],
            [BEGIN + 30, "0"],
          ],
        },
        {
          metric: { __name__: "up", job: "b" },
          values: [
            [BEGIN, "1"],
            [BEGIN + 15, "1"],
            [BEGIN + 30, "1"],
          ],
        },
      ],
    });
  });

  test("a suspicious query: infos beside the result", async () => {
    const { infos, data } = await ask(`query?query=${encoded("rate(up[1m])")}&time=${BEGIN + 30}`);
    expect(infos).toEqual([expect.stringMatching(/^PromQL info: metric might not be a counter.*\(1:6\)$/)]);
    expect(data).toMatchObject({ resultType: "vector" });
  });

  test.each([
    ["query?query=sum(up", 400, "bad_data", /^invalid parameter "query": 1:7: parse error: /],
    ["query?query=up&time=noon", 400, "bad_data", /^invalid parameter "time": cannot parse "noon" to a valid timestamp$/],
    ["query?query=up&timeout=1x", 400, "bad_data", /^invalid parameter "timeout": /],
    ["query?query=up&limit=-1", 400, "bad_data", /^invalid parameter "limit": /],
    ["query_range?query=up&start=2&end=1&step=1", 400, "bad_data", /must not be before start/],
    ["query_range?query=up&start=1&end=2&step=0", 400, "bad_data", /zero or negative query resolution/],
    ["query_range?query=up&start=0&end=11001&step=1", 400, "bad_data", /exceeded maximum resolution of 11,000 points/],
    ["query_range?query=up[1m]&start=0&end=1&step=1", 400, "bad_data", /invalid expression type "range vector"/],
    [`query?query=${encoded('label_replace(up, "a", "", "", "(")')}`, 422, "execution", /./],
    ["query?query=up%20%2B%20on()%20up", 422, "execution", /many-to-many|one-to-one|found duplicate/],
    ["series", 400, "bad_data", /no match\[\] parameter/],
    ["series?match[]={}", 400, "bad_data", /match\[\]/],
    ["label/%ff/values", 400, "bad_data", /not encoded/],
    ["nothing", 404, "not_found", /nothing at/],
  ])("%s: refused with %i and %s", async (path, status, type, message) => {
    const found = await ask(path);
    expect([found.httpStatus, found.status, found.errorType]).toEqual([status, "error", type]);
    expect(found.error).toMatch(message);
  });

  test("a query that times out: 503, and the next query is answered", async () => {
    expect(await ask("query?query=up&timeout=0")).toMatchObject({ httpStatus: 503, errorType: "timeout" });
    expect(await ask("query?query=1")).toMatchObject({ status: "success" });
  });

  test("stats=true: the response counts the samples", async () => {
    const { data } = await ask(
      `query_range?query=${encoded("sum_over_time(up[1m])")}&start=${BEGIN}&end=${BEGIN + 30}&step=15s&stats=true`,
    );
    // Queryable: 1, 1 and 2 samples of the first series, and 1 of the second at each step.
    expect(data).toMatchObject({
      stats: { samples: { totalQueryableSamples: 7, samplesRead: 3 }, timings: { execQueueTime: expect.any(Number) as number } },
    });
    expect((await ask("query?query=up")).data).not.toHaveProperty("stats");
  });

  test("series, labels and label values are listed; a limit truncates them with a warning", async () => {
    expect((await ask('series?match[]={job="a"}')).data).toEqual([
      { __name__: "requests_total", job: "a" },
      { __name__: "up", job: "a" },
    ]);
    expect((await ask("labels")).data).toEqual(["__name__", "job"]);
    expect((await ask("label/job/values?match[]=requests_total")).data).toEqual(["a"]);
    expect(await ask("label/job/values?limit=1")).toMatchObject({ data: ["a"], warnings: ["results truncated due to limit"] });
    expect((await ask("label/U__job/values")).data).toEqual(["a", "b"]);
  });

  test("metadata of all metrics, of one metric, and up to a limit", async () => {
    const up = { up: [{ type: "gauge", help: "Whether the target is up.", unit: "" }] };
    expect((await ask("metadata")).data).toEqual({ ...up, requests: [{ type: "counter", help: "", unit: "" }] });
    expect((await ask("metadata?metric=up")).data).toEqual(up);
    expect((await ask("metadata?limit=1")).data).toEqual(up);
    expect((await ask("metadata?metric=down")).data).toEqual({});
  });

  test("a malformed page: rejects with the line, and releases the data directory", async () => {
    const other = mkdtempSync(join(tmpdir(), "touchstone-metrics-"));
    await expect(serveMetrics({ directory: other, pages: [Buffer.from("up{ 1\n# EOF\n")] })).rejects.toThrow(/line 1/);
    const again = await serveMetrics({ directory: other });
    await again.close();
    rmSync(other, { recursive: true });
  });

  test("expressions are formatted and parsed", async () => {
    expect((await ask("format_query?query=foo/bar")).data).toBe("foo / bar");
    expect((await ask("parse_query?query=foo/bar")).data).toMatchObject({ type: "binaryExpr", op: "/" });
  });

  test("status pages report the storage, the flags, the build and readiness", async () => {
    expect((await ask("status/tsdb?limit=1")).data).toMatchObject({
      headStats: { numSeries: 3, minTime: BEGIN * 1_000, maxTime: (BEGIN + 30) * 1_000 },
      seriesCountByMetricName: [{ name: "up", value: 2 }],
    });
    expect((await ask("status/flags")).data).toEqual({ "query.timeout": "2m" });
    // Clients read the version as one of Prometheus.
    expect((await ask("status/buildinfo")).data).toMatchObject({
      version: expect.stringMatching(/^3\./),
      touchstoneVersion: expect.any(String),
    });
    expect((await ask("status/runtimeinfo")).data).toMatchObject({ timeSeriesCount: 3, storageRetention: "15d" });
    expect((await fetch(`${server.url}-/ready`)).status).toBe(200);
  });

  test("a PUT form, a needlessly percent-encoded path and a 64-bit limit are accepted", async () => {
    const body = new URLSearchParams({ "match[]": "nothing" });
    expect((await ask("admin/tsdb/delete_series", { method: "PUT", body })).httpStatus).toBe(204);
    expect((await ask("%71uery?query=1")).data).toMatchObject({ resultType: "scalar" });
    expect((await ask("labels?limit=9223372036854775807")).data).toEqual(["__name__", "job"]);
  });

  test.each(["query?query=%22%ff%22", "query?query=%", "query?query=1&time=9223372036854775807", "labels?limit=99999999999999999999"])(
    "%s: refused, since it cannot be read exactly",
    async (path) => {
      expect(await ask(path)).toMatchObject({ httpStatus: 400, errorType: "bad_data" });
    },
  );

  test("OPTIONS: responds with the allowed methods", async () => {
    const response = await fetch(at("query"), { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, POST, OPTIONS"]);
    expect((await fetch(`${server.url}-/ready`, { method: "OPTIONS" })).status).toBe(204);
  });

  test("a long response is compressed if the client accepts gzip", async () => {
    const query = `query?query=${encoded(`label_replace(up, "long", "${"x".repeat(2_000)}", "", "")`)}`;
    const response = await fetch(at(query), { headers: { "accept-encoding": "identity" } });
    const plain = await response.text();
    const { request } = await import("node:http");
    const packed = await new Promise<{ coding: string | undefined; octets: Buffer }>((resolve, reject) => {
      request(at(query), { headers: { "accept-encoding": "gzip" } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => resolve({ coding: answer.headers["content-encoding"], octets: Buffer.concat(parts) }));
      })
        .on("error", reject)
        .end();
    });
    expect(packed.coding).toBe("gzip");
    expect(gunzipSync(packed.octets).toString()).toBe(plain);
    expect(packed.octets.length).toBeLessThan(plain.length);
  });

  test("the admin API deletes series, takes snapshots and cleans tombstones", async () => {
    const deleted = await ask(`admin/tsdb/delete_series?match[]=${encoded('up{job="b"}')}`, { method: "PUT" });
    expect(deleted.httpStatus).toBe(204);
    expect((await ask(`query?query=count(up)&time=${BEGIN}`)).data).toMatchObject({ result: [{ value: [BEGIN, "1"] }] });
    expect((await ask("admin/tsdb/snapshot", { method: "POST" })).data).toEqual({
      name: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{16}$/),
    });
    expect((await ask("admin/tsdb/clean_tombstones", { method: "POST" })).httpStatus).toBe(204);
    expect((await ask("admin/tsdb/snapshot")).httpStatus).toBe(405);
  });

  test("a second server on the same data directory: rejects", async () => {
    await expect(serveMetrics({ directory })).rejects.toThrow(/lock/);
  });
});

test("the admin API without `admin`: refused with 503", async () => {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-metrics-"));
  await using server = await serveMetrics({ directory });
  const response = await fetch(`${server.url}api/v1/admin/tsdb/clean_tombstones`, { method: "POST" });
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: "error", errorType: "unavailable", error: "admin APIs disabled" },
  ]);
  await server.close();
  rmSync(directory, { recursive: true });
});
