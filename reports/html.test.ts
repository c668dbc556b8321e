import { describe, expect, test } from "vitest";
import { compare } from "./compare/index.ts";
import { comparisonHtml, toHtml } from "./html.ts";
import { plainText } from "./gzip.ts";
import { packTranscripts } from "./page/wire.ts";
import { sampleBench, sampleResult } from "./sample.ts";

const result = sampleResult({ cases: 80, version: "1.52.0", shares: { fail: 0.1, warn: 0.1, error: 0.02 } });
/** The value of a block of data. */
const blockOf = (page: string, name: string): unknown => {
  const [, text = ""] = new RegExp(`<script type="text/plain" id="block-${name}">([^<]*)</script>\n`).exec(page) ?? [];
  return JSON.parse(plainText(Buffer.from(text, "base64")));
};
const transcriptsOf = (page: string) => blockOf(page, "transcripts") as Record<string, { lines: unknown[][]; control?: unknown[][] }>;
const casesOf = (page: string) => blockOf(page, "cases") as { names: string[]; cases: { id: string; run: number; cost?: string }[] };

describe("toHtml()", () => {
  const page = toHtml([result]);

  test("is one file that fetches nothing", () => {
    const fetched = [...page.matchAll(/\s(?:src|href|action|srcset|data)="([^"]*)"/g)].map(([, url]) => url ?? "");
    const outside = fetched.filter((url) => !url.startsWith("#") && url !== "data:,");
    expect(outside.filter((url) => !url.startsWith("https://www.rfc-editor.org/rfc/"))).toEqual([]);
    expect(page).not.toMatch(/<(?:link(?! rel="icon")|iframe|img|object|embed)|@import|url\(/);
    expect(page).toContain("default-src 'none'");
  });

  test("every link within the page leads to a part of it or to a case in its data", () => {
    const drawn = casesOf(page).cases.map(({ id, run }) => `case-${run + 1}-${id.replaceAll("/", "-")}`);
    const ids = new Set([...drawn, ...[...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)]);
    const links = [...page.matchAll(/\shref="#([^"]*)"/g)].map(([, id]) => id ?? "");
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((id) => !ids.has(id) && !id.includes("="))).toEqual([]);
  });

  test("shows the verdict, the failures and the coverage by section without a script; every case is in its data", () => {
    const { fail } = result.summary;
    const markup = page.replace(/<script[\s\S]*$/, "");
    expect(markup).toContain(`${fail} of 80 cases failed.`);
    expect(markup.match(/<article class="trouble is-fail"/g)).toHaveLength(fail);
    expect(markup).toMatch(/class="words">[^<]*\d passed of \d/);
    expect(markup).toContain("The subject answered the fence");
    expect(
      casesOf(page)
        .cases.map(({ id }) => id)
        .sort(),
    ).toEqual(result.cases.map(({ id }) => id).sort());
  });

  test("shows the cost of an attack and its budget beside the verdict", () => {
    const [first, ...others] = result.cases;
    if (first === undefined) throw new Error("there is no case");
    const cost = { memoryBefore: 20 * 1_048_576, memoryPeak: 25 * 1_048_576, memoryAfter: 21 * 1_048_576, cpuMs: 30 };
    const attacked = { ...first, cost: { ...cost, budget: { memoryMiB: 64, cpuMs: 1000 } } };
    const [told, ...free] = casesOf(toHtml([{ ...result, cases: [attacked, ...others] }]))
      .cases.map(({ cost }) => cost)
      .sort();
    expect(told).toBe(
      "It cost the subject 30 ms of processor time; its memory was 20.0 MiB before, 25.0 at most, 21.0 after. Allowed: 64 MiB more than before, and 1000 ms.",
    );
    expect(new Set(free)).toEqual(new Set([undefined]));
  });

  test("embeds the transcripts of both runs as data", () => {
    const data = transcriptsOf(page);
    expect(Object.keys(data)).toHaveLength(80);
    expect(data["case-1-http2-window-update-zero-on-stream"]?.lines).toContainEqual([
      1.5,
      "->",
      "WINDOW_UPDATE stream 1 increment 0",
      "00000408000000000100000000",
      13,
    ]);
    expect(data["case-1-http2-window-update-zero-on-stream"]?.control).toBeDefined();
  });

  test("text from a subject neither ends nor opens an element", () => {
    const hostile = `</script><script>alert(1)</script><!--<b x="'\u2028\u0000\u202e\ud800`;
    const evil = toHtml([sampleResult({ cases: 12, name: hostile, shares: { fail: 0.5 }, hostile })]);
    // The cases, the requirements, the transcripts, and the program.
    expect(evil.match(/<script/g)).toHaveLength(4);
    expect(evil.match(/<\/script>/g)).toHaveLength(4);
    expect(evil).not.toContain("<!--");
    expect(evil).not.toMatch(/<b x=/);
    // oxlint-disable-next-line no-control-regex
    expect(evil).not.toMatch(/[\u0000\u2028\u202e]|[\ud800-\udfff]/);
    expect(JSON.stringify(transcriptsOf(evil))).toContain("</script><script>alert(1)</script><!--<b x=");
  });

  test("several results share a page and are distinguishable", () => {
    const client = sampleResult({ cases: 30, role: "client", seed: 3 });
    const both = toHtml([result, client], { benches: [sampleBench()] });
    expect(casesOf(both).cases).toHaveLength(110);
    expect(casesOf(both).names).toEqual(["http2 server: nghttpd 1.52.0", "http2 client: nghttpd"]);
    expect(both).toContain('<option value="1">http2 client: nghttpd</option>');
    expect(both).toContain("Server CPU a request");
    const ids = [...both.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("renders a run without cases, a run without failures, and benchmarks alone", () => {
    expect(toHtml([sampleResult({ cases: 0 })])).toContain("No case ran.");
    const clean = sampleResult({ cases: 5, shares: { fail: 0, warn: 0, skip: 0, error: 0 } });
    expect(toHtml([clean])).toContain("All 5 cases passed.");
    expect(toHtml([clean])).toContain("<p>Nothing.</p>");
    expect(toHtml([], { benches: [sampleBench()] })).toContain("<h1>Benchmarks</h1>");
  });

  test("stays readable for a subject that fails hundreds of cases", () => {
    const many = toHtml([sampleResult({ cases: 300, shares: { fail: 1 } })]);
    expect(many.match(/<article/g)).toHaveLength(25);
    expect(many).toContain("And 275 more");
    expect(many).toContain('<a href="#verdict=fail">75 more, among all cases</a>');
    expect(many.length).toBeLessThan(400_000);
  });

  test("ten thousand cases with their transcripts are a page of less than a megabyte", () => {
    expect(toHtml([sampleResult({ cases: 10_000 })]).length).toBeLessThan(1_000_000);
  });
});

describe("transcripts on the page", () => {
  const line = { at: 0, way: "<-" as const, means: "DATA", hex: "00".repeat(1024), octets: 16_384 };
  const [c] = sampleResult({ cases: 1 }).cases;
  const long = { ...result, cases: [{ ...(c as NonNullable<typeof c>), transcript: Array.from({ length: 1000 }, () => line) }] };

  test("a long transcript keeps its start and end, and says what is missing", () => {
    const [packed] = Object.values(packTranscripts([long]));
    expect(packed?.lines).toHaveLength(201);
    expect(packed?.lines[120]?.[2]).toContain("800 lines left out");
    expect(packed?.lines[0]?.[3]).toHaveLength(1024);
    expect(packed?.lines[0]?.[4]).toBe(16_384);
  });

  test("beyond the limit of the page, transcripts of passed cases are dropped first, and the page says so", () => {
    const cases = [
      { ...long.cases[0], id: "http2/passed", verdict: "pass" },
      { ...long.cases[0], id: "http2/failed", verdict: "fail" },
    ] as typeof long.cases;
    const one = JSON.stringify(Object.values(packTranscripts([long]))[0]).length;
    expect(Object.keys(packTranscripts([{ ...long, cases }], one + 10))).toEqual(["case-1-http2-failed"]);
    const heavy = { ...long, cases: Array.from({ length: 60 }, (_, at) => ({ ...cases[0], id: `http2/n-${at}` })) as typeof long.cases };
    const page = toHtml([heavy]);
    expect(page.length).toBeLessThan(1_000_000);
    expect(Object.keys(transcriptsOf(page)).length).toBeLessThan(60);
  });
});

test("comparisonHtml(): the name of a subject stays text", () => {
  const evil = comparisonHtml(
    compare([sampleResult({ cases: 12, name: "<script>x</script>" }), sampleResult({ cases: 12, name: "b", seed: 2 })]),
  );
  expect(evil).not.toContain("<script>x");
  // What the rows share, two columns, and the program.
  expect(evil.match(/<script/g)).toHaveLength(4);
});
