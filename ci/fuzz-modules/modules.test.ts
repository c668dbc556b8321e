import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { fuzz as search } from "../../fuzz/lib/run.ts";
import { targetsOf } from "../../fuzz/lib/suite.ts";
import { FUZZERS } from "../../fuzz/suites.ts";
import { read } from "../checks/sources.ts";
import { dictionaryOf, makeModules, nameOf, targetsHere } from "./make.ts";

/** The contract of the engine: a module exports this function, and a throw is a finding. */
type Module = { readonly fuzz: (data: Buffer) => void };

const JAZZER = join(tmpdir(), `touchstone-peers-${userInfo().uid}`, "jazzer/node_modules/.bin/jazzer");
/** Seeds to run of each target: some have hundreds, and `fuzz/replay.test.ts` runs all. */
const SEEDS = 5;
const found = await targetsHere();
const modules = found.map(({ target }) => nameOf(target));
let out = "";
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), "touchstone-modules-"));
  await makeModules(found, out, { canary: true });
});
afterAll(() => rmSync(out, { recursive: true }));

const load = (name: string): Module => createRequire(import.meta.url)(join(out, `${name}.cjs`)) as Module;
const seedsOf = (name: string): Buffer[] =>
  readdirSync(join(out, `${name}_seed_corpus`)).map((file) => readFileSync(join(out, `${name}_seed_corpus`, file)));

describe("the modules for fuzzing engines", () => {
  test("are those of all targets that the suites list", async () => {
    expect(found.map(({ target }) => target.name).sort()).toEqual(Object.keys(await targetsOf(FUZZERS)).sort());
  });

  test.each(modules)("%s: exports fuzz(data), and holds for its seeds", (name) => {
    const { fuzz } = load(name);
    expect(fuzz).toBeTypeOf("function");
    const seeds = seedsOf(name);
    // The canary alone begins with nothing.
    expect(seeds.length > 0).toBe(!name.startsWith("canary"));
    for (const seed of [Buffer.alloc(0), ...seeds.slice(0, SEEDS)]) fuzz(seed);
  });

  test("a finding is a throw; an input beyond the longest is no input", () => {
    const { fuzz } = load("canary-ladder");
    expect(() => fuzz(Buffer.from("Touch!\r\n"))).toThrow("the canary's octets were found");
    expect(() => fuzz(Buffer.concat([Buffer.from("Touch!\r\n"), Buffer.alloc(64)]))).not.toThrow();
  });

  test("a target gets octets of its own: the buffer of the engine stays as it is", () => {
    const pooled = Buffer.from("82868441", "hex");
    load("hpack-decoder").fuzz(pooled);
    expect(pooled.toString("hex")).toBe("82868441");
  });

  test("our own engine drives one by its contract", () => {
    const { fuzz } = load("hpack-decoder");
    const target = {
      name: "hpack/decoder",
      about: "holds",
      run: (input: Uint8Array) => fuzz(Buffer.from(input)),
      seeds: seedsOf("hpack-decoder"),
      maxLength: 256,
    };
    const report = search(target, [], { seed: 1, executions: 1_000, seconds: 60 }, { clock: () => performance.now() });
    expect([report.executions, report.failure]).toEqual([1_000, undefined]);
  });

  test("Jazzer.js drives one, with its dictionary and its seeds", (context) => {
    if (!existsSync(JAZZER)) return context.skip("Jazzer.js is not here: ci/peers.sh");
    const name = "hpack-decoder";
    const words = [join(out, name), "--sync", join(out, `${name}_seed_corpus`), "--", "-runs=2000", `-dict=${join(out, `${name}.dict`)}`];
    const { status, stderr } = spawnSync(process.execPath, [JAZZER, ...words], { cwd: out, encoding: "utf8", timeout: 120_000 });
    // Its add-on is compiled for one C library, and says so where there is another.
    if (/ERR_DLOPEN_FAILED/.test(stderr)) return context.skip(`Jazzer.js does not load: ${/^Error: (.*)$/m.exec(stderr)?.[1]}`);
    expect([status, stderr]).toEqual([0, expect.stringContaining("Done 2000 runs")]);
  });
});

describe("what goes with them", () => {
  test("a dictionary has one quoted string a line, in the escapes of libFuzzer", () => {
    expect(dictionaryOf([Uint8Array.of(0x41, 0, 0xff), new Uint8Array()])).toBe('"\\x41\\x00\\xff"\n');
    for (const file of readdirSync(out).filter((one) => one.endsWith(".dict")))
      expect(readFileSync(join(out, file), "utf8")).toMatch(/^(?:"(?:\\x[0-9a-f]{2})+"\n)+$/);
  });

  test("the files of the project name the language, the engine, and a script that is one", () => {
    const folder = "ci/fuzz-modules/oss-fuzz";
    expect(parse(read(`${folder}/project.yaml`))).toMatchObject({
      language: "javascript",
      fuzzing_engines: ["libfuzzer"],
      main_repo: expect.stringMatching(/^https:\/\/.*\.git$/),
    });
    expect(read(`${folder}/Dockerfile`)).toContain("base-builder-javascript");
    expect(spawnSync("bash", ["-n"], { input: read(`${folder}/build.sh`) }).status).toBe(0);
  });
});
