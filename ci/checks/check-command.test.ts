import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { crosscheckCommand } from "../../conformance/crosscheck/command.ts";
import { SUITES } from "../../conformance/suites.ts";
import { toText } from "../../reports/index.ts";
import { checkCommand, type WriteReports } from "../../conformance/cli/check.ts";
import type { Result } from "../../conformance/harness/result.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-command-"));
let server: Http2Server;
let url: string;
beforeAll(async () => {
  server = createServer({}, (_request, response) => response.end("x".repeat(200)));
  server.on("sessionError", () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

type Ended = {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  readonly wanted: readonly Parameters<WriteReports>[1][];
};

/** Runs the command line in this process. */
async function touchstone(...words: string[]): Promise<Ended> {
  let out = "";
  const lines: string[] = [];
  const wanted: Parameters<WriteReports>[1][] = [];
  const write: WriteReports = async (_results, what) => {
    wanted.push(what);
    return what.html === "/full/disk" ? [{ problem: "cannot write /full/disk: no space left; it is elsewhere instead." }] : [];
  };
  const program = new Command("touchstone").exitOverride().configureOutput({ writeErr: (text) => void lines.push(text) });
  await checkCommand(program.command("check"), SUITES, { write, text: async (results, options) => toText(results, options) });
  crosscheckCommand(program.command("crosscheck"), SUITES);
  program.commands.forEach((one) => one.exitOverride().configureOutput({ writeErr: (text) => void lines.push(text) }));
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      out += String(text);
      return true;
    }),
    vi.spyOn(process.stderr, "write").mockImplementation(() => true),
    vi.spyOn(console, "error").mockImplementation((text: unknown) => void lines.push(String(text))),
  ];
  process.exitCode = 0;
  try {
    await program.parseAsync(["node", "touchstone", ...words]);
  } catch (error) {
    lines.push((error as Error).message);
    process.exitCode = 2;
  }
  for (const spy of spies) spy.mockRestore();
  const status = Number(process.exitCode);
  process.exitCode = 0;
  return { status, out, err: lines.join("\n"), wanted };
}
const ONE = "http2/second-headers-without-end-stream";
const KNOWN = join(folder, "known.json");

describe("touchstone check", () => {
  test("--list --json is an array of id, spec, level, role, title", async () => {
    const { status, out } = await touchstone("check", "http2", "--list", "--json");
    const list = JSON.parse(out) as Record<string, unknown>[];
    expect(status).toBe(0);
    expect(list.length).toBeGreaterThan(100);
    for (const one of list) expect(Object.keys(one).filter((key) => key !== "group")).toEqual(["id", "spec", "level", "role", "title"]);
    expect((JSON.parse((await touchstone("check", "--list", "--json")).out) as unknown[]).length).toBeGreaterThan(list.length);
  });

  test("--json is the result and nothing else", async () => {
    const { status, out } = await touchstone("check", "http2", url, "--only", ONE, "--json");
    const result = JSON.parse(out) as Result;
    expect(status).toBe(0);
    expect(result.subject).toMatchObject({ role: "server", target: url });
    expect(result).toMatchObject({ suite: "http2", summary: { pass: 1, warn: 0, fail: 0, skip: 0, error: 0 } });
    expect(result.cases[0]).toMatchObject({ id: ONE, spec: "rfc9113#8.1", level: "MUST", verdict: "pass" });
    expect(result.coverage.some(({ state, cases }) => state === "pass" && cases.includes(ONE))).toBe(true);
  });

  test("the summary is a table by section; --trace prints every frame", async () => {
    const { out } = await touchstone("check", "http2", url, "--only", ONE, "--trace");
    expect(out).toContain("RFC 9113 §8.1");
    expect(out).toContain("the control, without the mistake:");
    expect(out).toMatch(/-> HEADERS stream 1 .*:method=/);
  });

  test("a failure is spelled out, with the command that looks closer; the exit status is 1", async () => {
    const { status, out } = await touchstone("check", "http2", url, "--only", "http2/field-name-nul");
    expect(status).toBe(1);
    expect(out).toContain("FAIL  http2/field-name-nul  RFC 9113 §8.2.1, MUST");
    expect(out).toContain("expected  RST_STREAM");
    expect(out).toContain(`touchstone check http2 ${url} --only http2/field-name-nul --trace`);
  });

  test("--write-baseline, then --baseline: known failures are no longer red", async () => {
    const { status } = await touchstone("check", "http2", url, "--only", "http2/field-name-nul", "--write-baseline", KNOWN);
    expect(status).toBe(1);
    expect(JSON.parse(readFileSync(KNOWN, "utf8"))).toMatchObject([{ id: "http2/field-name-nul" }]);
    expect((await touchstone("check", "http2", url, "--only", "http2/field-name-nul", "--baseline", KNOWN)).status).toBe(0);
  });

  test("a baseline entry without a case is red", async () => {
    const stale = join(folder, "stale.json");
    writeFileSync(stale, '[{"id":"http2/gone","why":"w"}]');
    const { status, out } = await touchstone("check", "http2", url, "--only", ONE, "--baseline", stale);
    expect(status).toBe(1);
    expect(out).toContain("http2/gone: no case has this id");
  });

  test("--offers: a case without a feature that must be offered is unproved; an unknown feature is an error with the list", async () => {
    const { status, out } = await touchstone(
      "check",
      "http2",
      url,
      "--only",
      "http2/*extended-connect*",
      "--offers",
      "extended-connect",
      "--json",
    );
    const { summary, cases } = JSON.parse(out) as Result;
    expect(summary.unproved).toBeGreaterThan(0);
    expect(cases.find(({ verdict }) => verdict === "unproved")?.reason).toMatch(
      /^Not offered \(extended-connect\): .* The run was to expect it\.$/,
    );
    expect(status).not.toBe(0);
    const wrong = await touchstone("check", "http2", url, "--offers", "luck");
    expect(wrong.status).toBe(2);
    expect(wrong.err).toMatch(/no case needs "luck" here; the features are .*extended-connect/);
  });

  test("reports go to their writers; an unwritable one is reported, and the result is still printed", async () => {
    const { wanted } = await touchstone("check", "http2", url, "--only", ONE, "--save", "a.json", "--junit", "b.xml", "--markdown", "c.md");
    expect(wanted).toMatchObject([{ json: "a.json", junit: "b.xml", markdown: "c.md" }]);
    const full = await touchstone("check", "http2", url, "--only", ONE, "--html", "/full/disk");
    expect(full).toMatchObject({
      status: 2,
      err: expect.stringContaining("no space left") as string,
      out: expect.stringContaining("1 pass") as string,
    });
  });

  test.each([
    [["check", "http1", "https://127.0.0.1:1/", "--ca", "/nowhere"], 2, "--ca /nowhere cannot be read (ENOENT)"],
    [["check", "http1", "https://127.0.0.1:1/", "--key", `${import.meta.filename}`], 2, "A certificate goes with its key"],
    [["check", "tls", "https://127.0.0.1:1/", "--authority", "/nowhere"], 2, "--authority /nowhere needs ca.pem and ca-key.pem"],
    [["check", "tls", "http://127.0.0.1:1/"], 3, "needs an https: or wss: address"],
    [
      ["check", "http4"],
      2,
      'There is no suite "http4": it is http1, http2, hpack, qpack, quic, http3, websocket, rpc, tls, metrics, remotewrite, metrics-target, scrape, metrics-server, rules, alerts or channel.',
    ],
    [["check", "http2", "--nope"], 2, "unknown option"],
    [["check", "http2", "--only", "http2/field-name-null"], 2, "Near it: http2/field-name-nul"],
    [["check", "http2", "--only", "77.7"], 2, 'No case is about section "77.7"'],
    [["check", "http2", "--level", "shall"], 2, "use must, should or may"],
    [["check", "http2", "example"], 2, "is not the address of a server"],
    [["check", "http2", "http://127.0.0.1:1/"], 3, "Nothing listens on 127.0.0.1:1"],
    [["check", "http2", "http://127.0.0.1:1/", "--client", "x {url}"], 2, "One subject at a time"],
    [["check", "http2", "--client", "my-client"], 2, "has no {url}"],
    [["check", "http2", "--client", "no-such-program {url}"], 3, 'there is no program "no-such-program"'],
    [["check", "alerts", "http://127.0.0.1:1/"], 2, "has no {config} and no {port}"],
    [["check", "alerts", "--server", "no-such-program {config} {port}"], 3, 'there is no program "no-such-program"'],
    [["check", "hpack", "--codec", "no-such-program"], 3, 'there is no program "no-such-program"'],
    [
      ["check", "hpack", "http://127.0.0.1:1/"],
      2,
      "The suite hpack has no cases for a server: it is for a codec. The suite http2 judges a server.",
    ],
    [["check", "tls", "--proxy", "nginx"], 2, "The suite tls has no cases for a proxy: it is for a server or a client."],
    [["check", "rpc", "--client", "no-such-program"], 3, 'there is no program "no-such-program"'],
    [["check", "rpc", "--codec", "cat", "--dialect", "soap"], 2, '--dialect is rpc or grpc, not "soap".'],
    [["check", "http2", "--codec", "cat"], 2, "The suite http2 has no cases for a codec"],
    [["check", "http1", "--origin", "127.0.0.1:1"], 2, "name it with --proxy"],
    [["check", "--proxy", "nginx"], 2, "touchstone check http1"],
    [["check", "http1", "--proxy", "http://127.0.0.1:1/"], 2, "--origin HOST:PORT"],
    [["check", "http2", "--proxy", "nginx"], 2, "has no cases for a proxy"],
    [["check", "http2", "http://127.0.0.1:1/", "--baseline", join(folder, "none.json")], 2, "cannot be read"],
    [
      ["check", "http2", "http://127.0.0.1:1/", "--concurrency", "many"],
      2,
      "option '--concurrency <n>' argument 'many' is invalid. Give a whole number from 1 to 256.",
    ],
    [["check", "http2", "http://192.0.2.1/", "--abuse"], 2, "add --i-operate-this-target"],
    [["check", "metrics", "http://127.0.0.1:1/"], 3, "Nothing listens on 127.0.0.1:1"],
    [["check", "metrics", "nowhere"], 2, "is not the address of a metrics server"],
    [["check", "http2", "--data", join(folder, "data.om")], 2, "touchstone check metrics --data <file>"],
    [["check", "metrics", "--data", join(folder, "none", "data.om")], 2, "cannot be written"],
    [["check", "metrics", "--data", `${import.meta.dirname}/`], 2, "is not empty"],
    [["crosscheck", "http2", "http://127.0.0.1:1/", "--tool", join(folder, "none")], 2, "There is no program"],
    [["crosscheck", "hpack", "http://127.0.0.1:1/"], 2, "No other suite is known to cross-check hpack with"],
  ])("%j: status %i, one line", async (words, status, line) => {
    const ended = await touchstone(...words);
    expect(ended.err).toContain(line);
    expect(ended.status).toBe(status);
    expect(ended.out).toBe("");
  });

  test("--data writes the data set of the metrics suite", async () => {
    const file = join(folder, "data.om");
    expect((await touchstone("check", "metrics", "--data", file)).status).toBe(0);
    expect(readFileSync(file, "utf8")).toMatch(/^http_requests_total\{job="api",instance="a:80".*\n# EOF\n$/s);
  });

  test("--data with a trailing slash writes a data directory with native histograms, which our server opens", async () => {
    const directory = join(folder, "metrics-data");
    expect((await touchstone("check", "metrics", "--data", `${directory}/`)).status).toBe(0);
    const { serveMetrics } = await import("../../reference/serve/metrics/index.ts");
    const server = await serveMetrics({ directory, graceMs: 100 });
    const ended = await touchstone("check", "metrics", server.url, "--only", "metrics/native-observations-counted");
    await server.close();
    expect([ended.status, ended.out]).toEqual([0, expect.stringContaining("1 pass")]);
  });

  test("an untrusted certificate matters only with --verify", async () => {
    const { createSecureServer } = await import("node:http2");
    const { loopbackCertificate } = await import("../../conformance/harness/subject/certificate.ts");
    const secure = createSecureServer({ ...(await loopbackCertificate()) }, (_request, response) => response.end("x"));
    secure.on("sessionError", () => {});
    await new Promise<void>((resolve) => {
      secure.listen(0, "127.0.0.1", resolve);
    });
    const address = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`;
    expect((await touchstone("check", "http2", address, "--only", ONE)).status).toBe(0);
    expect(await touchstone("check", "http2", address, "--only", ONE, "--verify")).toMatchObject({
      status: 3,
      err: expect.stringContaining("is not trusted") as string,
    });
    secure.close();
  });
});
