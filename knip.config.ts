import { readFileSync } from "node:fs";
import type { KnipConfig } from "knip";

/** The sources of the package's public entries: `./dist/reference/http/index.js` is compiled from `reference/http/index.ts`. */
const faces = Object.values((JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, unknown> }).exports)
  .filter((entry): entry is { readonly default: string } => typeof entry === "object" && entry !== null && "default" in entry)
  .map((entry) => entry.default.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts"));

/** Finds exports and files that nothing imports. What is loaded by name at run time, or belongs to the package's public face, is an entry. */
export default {
  entry: [
    ...faces,
    "bin.js",
    "touchstone.ts",
    "ci/*.ts",
    // Cases are found by the number of their section (conformance/harness/load.ts).
    "conformance/**/{[0-9]*,rfc[0-9]*,abuse-*}.ts",
    // Started as processes or threads of their own.
    "**/adapter.ts",
    "bench/**/memory-subject.ts",
    "**/*-thread.ts",
    "vectors/**/write*.ts",
    "**/*.test.ts",
  ],
  project: ["**/*.ts"],
  include: ["files", "exports", "types"],
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig;
