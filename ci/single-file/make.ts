import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { reached } from "../build/modules.ts";
import { vendor } from "../build/vendor.ts";

const root = join(import.meta.dirname, "../..");
/** Text that is in a module of ours, as it is in the program. */
export const PART = "Find out whether network software speaks its protocol.";

/** What is not bundled: a runner that is no part of a program, a native library, which goes in as it is, and peers of comparisons. */
const OUTSIDE: ReadonlySet<string> = new Set([
  "vitest",
  "@lydell/node-pty",
  "ws",
  "@grpc/grpc-js",
  "@bufbuild/protobuf",
  "@connectrpc/connect",
  "@connectrpc/connect-node",
]);

/** The folder of the built package, Node and the folder of the library of terminals for the platform, and the file to write. */
type Parts = { readonly from: string; readonly node: string; readonly terminal: string; readonly to: string };

/**
 * Makes one executable file of the built package in `from` and the Node in `node`, which may be that of another platform but must be of the version
 * that runs. Node mounts our files as a file system of the program, so that the modules load and read each other as they do from a disk.
 */
export async function makeProgram({ from, node, terminal, to }: Parts): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-program-"));
  try {
    const dist = join(folder, "dist");
    cpSync(join(from, "dist"), dist, { recursive: true });
    for (const file of ["package.json", "LICENSE"]) cpSync(join(from, file), join(folder, file));
    cpSync(join(import.meta.dirname, "main.js"), join(folder, "main.js"));
    for (const library of [join(root, "node_modules/@lydell/node-pty"), terminal])
      cpSync(library, join(folder, "node_modules/@lydell", basename(library)), { recursive: true, dereference: true });
    const { exports } = JSON.parse(readFileSync(join(from, "package.json"), "utf8")) as { exports: Parameters<typeof reached>[1] };
    await vendor(dist, reached(dist, exports, "code"), { folder: "vendor-program", stays: OUTSIDE });

    const assets = globSync("{package.json,LICENSE,dist/**/*,node_modules/**/*}", { cwd: folder }).filter(
      (file) => !file.endsWith(".d.ts") && statSync(join(folder, file)).isFile(),
    );
    const config = join(folder, "program.json");
    mkdirSync(join(to, ".."), { recursive: true });
    writeFileSync(
      config,
      JSON.stringify({
        main: join(folder, "main.js"),
        mainFormat: "module",
        executable: node,
        output: to,
        disableExperimentalSEAWarning: true,
        useVfs: true,
        assets: Object.fromEntries(assets.map((file) => [file, join(folder, file)])),
      }),
    );
    execFileSync(process.execPath, ["--build-sea", config], { stdio: ["ignore", "ignore", "inherit"] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
