import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { ROOT } from "../checks/sources.ts";

const reproduce = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["ci/reproduce.ts", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, stdout, stderr };
};

describe("node ci/reproduce.ts", () => {
  test("starts the implementation, and prints verdict, expectation and transcript of the cases", () => {
    const { status, stdout } = reproduce("http1-servers", "touchstone", "http1/transfer-encoding-and-content-length");
    expect(stdout).toMatch(/^touchstone \d/);
    expect(stdout).toContain("PASS http1/transfer-encoding-and-content-length (rfc9112#6.1, MUST)");
    expect(stdout).toContain("Expected: an error response with 4xx or 501, and then the end of the connection\n      or: ");
    expect(stdout).toMatch(/ ms -> POST \/.*Transfer-Encoding: chunked/);
    expect(status).toBe(0);
  });

  test.each([
    [["http9-servers", "nginx", "http1/x"], "Matrices: http1-servers, "],
    [["http1-servers", "nobody", "http1/x"], "Names: aiohttp, apache2, "],
    [["http1-servers", "nginx"], "Usage: node ci/reproduce.ts MATRIX NAME CASE …."],
  ])("says what is known after %j", (args, words) => {
    const { status, stderr } = reproduce(...args);
    expect(stderr).toContain(words);
    expect(status).toBe(2);
  });
});
