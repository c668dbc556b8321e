import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { check } from "../../check.ts";
import { SUITES } from "../../suites.ts";
import type { CaseResult } from "../../harness/result.ts";
import { SubjectProcess } from "../../harness/subject/subject-process.ts";

const IMPOSTOR = join(import.meta.dirname, "..", "impostors", "server.ts");
const running: SubjectProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.kill()));
});

/** The verdict on one flood of an impostor that runs in a process of its own. */
async function verdictOn(impostor: string, measured: boolean): Promise<CaseResult> {
  const child = new SubjectProcess([process.execPath, IMPOSTOR, impostor], "pipe");
  running.push(child);
  const { stdout, pid } = child.child;
  if (stdout === null || pid === undefined) throw new Error("it has not started");
  const [url] = (await once(createInterface(stdout), "line")) as [string];
  const { cases } = await check(SUITES, {
    suite: "http2",
    subject: url,
    abuse: true,
    timeout: 15_000,
    only: ["http2/abuse-ping-flood"],
    ...(measured ? { pid } : {}),
  });
  const [one] = cases;
  if (one === undefined) throw new Error("the case was not performed");
  return one;
}
const remarks = ({ transcript }: CaseResult): string => transcript.flatMap(({ way, means }) => (way === "--" ? [means] : [])).join("\n");

describe.runIf(process.platform === "linux")("what a stopped flood cost the subject", () => {
  test("little: a pass, with the figures and the budget", async () => {
    const one = await verdictOn("calm", true);
    expect(one.verdict).toBe("pass");
    expect(one.cost?.budget).toEqual({ memoryMiB: 64, cpuMs: 1000 });
    expect(one.cost?.memoryBefore).toBeGreaterThan(10_000_000);
    expect(remarks(one)).toMatch(/measured: [\d.]+ MiB of memory before, .* \(allowed: 64 MiB more, 1000 ms\)/);
  });

  test("much memory: a warning", async () => {
    const one = await verdictOn("hoards", true);
    expect(one).toMatchObject({
      verdict: "warn",
      reason: expect.stringMatching(/^It used 1\d\d(?:\.\d)? MiB more memory for this/) as string,
    });
  });

  test("much processor time: a warning", async () => {
    const one = await verdictOn("toils", true);
    expect(one).toMatchObject({ verdict: "warn", reason: expect.stringMatching(/^It used [12]\d{3} ms of processor time/) as string });
  });

  test("unknown process: judged without figures, and the transcript says so", async () => {
    const one = await verdictOn("hoards", false);
    expect(one.verdict).toBe("pass");
    expect(one.cost).toBeUndefined();
    expect(remarks(one)).toContain("not measured: the process of the subject is not known");
  });
});
