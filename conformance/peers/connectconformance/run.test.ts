import { expect, test } from "vitest";
import { contractFolder, INSTALL, run } from "./run.ts";

const folder = await contractFolder();
if (folder === undefined) console.warn(`connectconformance is absent, and its tests are left out: ${INSTALL}`);

/** With one encoding the cases say all that they say with three. */
const SKIPPED = ["**/Compression:COMPRESSION_DEFLATE/**", "**/Compression:COMPRESSION_ZSTD/**"];

test.runIf(folder !== undefined).each(["server", "client"] as const)("our %s passes all but the listed differences", async (mode) => {
  const { isAsExpected, passed, said } = await run(mode, folder!, SKIPPED);
  expect(isAsExpected ? "" : said).toBe("");
  expect(passed).toBeGreaterThan(mode === "server" ? 2_500 : 1_500);
});
