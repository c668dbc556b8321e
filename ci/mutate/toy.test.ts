import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { learn, readOutcomes, writeOutcomes } from "./elsewhere.ts";
import { glance } from "./glance.ts";
import { orderFor } from "./hooked.ts";
import type { Mutant } from "./mutants.ts";
import { reachOf, reachText } from "./reach.ts";
import { type RunOptions, type Ran, runMutants } from "./run.ts";
import { mutantsOfTarget } from "./target-mutants.ts";
import type { Target } from "./targets.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const TOY: Target = {
  root: ROOT,
  sources: ["ci/checks/toy/protocol.ts"],
  judges: [{ suite: "ci/checks/toy/suite.ts" }],
  units: [],
  lives: ["ci/checks/toy/lives.ts"],
  survivors: [],
};
const mutants = mutantsOfTarget(TOY);
const mutantAt = (operator: string, about: string): Mutant => {
  const found = mutants.find((one) => one.operator === operator && one.about.includes(about));
  if (found === undefined) throw new Error(`the toy has no ${operator} at ${about}`);
  return found;
};
/** A client that answers `error` to a good line. */
const visible = mutantAt("condition-false", "test(line)");
/** A server that names its error otherwise, as it may. */
const lawful = mutantAt("constant-plus-1", "40");
/** A client that closes late: no case looks at that. */
const unseen = mutantAt("statement-removed", "socket.destroy()");

const folder = mkdtempSync(join(tmpdir(), "touchstone-mutate-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the hook", () => {
  test("one file is read with a mistake in it, by the process and by those that it starts", async () => {
    const file = join(folder, "subject.ts");
    writeFileSync(
      file,
      "import { execFileSync } from 'node:child_process';\nconst n: number = 1;\nconsole.log(n);\nif (process.argv[2] !== 'inner') console.log(String(execFileSync(process.execPath, [import.meta.filename, 'inner'])).trim());\n",
    );
    const source = readFileSync(file, "utf8");
    const start = source.indexOf("= 1") + 2;
    const order = orderFor({ file: "subject.ts", edit: { start, end: start + 1, text: "(1 + 1)" } }, folder);
    try {
      const env = { ...process.env, ...order.environment };
      const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
      expect(stdout.trim().split("\n")).toEqual(["2", "2"]);
      const { stdout: unmutated } = await promisify(execFile)(process.execPath, [file]);
      expect(unmutated.trim().split("\n")).toEqual(["1", "1"]);
    } finally {
      order.remove();
    }
  });

  test("without a mistake it notes the files that are loaded", async () => {
    const order = orderFor(undefined, ROOT);
    try {
      const env = { ...process.env, ...order.environment };
      // Nobody listens there: it loads what it needs, and fails.
      await promisify(execFile)(process.execPath, [join(ROOT, "ci/checks/toy/subject.ts"), "client", "toy://127.0.0.1:1"], { env }).catch(
        () => {},
      );
      expect([...order.reached()]).toContain("ci/checks/toy/protocol.ts");
    } finally {
      order.remove();
    }
  });
});

describe("a mutant that loops forever", () => {
  test("ends when the process that ordered it is killed", async () => {
    const spinning = join(folder, "spinning.ts");
    writeFileSync(spinning, "for (;;);\n");
    const owner = join(folder, "owner.ts");
    const order = JSON.stringify(join(ROOT, "ci/mutate/hooked.ts"));
    writeFileSync(
      owner,
      `import { spawn } from "node:child_process";
import { orderFor } from ${order};
const { environment } = orderFor(undefined, ${JSON.stringify(folder)});
const child = spawn(process.execPath, [${JSON.stringify(spinning)}], { detached: true, stdio: "ignore", env: { ...process.env, ...environment } });
console.log(child.pid);
setInterval(() => {}, 1000);
`,
    );
    const child = spawn(process.execPath, [owner], { stdio: ["ignore", "pipe", "ignore"] });
    const [printed] = (await once(child.stdout, "data")) as [Buffer];
    const pid = Number(String(printed));
    const isAlive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    expect(isAlive()).toBe(true);
    // Its thread has to start first.
    await sleep(1_500);
    child.kill("SIGKILL");
    try {
      await expect.poll(isAlive).toBe(false);
    } finally {
      if (isAlive()) process.kill(pid, "SIGKILL");
    }
  });
});

describe("a run over the toy suite", () => {
  const seen: string[] = [];
  const options: RunOptions = {
    workers: 2,
    abuse: true,
    units: false,
    lives: 20,
    fresh: false,
    signal: new AbortController().signal,
    say: (line) => seen.push(line),
    onStart: () => {},
    onOutcome: (_, done) => seen.push(String(done)),
    cache: join(folder, "cache"),
  };
  let ran: Ran;
  beforeAll(async () => {
    ran = await runMutants("toy", TOY, [visible, lawful, unseen], options);
  });

  test("a mistake that is seen on the wire is caught, with the case that caught it", () => {
    expect(ran.outcomes.find(({ mutant }) => mutant.key === visible.key)?.suite?.by).toMatch(/^toy\//);
  });

  test("a change that every verdict permits moves the case that shows it", () => {
    const found = ran.outcomes.find(({ mutant }) => mutant.key === lawful.key)?.suite;
    expect(found).toMatchObject({ by: "toy/server-refuses-a-bad-line", moved: true });
    expect(found?.how).toBe("moved: pass 1: error 41, before: pass 1: error 40");
  });

  test("a mistake that no case looks at survives", () => {
    expect(ran.outcomes.find(({ mutant }) => mutant.key === unseen.key)?.lived).toBeUndefined();
    expect(ran.summary.unnoticed.map(({ mutant }) => mutant.key)).toEqual([unseen.key]);
    expect(ran.summary).toMatchObject({ mutants: 3, caught: 1, moved: 1, score: 2 / 3 });
  });

  test("what has been judged is not judged again", async () => {
    seen.length = 0;
    const again = await runMutants("toy", TOY, [visible, lawful, unseen], options);
    expect(again.summary).toEqual(ran.summary);
    expect(seen).toEqual(["3 of 3 mutants have been judged before"]);
  });

  test("the outcomes of two machines, learnt by a third, are those of the whole, and nothing is judged again", async () => {
    const files = [join(folder, "1.json"), join(folder, "2.json")];
    for (const [at, file] of files.entries())
      writeOutcomes(file, ROOT, [{ ...ran, outcomes: ran.outcomes.filter((_, of) => of % 2 === at) }]);
    const cache = join(folder, "joined");
    learn(readOutcomes(files, ROOT), "toy", TOY, cache);
    seen.length = 0;
    const joined = await runMutants("toy", TOY, [visible, lawful, unseen], { ...options, cache });
    expect(joined.summary).toEqual(ran.summary);
    expect(seen).toEqual(["3 of 3 mutants have been judged before"]);
  });

  test("outcomes of another state of the checkout are refused", () => {
    const file = join(folder, "other.json");
    writeFileSync(file, JSON.stringify({ tree: "0", summaries: [], outcomes: [] }));
    expect(() => readOutcomes([file], ROOT)).toThrow("another state of the checkout");
    expect(() => readOutcomes([join(folder, "absent.json")], ROOT)).toThrow("cannot be read");
  });
});

describe("a glance at few mutants", () => {
  const said: string[] = [];
  const options: RunOptions = {
    workers: 1,
    abuse: false,
    units: false,
    lives: 20,
    fresh: false,
    signal: new AbortController().signal,
    say: (line) => said.push(line),
    onStart: () => {},
    onOutcome: ({ mutant, suite }) => said.push(`${suite?.by}: ${mutant.key}`),
    cache: join(folder, "glance"),
  };
  beforeAll(() => glance("toy", TOY, [visible, lawful, unseen], options));

  test("settles what a verdict catches, without a run of all cases on unmutated subjects", () => {
    expect(said.filter((line) => !line.includes("lives"))).toEqual([expect.stringMatching(/^toy\//)]);
    expect(said.at(0)).toContain(visible.key);
  });

  test("leaves what no verdict catches, what moves included, to a whole run, which agrees", async () => {
    said.length = 0;
    const { summary, outcomes } = await runMutants("toy", TOY, [visible, lawful, unseen], options);
    expect(said[0]).toBe("1 of 3 mutants have been judged before");
    expect(summary).toMatchObject({ mutants: 3, caught: 1, moved: 1 });
    expect(outcomes.map(({ suite }) => suite?.moved)).toEqual([undefined, true, undefined]);
  });

  test("an interrupted run is no failure, and shows what has been judged", async () => {
    const interrupt = new AbortController();
    interrupt.abort();
    const interrupted = { ...options, cache: join(folder, "interrupted"), signal: interrupt.signal };
    await glance("toy", TOY, [visible, unseen], interrupted);
    const { summary } = await runMutants("toy", TOY, [visible, unseen], interrupted);
    expect(summary.mutants).toBe(0);
  });
});

describe("the reach of the cases", () => {
  test("the cases of servers do not execute what only the client does", async () => {
    const server: Target = { ...TOY, judges: [{ suite: "ci/checks/toy/suite.ts", roles: ["server"] }] };
    const reached = await reachOf(server, [visible, lawful, unseen], { abuse: false, say: () => {} });
    expect(reached.filter(({ isReached }) => !isReached).map(({ mutant }) => mutant)).toEqual([unseen]);
    const text = reachText(reached, server);
    expect(text).toContain(unseen.key);
    expect(text).not.toContain(lawful.key);
    const both = await reachOf(TOY, [visible, lawful, unseen], { abuse: false, say: () => {} });
    expect(both.every(({ isReached }) => isReached)).toBe(true);
  });
});
