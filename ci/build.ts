/** Compiles the package to dist/: code with its declarations, the libraries that it bundles, and the data that it reads. `npm pack` runs it. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
/** Files that the built code reads at run time and the compiler does not copy. */
const DATA = [
  "conformance/**/*.json",
  "vectors/**/*.{json,md,proto,test}",
  "reports/schema/*.json",
  "conformance/cli/config.schema.json",
  "reports/page/**/*.{css,js}",
  "reference/serve/channel/page/*",
  "reference/serve/metrics/pages/built/**/*",
  "reference/websocket/channel/*.json",
  "bench/**/*.{json,c}",
  "conformance/peers/**/*",
];
/** What only the tests of this repository read. */
const NOT = /(?:^|\/)(?:survivors|[\w-]*hints)\.json$|^vectors\/[^/]+\/source\/|^conformance\/requirements\/sentences\//;
/** Libraries that a page loads as they are. */
const FOR_BROWSERS = ["@xterm/xterm/lib/xterm.mjs", "@xterm/xterm/css/xterm.css"];

if (!existsSync(join(root, "node_modules/.bin/tsc"))) {
  console.error("The compiler is not installed: running npm ci first.");
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
}
// These need what npm ci installs.
const { reached } = await import("./build/modules.ts");
const { vendor } = await import("./build/vendor.ts");
const { minifySync } = await import("vite");

// Standard output is left to `npm pack`, which prints the name of the package there.
const run = (file: string, ...args: string[]) =>
  void execFileSync(process.execPath, [file, ...args], { cwd: root, stdio: ["ignore", 2, 2] });
run(join(root, "ci/pages.ts"));
rmSync(dist, { recursive: true, force: true });
run(join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json");
for (const file of globSync(DATA, { cwd: root, exclude: (name) => name === "node_modules" || name === "dist" })) {
  if (file.endsWith(".ts") || !file.includes(".") || NOT.test(file)) continue;
  const to = join(dist, file);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(root, file), to);
}

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: Parameters<typeof reached>[1] };
const code = reached(dist, exports, "code");
const types = reached(dist, exports, "types");
for (const file of globSync("**/*.{js,d.ts}", { cwd: dist }).map((name) => join(dist, name)))
  if (!code.files.has(file) && !types.files.has(file)) rmSync(file);
// The declarations keep the comments; without those of the code a user installs a fifth less. Browsers get theirs as they are written.
const AS_WRITTEN = [
  "reports/page/script/",
  "reference/serve/channel/page/",
  "reference/serve/metrics/pages/",
  "reference/websocket/channel/",
];
for (const file of code.files) {
  if (AS_WRITTEN.some((folder) => file.startsWith(join(dist, folder)))) continue;
  const { code: plain, errors } = minifySync(file, readFileSync(file, "utf8"), {
    module: true,
    mangle: false,
    compress: false,
    codegen: { removeWhitespace: false },
  });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  writeFileSync(file, plain);
}
await vendor(dist, code);
const licences = join(dist, "vendor/LICENSES.md");
for (const library of new Set(FOR_BROWSERS.map((file) => file.split("/").slice(0, 2).join("/")))) {
  const folder = join(root, "node_modules", library);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string; license: string };
  const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  writeFileSync(licences, `${readFileSync(licences, "utf8").trim()}\n\n## ${library} - ${version} (${license})\n\n${text}\n`);
}
for (const file of FOR_BROWSERS) {
  mkdirSync(dirname(join(dist, "vendor", file)), { recursive: true });
  cpSync(join(root, "node_modules", file), join(dist, "vendor", file));
}
