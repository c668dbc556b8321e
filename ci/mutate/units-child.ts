import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, startVitest, type TestSpecification } from "vitest/node";
import { applied } from "./applied.ts";
import type { UnitsAsked, UnitsHeard } from "./units.ts";

/** A program that runs test files with one mutated source file, and reports which test detects the mistake. */
const { root, mutated, tests, related } = JSON.parse(process.argv[2] ?? "{}") as UnitsAsked;
const file = mutated === undefined ? "" : join(root, mutated.file);
const send = (heard: UnitsHeard, sent?: () => void): void => void process.send?.(heard, undefined, undefined, sent);

/** How often to report that tests end: the pipe must have room for the result. */
const REPORT_MS = 500;
let reportedAt = 0;
function report(): void {
  const now = performance.now();
  if (now - reportedAt < REPORT_MS) return;
  reportedAt = now;
  send({ is: "test" });
}

/** Files in the order of the request: the first failure ends the run. */
class AsAsked extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => tests.indexOf(moduleId.slice(root.length + 1));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

const vitest = await startVitest(
  "test",
  [],
  {
    root,
    watch: false,
    config: false,
    include: [...tests],
    // It replaces a module of Node's, for all later files of the process too.
    exclude: ["**/node_modules/**", "reports/files.test.ts"],
    bail: 1,
    // A cache would keep the mutated text for other runs.
    fsModuleCache: false,
    maxWorkers: 1,
    isolate: false,
    reporters: [{ onTestModuleStart: report, onTestCaseResult: report }],
    sequence: { sequencer: AsAsked },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
    ...(related === undefined ? {} : { related: [join(root, related)] }),
  },
  {
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        load: (id: string) =>
          mutated !== undefined && id.split("?")[0] === file ? applied(readFileSync(file, "utf8"), mutated.edit) : undefined,
      },
    ],
  },
);
const modules = vitest.state.getTestModules();
const failed = modules.find((one) => one.state() === "failed");
const test = failed === undefined ? undefined : [...failed.children.allTests("failed")][0];
const said: UnitsHeard = {
  is: "said",
  ran: modules.length,
  ...(failed === undefined ? {} : { failed: { file: failed.moduleId.slice(root.length + 1), test: test?.fullName ?? "the file itself" } }),
};
// Leaving at once would lose it.
await new Promise<void>((sent) => send(said, sent));
await vitest.close();
process.exit(0);
