import { readFileSync } from "node:fs";
import type { KnipConfig } from "knip";

/** The sources of the package's public entries: `./dist/reference/http/index.js` is compiled from `reference/http/index.ts`. */
const faces = Object.values((JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, unknown> }).exports)
  .filter((entry): entry is { readonly default: string } => typeof entry === "object" && entry !== null && "default" in entry)
  .map((entry) => entry.default.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts"));

/** The modules of lives that targets of mutants name. */
const livesOf = [...readFileSync("ci/mutate/targets.ts", "utf8").matchAll(/"(ci\/mutate\/lives\/[\w-]+\.ts)"/g)].map(
  ([, file = ""]) => file,
);

/** Finds files and exports without an importer. Entries are the public faces of the package, and files that are started or loaded by name. */
export default {
  entry: [
    ...faces,
    "bin.js",
    "touchstone.ts",
    "protoc-gen-touchstone.js",
    "reference/serve/rpc/tools/plugin.ts",
    // Named by its document, and bundled.
    "reference/serve/metrics/pages/main.ts",
    "ci/*.ts",
    // Cases are found by the number of their section (conformance/harness/load.ts).
    "conformance/**/{[0-9]*,rfc[0-9]*,abuse-*}.ts",
    // Started as processes or threads of their own.
    "**/adapter.ts",
    "reference/serve/workers/entry.ts",
    "ci/checks/toy/subject.ts",
    "conformance/metrics/{cases/server/record,differential/run}.ts",
    "conformance/peers/connectconformance/{server,client,publish}.ts",
    "conformance/peers/interop/publish.ts",
    "conformance/peers/interop-quic/publish.ts",
    // Programs that the matrix starts.
    "conformance/peers/interop-quic/touchstone/*.ts",
    "bench/**/*-subject.ts",
    "**/*-thread.ts",
    "ci/mutate/{hook,*-child}.ts",
    // Imported by the path that a target gives (ci/mutate/targets.ts).
    ...livesOf,
    "ci/checks/toy/lives.ts",
    "vectors/**/write*.ts",
    "**/*.test.ts",
  ],
  project: ["**/*.ts"],
  include: ["files", "exports", "types"],
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig;
