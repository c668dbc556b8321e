/** Makes Touchstone as one file that runs without Node: `node ci/single-file.ts [--platform NAME] [--all] [--out FOLDER]`. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { Command } from "commander";
import { makeProgram, PART } from "./single-file/make.ts";
import { PLATFORMS, problemsOf } from "./single-file/platforms.ts";

const root = join(import.meta.dirname, "..");
const cache = join(root, "node_modules/.cache/single-file");
const here = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

type Options = { readonly platform?: string; readonly all?: true; readonly out: string };
const program = new Command("single-file")
  .description("Makes Touchstone as one file that runs without Node.")
  .option("--platform <name>", `one of ${Object.keys(PLATFORMS).join(", ")} (default: this machine's)`)
  .option("--all", "every platform")
  .option("--out <folder>", "where the files go", "single-file")
  .parse();
const { platform = here, all, out } = program.opts<Options>();

if (!existsSync(join(root, "dist/touchstone.js"))) execFileSync(process.execPath, [join(root, "ci/build.ts")], { stdio: "inherit" });
for (const name of all === true ? Object.keys(PLATFORMS) : [platform]) {
  const target = PLATFORMS[name];
  if (target === undefined) throw new Error(`No platform ${name}. Known: ${Object.keys(PLATFORMS).join(", ")}.`);
  const to = join(root, out, `touchstone-${name}${target.format === "PE" ? ".exe" : ""}`);
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/@lydell/node-pty/package.json"), "utf8")) as { version: string };
  await makeProgram({
    from: root,
    node: name === here ? process.execPath : join(fetched(target.nodePackage, process.versions.node), target.binary),
    terminal: name === here ? join(root, "node_modules", target.terminalPackage) : fetched(target.terminalPackage, version),
    to,
  });
  const problems = problemsOf(to, target, PART);
  if (problems.length > 0) throw new Error(`${to}: ${problems.join("; ")}.`);
  const note = target.format === "Mach-O" ? "; sign it on macOS: codesign --sign - FILE" : "";
  console.log(`${to}: ${Math.round(statSync(to).size / 1e6)} MB, checked as a file${note}`);
}

/** The folder of a package of npm for another platform, which is kept. */
function fetched(name: string, version: string): string {
  const parent = join(cache, `${name.replace("/", "-")}-${version}`);
  // npm names the folder by the last part of the name, so that a library is found by it.
  const folder = join(parent, basename(name));
  if (existsSync(folder)) return folder;
  mkdirSync(parent, { recursive: true });
  const tarball = execFileSync("npm", ["pack", "--silent", "--pack-destination", parent, `${name}@${version}`], {
    encoding: "utf8",
  }).trim();
  execFileSync("tar", ["-xzf", join(parent, tarball), "-C", parent]);
  rmSync(join(parent, tarball));
  renameSync(join(parent, "package"), folder);
  return folder;
}
