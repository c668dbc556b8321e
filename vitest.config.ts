import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that take one to eight minutes on two processors. They start first, so that no worker is left alone with one of them at the end. */
const LONG = [
  "conformance/embedded.test.ts",
  "conformance/metrics-server/impostors/servers.test.ts",
  "conformance/metrics/impostors/query.test.ts",
  "conformance/http2/interop.test.ts",
  "conformance/websocket/impostors/server.test.ts",
  "conformance/websocket/interop.test.ts",
  "conformance/websocket/impostors/client-http2.test.ts",
  "conformance/websocket/impostors/client.test.ts",
  "conformance/stubs/stubs.test.ts",
  "conformance/channel/impostors/subject.test.ts",
  "conformance/channel/impostors/hub.test.ts",
  "conformance/scrape/impostors/scrapers.test.ts",
  "ci/checks/package.test.ts",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Each of these needs a new process: it replaces a module of Node's, or measures the memory of its own process. */
const ALONE = ["reports/files.test.ts", "conformance/harness/subject/cost.test.ts"];
const EXCLUDED = ["**/node_modules/**", "dist/**", "examples/**"];

export default defineConfig({
  test: {
    // Many tests wait for a peer: two more than the processors keeps all of them busy.
    maxWorkers: availableParallelism() + 2,
    // These end what hangs; they are no budget, and no test sets its own. A test of ten seconds takes minutes on a machine with twenty other jobs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // Our programs that tests start compile their 200 files once: a start takes 0.1 s of the processor instead of 0.3 s.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "compiled") },
    restoreMocks: true,
    sequence: { sequencer: LongFirst },
    projects: [
      // A new process for each of 400 files would take two fifths of the time of all tests.
      { extends: true, test: { name: "shared", include: ["**/*.test.ts"], exclude: [...EXCLUDED, ...ALONE], isolate: false } },
      { extends: true, test: { name: "alone", include: ALONE, isolate: true } },
    ],
  },
});
