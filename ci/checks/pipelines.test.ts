import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../../conformance/peers/port.ts";
import { githubAction, githubJob, gitlabJob, jenkinsStage, type Job } from "./pipeline-steps.ts";
import { read, ROOT } from "./sources.ts";

/** A repository of a user in which a pipeline runs: their server is ours, and Touchstone that of this checkout, with a few cases. */
let folder = "";
let port = 0;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-pipeline-"));
  port = await freePort();
  program(
    "touchstone",
    `case $1 in check) set -- "$@" --only 3.4 --only 8.2.2;; esac\nexec '${process.execPath}' '${ROOT}/touchstone.ts' "$@"`,
  );
  writeFileSync(join(folder, "known.json"), "[]\n");
  server("");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}
/** The server of the user, with a fault of `touchstone serve` or none. */
const server = (fault: string): void =>
  program(
    "your-server",
    `exec '${process.execPath}' '${ROOT}/touchstone.ts' serve http2 "$@" ${fault === "" ? "" : `--fault '${fault}'`} >/dev/null`,
  );
const RULE_BREAKER = "connection-field:times=10000";

/** Ends what a step has left running. */
function end(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch (error) {
    // Nothing of that step still runs.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

type Ran = { readonly red: boolean; readonly printed: string };

/** Runs the steps of a job in order, as a runner does, and ends what they leave running. */
async function run(job: Job): Promise<Ran> {
  let red = false;
  let printed = "";
  const groups: number[] = [];
  try {
    for (const step of job.steps) {
      if (red && step.always !== true) continue;
      const [program = "", ...options] = job.shell;
      const child = spawn(program, [...options, "-c", step.script.replaceAll("8080", String(port))], {
        cwd: folder,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: process.env["PATH"],
          GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
          GITHUB_RUN_ID: "7",
          CI_PIPELINE_ID: "7",
          BUILD_NUMBER: "7",
          SECONDS_TO_FUZZ: "1",
          ...job.environment,
          ...step.environment,
          TOUCHSTONE: "./touchstone",
          SUBJECT: `http://127.0.0.1:${port}`,
        },
      });
      groups.push(child.pid ?? 0);
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (printed += text.toString("utf8")));
      // A server that stays keeps the pipes open, so the end of the shell decides.
      const status = await new Promise<number | null>((resolve) => child.once("exit", resolve));
      if (status !== 0) red = true;
    }
  } finally {
    groups.forEach(end);
  }
  return { red, printed };
}

const template = (name: string): string => read(`ci/templates/${name}`);
const shellJob = (word: string): Job => ({
  shell: ["sh"],
  environment: {},
  steps: [{ script: `set -- ${word}\n${template("conformance.sh")}` }],
});
const INPUTS = { suite: "http2", baseline: "known.json", command: "./touchstone", report: "report" };
const CHECKS: Readonly<Record<string, () => Job>> = {
  "GitHub Actions": () => githubJob(template("github.yml"), "check"),
  "the action of GitHub": () => githubAction(template("github-action/action.yml"), { ...INPUTS, url: `http://127.0.0.1:${port}` }),
  "GitLab CI": () => gitlabJob(template("gitlab.yml"), "conformance"),
  Jenkins: () => jenkinsStage(template("Jenkinsfile"), "Check"),
  "plain shell": () => shellJob("check"),
};
const FUZZERS: Readonly<Record<string, () => Job>> = {
  "GitHub Actions": () => githubJob(template("github.yml"), "fuzz"),
  "GitLab CI": () => gitlabJob(template("gitlab.yml"), "conformance-fuzz"),
  Jenkins: () => jenkinsStage(template("Jenkinsfile"), "Fuzz"),
  "plain shell": () => shellJob("fuzz"),
};
/** The action checks a server that an earlier step of the workflow has started. */
const started = (name: string, job: Job): Job =>
  name === "the action of GitHub" ? { ...job, steps: [{ script: "./your-server --port 8080 &" }, ...job.steps] } : job;

describe("the job that checks", () => {
  test.each(Object.keys(CHECKS))("%s: waits for the server, is green, and keeps the reports", async (name) => {
    const { red, printed } = await run(started(name, CHECKS[name]!()));
    expect([red, printed]).toEqual([false, expect.stringContaining("passed")]);
    expect(readdirSync(join(folder, "report")).sort()).toEqual(["index.html", "junit.xml", "summary.md"]);
    expect(readFileSync(join(folder, "report/junit.xml"), "utf8")).toMatch(/<testsuite [^>]*failures="0" errors="0"/);
  });

  test.each(Object.keys(CHECKS))("%s: is red where the server breaks a rule, and keeps the reports", async (name) => {
    server(RULE_BREAKER);
    const { red, printed } = await run(started(name, CHECKS[name]!()));
    expect([red, printed]).toEqual([true, expect.stringMatching(/failed/)]);
    expect(readFileSync(join(folder, "report/junit.xml"), "utf8")).not.toMatch(/<testsuite [^>]*failures="0"/);
    expect(existsSync(join(folder, "summary.md"))).toBe(name.includes("GitHub"));
  });
});

describe("the job that fuzzes", () => {
  test.each(Object.keys(FUZZERS))("%s: replays what it kept, then searches; is red if either is", async (name) => {
    mkdirSync(join(folder, "touchstone-fuzz"));
    const kept = join(folder, "touchstone-fuzz/kept.json");
    writeFileSync(kept, JSON.stringify({ pieces: [] }));
    const good = await run(FUZZERS[name]!());
    expect([good.red, good.printed]).toEqual([false, expect.stringMatching(/The finding no longer occurs\.[^]*sent \d+ sequences/)]);
    writeFileSync(kept, "no finding");
    const bad = await run(FUZZERS[name]!());
    expect([bad.red, bad.printed]).toEqual([true, expect.stringMatching(/sent \d+ sequences/)]);
  });
});
