import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startVitest } from "vitest/node";
import { applied } from "./applied.ts";
import type { UnitsAsked, UnitsSaid } from "./units.ts";

/** A program of its own: runs test files with a mistake in one source file, and says which test notices it. */
const { root, mutated, tests, related } = JSON.parse(process.argv[2] ?? "{}") as UnitsAsked;
const file = mutated === undefined ? "" : join(root, mutated.file);

const vitest = await startVitest(
  "test",
  [],
  {
    root,
    watch: false,
    config: false,
    include: [...tests],
    exclude: ["**/node_modules/**"],
    bail: 1,
    // It would keep the mutated text for runs without a mistake, and for others with one.
    fsModuleCache: false,
    maxWorkers: 1,
    reporters: [{}],
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
const said: UnitsSaid = {
  ran: modules.length,
  ...(failed === undefined ? {} : { failed: { file: failed.moduleId.slice(root.length + 1), test: test?.fullName ?? "the file itself" } }),
};
process.send?.(said);
await vitest.close();
process.exit(0);
