import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { conformance } from "./vitest.ts";

const server: Http2Server = createServer({}, (_request, response) => response.end("x".repeat(200)));
server.on("sessionError", () => {});
afterAll(() => server.close());
const start = (): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  });

// As a user does it: the cases become tests of this file.
await conformance({
  suite: "http2",
  name: "node:http2",
  subject: start,
  only: ["http2/second-headers-*", "http2/field-name-nul"],
  baseline: [{ id: "http2/field-name-nul", why: "node drops the field and goes on" }],
});

test("in a separate project: a fail is a failed test with its evidence, a skip is a skipped test with its reason", async () => {
  const here = join(import.meta.dirname, "..");
  const folder = mkdtempSync(join(tmpdir(), "touchstone-vitest-"));
  try {
    symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));
    writeFileSync(
      join(folder, "peer.test.ts"),
      `import { conformance } from ${JSON.stringify(join(here, "conformance", "vitest.ts"))};
await conformance({ suite: "http2", subject: "http://127.0.0.1:1/", only: ["http2/field-name-nul"] });
await conformance({ suite: "hpack", subject: { codec: ${JSON.stringify(`'${process.execPath}' -e 'require("readline").createInterface({input:process.stdin}).on("line",l=>{const{id,op,blocks}=JSON.parse(l);console.log(JSON.stringify(op==="hpack-decode"?{id,fields:blocks.map(()=>[["a","b"]])}:{id,error:"no"}))})'`)} }, only: ["6.1"] });
`,
    );
    const file = join(folder, "report.json");
    await new Promise<void>((resolve) => {
      const env = { ...process.env, NO_COLOR: "1", VITEST: undefined };
      const words = [
        join(here, "node_modules", "vitest", "vitest.mjs"),
        "run",
        "--root",
        folder,
        "--reporter",
        "json",
        "--outputFile",
        file,
      ];
      execFile(process.execPath, words, { env }, () => resolve());
    });
    const { testResults } = JSON.parse(readFileSync(file, "utf8")) as {
      testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
    };
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const unreachable = tests.find(({ title }) => title.startsWith("http2/field-name-nul"));
    // The subject could not be reached: no test may tell of a pass.
    expect(unreachable?.status).not.toBe("passed");
    const wrong = tests.filter(({ title, status }) => title.startsWith("hpack/") && status === "failed");
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong[0]?.failureMessages.join("\n")).toMatch(/expected: [\s\S]*observed: [\s\S]*-> decode/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
