import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { benchCommand } from "../../bench/command.ts";
import { checkCommand } from "../../conformance/cli/check.ts";
import { crosscheckCommand } from "../../conformance/crosscheck/command.ts";
import { diffCommand } from "../../conformance/diff/command.ts";
import { lint } from "../../conformance/harness/lint.ts";
import { casesOfSuite } from "../../conformance/harness/registry.ts";
import type { Result } from "../../conformance/harness/result.ts";
import { type Registry, role, type Suite } from "../../conformance/harness/suite.ts";
import { peersCommand } from "../../conformance/peers/command.ts";
import { conformanceIn } from "../../conformance/vitest.ts";
import { fuzzCommand } from "../../fuzz/command.ts";
import { toText } from "../../reports/index.ts";
import { vectorsCommand } from "../../vectors/command.ts";
import { BENCHES } from "./toy/bench.ts";
import { toyCases } from "./toy/cases.ts";
import { ToyDriver, toServer } from "./toy/driver.ts";
import { FUZZERS } from "./toy/fuzz.ts";
import { answerTo, listen, type Listening } from "./toy/protocol.ts";
import { suite } from "./toy/suite.ts";

/** The line that a suite adds to the registry. */
const SUITES: Registry = { toy: () => import("./toy/suite.ts") };
const NAMES = Object.keys(SUITES);
const NODE = `'${process.execPath}'`;
const SUBJECT = `'${join(import.meta.dirname, "toy", "subject.ts")}'`;

const folder = mkdtempSync(join(tmpdir(), "touchstone-toy-"));
let good: Listening;
let rude: Listening;
beforeAll(async () => {
  good = await listen(answerTo);
  rude = await listen(() => "pong 7");
});
afterAll(async () => {
  await good.stop();
  await rude.stop();
  rmSync(folder, { recursive: true });
});

type Ended = { readonly status: number; readonly out: string; readonly err: string };

/** Runs the command line in this process, with the toy alone in the registry. */
async function touchstone(...args: readonly string[]): Promise<Ended> {
  const printed = { out: "", err: "" };
  const program = new Command("touchstone").exitOverride();
  const write = async () => [];
  await checkCommand(program.command("check"), SUITES, { write, text: async (...given) => toText(...given) });
  crosscheckCommand(program.command("crosscheck"), SUITES);
  diffCommand(program.command("diff"), SUITES, { writeHtml: async () => {} });
  fuzzCommand(program.command("fuzz"), FUZZERS, NAMES);
  await benchCommand(program.command("bench"), { version: "0", benches: BENCHES, suites: NAMES, writeHtml: async () => {} });
  vectorsCommand(program.command("vectors"), NAMES);
  peersCommand(program.command("peers"), NAMES);
  for (const one of program.commands)
    one.exitOverride().configureOutput({ writeOut: (text) => void (printed.out += text), writeErr: (text) => void (printed.err += text) });
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => ((printed.out += String(text)), true)),
    vi.spyOn(process.stderr, "write").mockImplementation(() => true),
    vi.spyOn(console, "log").mockImplementation((text: unknown) => void (printed.out += `${String(text)}\n`)),
    vi.spyOn(console, "error").mockImplementation((text: unknown) => void (printed.err += `${String(text)}\n`)),
  ];
  process.exitCode = 0;
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    printed.err += error instanceof Error ? error.message : String(error);
    if (!printed.err.includes("(outputHelp)")) process.exitCode = 2;
  }
  for (const spy of spies) spy.mockRestore();
  const status = Number(process.exitCode);
  process.exitCode = 0;
  return { status, out: stripVTControlCharacters(printed.out), err: printed.err };
}

const counts = ({ out }: Ended): unknown => (JSON.parse(out) as Result).summary;
const TWO = { pass: 2, warn: 0, fail: 0, unproved: 0, skip: 0, error: 0 };

describe("a suite that is one folder and one line", () => {
  test("check: every role of the embedded subjects passes", async () => {
    const ended = await touchstone("check", "--json");
    expect([ended.status, counts(ended)]).toEqual([0, { ...TWO, pass: 8 }]);
  });

  test("check: a server by its URL, right and wrong", async () => {
    expect(counts(await touchstone("check", "toy", good.url, "--json"))).toEqual(TWO);
    const wrong = await touchstone("check", "toy", rude.url);
    expect(wrong).toMatchObject({ status: 1, out: expect.stringContaining("FAIL  toy/server-refuses-a-bad-line") as string });
  });

  test.each([
    ["--client", `${NODE} ${SUBJECT} client {url}`],
    ["--codec", `${NODE} ${SUBJECT} codec`],
    ["--proxy", `${NODE} ${SUBJECT} proxy {origin}`],
  ])("check %s: a program in that role", async (flag, command) => {
    const ended = await touchstone("check", "toy", flag, command, "--json");
    expect([ended.err, counts(ended)]).toEqual(["", TWO]);
  });

  test("check --list: two cases of each role", async () => {
    const { out } = await touchstone("check", "toy", "--list");
    expect(out.split("\n").filter((line) => line.startsWith("toy/"))).toHaveLength(8);
  });

  test("check --help names the suite; check SUITE --help shows its flags and its examples", async () => {
    const all = (await touchstone("check", "--help")).out;
    expect([all.includes("a toy that answers ping"), all.includes("--loud"), all.includes("toy://127.0.0.1:7")]).toEqual([
      true,
      false,
      false,
    ]);
    const { out } = await touchstone("check", "toy", "--help");
    for (const words of ["a toy that answers ping", "--loud <n>", "touchstone check toy toy://127.0.0.1:7"]) expect(out).toContain(words);
  });

  test("a command without the suite's name: the error names it", async () => {
    expect((await touchstone("check", "--codec", "x")).err).toContain("toy judges a codec, as in touchstone check toy");
  });

  test("crosscheck: beside the other suite that it names", async () => {
    const { status, out } = await touchstone("crosscheck", "toy", good.url);
    expect([status, out]).toEqual([0, expect.stringContaining("1 cases of toyspec 1 (1 passed there): 1 agree")]);
  });

  test("fuzz: its target, and a peer over the network", async () => {
    const found = await touchstone("fuzz", "toy/line", "--executions", "2000", "--seed", "1", "--corpus", folder, "--json");
    expect([found.status, found.err]).toEqual([0, ""]);
    expect(JSON.parse(found.out)).toMatchObject({ target: "toy/line" });
    expect((await touchstone("fuzz", "toy", good.url, "--seed", "3")).status).toBe(0);
  });

  test("fuzz --shard: every run of a target is in one part, and each part has a seed of its own for a peer", async () => {
    const runs = async (...shard: readonly string[]): Promise<string[]> => {
      const { out } = await touchstone(
        "fuzz",
        "toy/line",
        "--seeds",
        "4",
        "--executions",
        "16",
        "--seed",
        "5",
        "--blind",
        "--json",
        ...shard,
      );
      return [...out.matchAll(/"seed":(\d+)/g)].map(([, seed = ""]) => seed);
    };
    const [whole, one, two] = [await runs(), await runs("--shard", "1/2"), await runs("--shard", "2/2")];
    expect(whole).toEqual(["5", "6", "7", "8"]);
    expect([...one, ...two].sort()).toEqual(whole);
    expect(one.length * two.length).toBeGreaterThan(0);
    expect((await touchstone("fuzz", "toy", good.url, "--seed", "3", "--shard", "2/2")).status).toBe(0);
  });

  test("bench: its part, and a server by its URL", async () => {
    expect((await touchstone("bench", "toy", "--only", "lines")).out).toContain("Toy, lines answered");
    expect((await touchstone("bench", "toy", good.url.replace("toy:", "http:"))).out).toContain("Toy, lines answered");
  });

  test.each([
    [["diff", "toy", "toy://a", "toy://b"], '"diff" in conformance/toy/suite.ts'],
    [["peers", "toy"], "conformance/peers/NAME/peer.json"],
    [["vectors", "list", "toy"], "vectors/toy/"],
  ])("%j: brings nothing, so one line says where it would go", async (args, place) => {
    const { status, out, err } = await touchstone(...args);
    expect([status, out, err.trim().split("\n").length]).toEqual([2, "", 1]);
    expect(err).toContain(place);
  });

  test("a suite without a target or a bench: the error says where they belong", async () => {
    const program = new Command().exitOverride();
    fuzzCommand(program.command("fuzz"), { ...FUZZERS, suites: {} }, NAMES);
    await benchCommand(program.command("bench"), { version: "0", benches: {}, suites: NAMES, writeHtml: async () => {} });
    const lines: string[] = [];
    const spy = vi.spyOn(console, "error").mockImplementation((text: unknown) => void lines.push(String(text)));
    for (const args of [
      ["fuzz", "toy"],
      ["fuzz", "toy", "toy://a"],
      ["bench", "toy"],
    ])
      await program.parseAsync(args, { from: "user" });
    spy.mockRestore();
    process.exitCode = 0;
    expect(lines.map((line) => /fuzz\/toy\/suite\.ts|bench\/toy\/suite\.ts/.exec(line)?.[0])).toEqual([
      "fuzz/toy/suite.ts",
      "fuzz/toy/suite.ts",
      "bench/toy/suite.ts",
    ]);
  });

  test("the lint reads its cases", async () => {
    expect(lint(await casesOfSuite(suite), { requirements: [], features: {}, monitors: [], refusals: [] })).toEqual([]);
  });
});

// The helper registers tests of its own.
await conformanceIn(SUITES, { suite: "toy", subject: () => good.url });

test("a role without a driver, or with the driver of another role, does not compile", () => {
  const rest = {
    cases: async () => toyCases("client"),
    concurrency: 1,
    words: async () => ({ features: [], monitors: [], refusals: [] }),
    embedded: { name: "none", subjects: [{ start: async () => ({ subject: { client: "x {url}" } }) }] },
  } as const;
  const wrong: readonly Suite["roles"][] = [
    // @ts-expect-error there is no driver
    { client: role(rest) },
    // @ts-expect-error the driver is for servers
    { client: role({ ...rest, driver: async () => new ToyDriver("server", toServer("")) }) },
    // @ts-expect-error a role is made of its cases and their driver
    { client: rest },
  ];
  expect(wrong).toHaveLength(3);
});
