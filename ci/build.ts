/** Compiles the package to dist/ with declarations, and copies the data files beside the code that reads them. */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
/** Files that the built code reads at run time and the compiler does not copy. */
const DATA = [
  "conformance/**/*.json",
  "vectors/**/*.{json,md,proto,test}",
  "reports/schema/*.json",
  "reports/page/**/*.{css,js}",
  "reference/serve/channel/page/*",
  "reference/serve/metrics/pages/built/**/*",
  "reference/websocket/channel/*.json",
  "bench/**/*.{json,c}",
  "fuzz/regressions/**/*",
  "conformance/peers/**/*",
];

execFileSync(process.execPath, [join(root, "ci/pages.ts")], { cwd: root, stdio: "inherit" });
rmSync(join(root, "dist"), { recursive: true, force: true });
execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
for (const file of globSync(DATA, { cwd: root, exclude: (name) => name === "node_modules" || name === "dist" })) {
  if (file.endsWith(".ts") || !file.includes(".")) continue;
  const to = join(root, "dist", file);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(root, file), to);
}
