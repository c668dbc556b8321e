import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Modules of the built package that are started, or found in a folder, by name: no import leads to them. */
const STARTED = [
  "touchstone.js",
  "reference/serve/rpc/tools/plugin.js",
  "fuzz/worker.js",
  // Cases, by the number of their section (conformance/harness/load.ts).
  "conformance/**/cases/**/{[0-9]*,rfc[0-9]*,abuse-*}.js",
  "**/adapter.js",
  "conformance/peers/**/*.js",
  "bench/**/{*-subject,subject}.js",
  "**/*-thread.js",
  "reference/serve/workers/entry.js",
  // Read as text and sent to browsers.
  "reports/page/script/*.js",
  "reference/serve/channel/page/*.js",
  "reference/serve/metrics/pages/built/**/*.js",
  "reference/websocket/channel/{client-side,pulse,protocol}.js",
];

/** `from "…"`, `import "…"` and `import("…")`, as the compiler writes them. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s+)(["'])([^"'\n]+)\1/gm;

type Faces = Readonly<Record<string, string | { readonly types?: string; readonly default?: string }>>;

/** What a set of modules consists of: their files, and what looks like an import from another package, with its importers. */
export type Reached = { readonly files: ReadonlySet<string>; readonly packages: ReadonlyMap<string, readonly string[]> };

/** Follows the imports of the built package, whose compiled files are in `dist`: those of the code, or of the declarations. */
export function reached(dist: string, exports: Faces, kind: "code" | "types"): Reached {
  const faces = Object.values(exports).flatMap((face) => {
    const file = typeof face === "string" ? undefined : kind === "code" ? face.default : face.types;
    return file?.startsWith("./dist/") === true ? [file.slice("./dist/".length)] : [];
  });
  const files = new Set<string>();
  const packages = new Map<string, string[]>();
  const waiting = [...faces, ...(kind === "code" ? globSync(STARTED, { cwd: dist }) : [])].map((file) => join(dist, file));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file) || !existsSync(file)) continue;
    files.add(file);
    for (const [, , target = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      if (/^[./]/.test(target)) waiting.push(join(dirname(file), kind === "code" ? target : target.replace(/\.[jt]s$/, ".d.ts")));
      else if (/^(?:@[\w-]+\/)?[\w-][\w.-]*(?:\/[\w./-]+)?$/.test(target)) packages.set(target, [...(packages.get(target) ?? []), file]);
    }
  }
  return { files, packages };
}
