import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PACKAGE_NAME = "@touchstone-suite/touchstone";
export const ROOT = join(import.meta.dirname, "../../../..");

/** A folder of a user of the package: `@touchstone-suite/touchstone/rpc` and the other entries are the sources of this checkout. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "touchstone-rpc-"));

  constructor() {
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      exports: Record<string, string | { default: string }>;
    };
    const entries = Object.entries(exports).flatMap(([name, entry]) =>
      typeof entry === "string" ? [] : [[name, entry.default.replace("./dist/", "./src/").replace(/\.js$/, ".ts")] as const],
    );
    this.write(
      `node_modules/${PACKAGE_NAME}/package.json`,
      JSON.stringify({ name: PACKAGE_NAME, type: "module", exports: Object.fromEntries(entries) }),
    );
    symlinkSync(ROOT, join(this.folder, `node_modules/${PACKAGE_NAME}/src`));
    mkdirSync(join(this.folder, "node_modules/@types"));
    symlinkSync(join(ROOT, "node_modules/@types/node"), join(this.folder, "node_modules/@types/node"));
    this.write("package.json", JSON.stringify({ type: "module" }));
  }

  write(path: string, content: string): string {
    const to = join(this.folder, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, content);
    return to;
  }
  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }
  /** Runs the command line here; what it prints to either stream, and its status. */
  touchstone(...args: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
    return spawnSync(process.execPath, [join(ROOT, "touchstone.ts"), ...args], { cwd: this.folder, encoding: "utf8" });
  }
  /** What the compiler finds wrong under the strictest settings. */
  compile(files: readonly string[]): string {
    const compilerOptions = {
      target: "esnext",
      lib: ["esnext", "dom"],
      module: "nodenext",
      noEmit: true,
      types: ["node"],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noPropertyAccessFromIndexSignature: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    };
    this.write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
    const { stdout } = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", "."], { cwd: this.folder, encoding: "utf8", env: withNode() });
    return stdout;
  }
  /** Whether the formatter with its defaults would change nothing. */
  isFormatted(): boolean {
    const { status } = spawnSync(join(ROOT, "node_modules/.bin/oxfmt"), ["--check", "code"], { cwd: this.folder, env: withNode() });
    return status === 0;
  }
  run(file: string): string {
    return execFileSync(process.execPath, [file], { cwd: this.folder, encoding: "utf8", timeout: 30_000 });
  }
  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The environment in which scripts of packages start the Node that runs this. */
const withNode = (): NodeJS.ProcessEnv => ({ ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` });
