import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Command } from "commander";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { writeColumns } from "./compare/index.ts";
import { compareCommand, reportCommand } from "./command.ts";
import { toJson } from "./json.ts";
import { sampleBench, sampleResult } from "./sample.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-command-"));
const at = (name: string): string => join(folder, name);
writeFileSync(at("nginx.json"), toJson([sampleResult({ name: "nginx", seed: 1, shares: { fail: 0.1 } })]));
writeFileSync(at("h2o.json"), toJson([sampleResult({ name: "h2o", seed: 2, shares: { fail: 0.1 } })]));
writeColumns(at("columns"), [sampleResult({ name: "nginx", seed: 1 }), sampleResult({ name: "h2o", seed: 2 })]);
writeFileSync(at("bench.json"), JSON.stringify(sampleBench()));
writeFileSync(at("damaged.json"), '{"subject":');
afterAll(() => {
  rmSync(folder, { recursive: true });
  process.exitCode = undefined;
});
beforeEach(() => {
  process.exitCode = undefined;
});

/** Runs a command as the program would, and gives back what it printed and the status that it asked for. */
async function run(...args: string[]): Promise<{ out: string; err: string; status: number }> {
  const printed = { out: "", err: "" };
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed.out += String(text);
    return true;
  });
  const err = vi.spyOn(console, "error").mockImplementation((text: string) => {
    printed.err += `${text}\n`;
  });
  try {
    const program = new Command().exitOverride();
    reportCommand(program.command("report"));
    compareCommand(program.command("compare"));
    await program.parseAsync(args, { from: "user" });
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  return { out: stripVTControlCharacters(printed.out), err: printed.err, status: Number(process.exitCode ?? 0) };
}

describe("touchstone report", () => {
  test("without options: prints failures and counts", async () => {
    const { out, status } = await run("report", at("nginx.json"));
    expect(out).toMatch(/^FAIL {2}http2\//);
    expect(out).toMatch(/expected {2}\S/);
    expect(out).toMatch(/nginx, http2 server: \d+ failed, /);
    expect(status).toBe(0);
  });

  test("writes the named reports from several files, benchmarks included", async () => {
    const { out, status } = await run(
      "report",
      at("nginx.json"),
      at("bench.json"),
      "--html",
      at("r.html"),
      "--junit",
      at("r.xml"),
      "--github",
    );
    expect(status).toBe(0);
    expect(out).toContain("::error title=nginx%3A");
    expect(readFileSync(at("r.html"), "utf8")).toContain("Server CPU a request");
    expect(readFileSync(at("r.xml"), "utf8")).toContain("<testsuite ");
  });

  test.each([
    ["a damaged file", ["damaged.json"], /^\S+damaged\.json: is not JSON: [^\n]+\n$/],
    ["a file that is not there", ["nowhere.json"], /^\S+nowhere\.json: cannot be read: there is no such file \(ENOENT\)\.\n$/],
    ["benchmarks without a page", ["bench.json"], /use --html to write a page/],
    ["benchmarks as JUnit", ["bench.json", "--junit", "x.xml"], /without results of a check there is only a page to write/],
  ])("%s is one line and status 2", async (_, names, words) => {
    const { out, err, status } = await run("report", ...names.map((name) => (name.startsWith("--") ? name : at(name))));
    expect(err).toMatch(words);
    expect(out).toBe("");
    expect(status).toBe(2);
  });

  test("a path that cannot be written: status 2, and one line says where the report is", async () => {
    const { err, status } = await run("report", at("nginx.json"), "--html", folder);
    const other = /the file is (\S+) instead\.\n$/.exec(err)?.[1] ?? "";
    expect(readFileSync(other, "utf8")).toContain("nginx");
    rmSync(join(other, ".."), { recursive: true });
    expect(status).toBe(2);
  });
});

describe("touchstone compare", () => {
  test("prints the differences, and writes a page and Markdown", async () => {
    const { out, status } = await run("compare", at("nginx.json"), at("h2o.json"), "--html", at("m.html"), "--markdown", at("m.md"));
    expect(out).toMatch(/They differ on \d+:/);
    expect(readFileSync(at("m.html"), "utf8")).toContain("They differ on");
    expect(readFileSync(at("m.md"), "utf8")).toContain("### Where they differ");
    expect(status).toBe(0);
  });

  test("reads published columns, which are in gzip", async () => {
    const { out, status } = await run("compare", ...["nginx", "h2o"].map((name) => at(`columns/${name}.json.gz`)));
    expect(out).toMatch(/They differ on \d+:/);
    expect(status).toBe(0);
  });

  test("--json prints only the matrix", async () => {
    const { out } = await run("compare", at("nginx.json"), at("h2o.json"), "--json");
    const read = JSON.parse(out) as { matrices: { columns: { name: string }[]; rows: unknown[] }[] };
    expect(read.matrices[0]?.columns.map(({ name }) => name)).toEqual(["nginx", "h2o"]);
    expect(read.matrices[0]?.rows).toHaveLength(60);
  });

  test("a damaged file is one line and status 2", async () => {
    const { out, err, status } = await run("compare", at("nginx.json"), at("damaged.json"), "--json");
    expect(err).toMatch(/^\S+damaged\.json: is not JSON: [^\n]+\n$/);
    expect([out, status]).toEqual(["", 2]);
  });
});

test("the help of each command shows examples and the exit status", () => {
  const program = new Command();
  reportCommand(program.command("report"));
  compareCommand(program.command("compare"));
  for (const command of program.commands) {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    expect(help).toMatch(/Examples:\n {2}touchstone /);
    expect(help).toContain("Exit status:");
  }
});
