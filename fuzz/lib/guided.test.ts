import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
/** Runs in its own process: sources are instrumented as they load, and the test runner has loaded them already. */
const SCRIPT = `
  import { installCover } from "./fuzz/lib/cover.ts";
  import { fuzz } from "./fuzz/lib/run.ts";
  const cover = await installCover(process.cwd(), ["fuzz/canary/ladder."]);
  const { target } = await import("./fuzz/canary/ladder.fuzz.ts");
  const report = fuzz(target, [], { seed: 1, executions: 5_000_000, seconds: 60 }, { clock: () => 0, cover });
  console.log(JSON.stringify({ message: report.failure?.error.message, input: [...(report.failure?.input ?? [])], branches: report.branches }));
`;

test("guided by coverage, the search finds the eight octets of the canary", () => {
  const out = execFileSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", SCRIPT], { cwd: ROOT, encoding: "utf8" });
  const report = JSON.parse(out) as { message: string; input: number[]; branches: { reached: number; of: number } };
  expect(report.message).toBe("the canary's octets were found");
  expect(Buffer.from(report.input).toString("latin1")).toBe("Touch!\r\n");
  // All but the branch that fails.
  expect(report.branches).toEqual({ reached: 9, of: 10 });
});
