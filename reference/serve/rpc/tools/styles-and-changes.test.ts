import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const BIN = fileURLToPath(new URL("../../../../bin.js", import.meta.url));
const ORDER =
  'syntax = "proto3";\npackage shop.v1;\nimport "shop/v1/money.proto";\nmessage Order {\n  string id = 1;\n  Money total = 2;\n}\n';
const MONEY = 'syntax = "proto3";\npackage shop.v1;\nmessage Money {\n  int64 units = 1;\n}\n';

let base = "";
const write = (path: string, text: string): void => {
  mkdirSync(join(base, path, ".."), { recursive: true });
  writeFileSync(join(base, path), text);
};
function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, "rpc", ...args], { cwd: base, encoding: "utf8" });
  return { status, stdout, stderr };
}
const git = (...args: string[]) =>
  spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: base, stdio: "ignore" });

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "touchstone-contracts-"));
  write("old/shop/v1/order.proto", ORDER);
  write("old/shop/v1/money.proto", MONEY);
  write("new/shop/v1/order.proto", ORDER.replace("string id = 1", "bytes id = 1"));
  write("new/shop/v1/money.proto", MONEY);
  write("new/node_modules/other.proto", "this is not a contract");
  write("bad.proto", "message {");
  git("init", "-q");
  cpSync(join(base, "old"), join(base, "now"), { recursive: true });
  git("add", "now");
  git("commit", "-q", "-m", "a");
  write("now/shop/v1/order.proto", ORDER.replace("  string id = 1;\n", ""));
});
afterAll(() => rmSync(base, { recursive: true }));

describe("rpc lint", () => {
  test("a folder in good style: status 0", () => {
    expect(run("lint", "old")).toEqual({ status: 0, stdout: "nothing found in 2 files.\n", stderr: "" });
  });
  test("findings: a line with place and rule, and status 1", () => {
    const { status, stdout } = run("lint", "-I", "old", "--also", "comments", "--except", "COMMENT_FIELD", "old/shop/v1/money.proto");
    expect([status, stdout]).toEqual([
      1,
      'old/shop/v1/money.proto:3:9 COMMENT_MESSAGE: The message "Money" has no comment: say what it is for.\n1 finding in 1 file.\n',
    ]);
  });
  test("JSON has only the findings", () => {
    const { status, stdout } = run("lint", "--json", "--only", "COMMENT_MESSAGE", "old");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      findings: [
        { file: "old/shop/v1/money.proto", line: 3, column: 9, rule: "COMMENT_MESSAGE" },
        { file: "old/shop/v1/order.proto", line: 4, column: 9, rule: "COMMENT_MESSAGE" },
      ],
    });
  });
  test("the rules are listed without files", () => {
    expect(run("lint", "--rules").stdout).toMatch(/^COMMENT_MESSAGE +comments$/m);
  });
});

describe("rpc breaking", () => {
  test("two folders: what breaks, and whom", () => {
    const { status, stdout } = run("breaking", "old", "new");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^new\/shop\/v1\/order\.proto:5:9 FIELD_SAME_TYPE: /m);
    expect(stdout).toContain("it breaks; rules broken by strength: file 1, package 1, wire-json 1, wire 0.");
  });
  test("a change that breaks nobody of the strength: status 0", () => {
    expect(run("breaking", "old", "new", "--strength", "wire").status).toBe(0);
    expect(run("breaking", "old", "old").status).toBe(0);
  });
  test("two files with other names are the same file", () => {
    write("money-2.proto", MONEY.replace("int64", "string"));
    const { status, stdout } = run("breaking", "old/shop/v1/money.proto", "money-2.proto", "--json", "--strength", "wire");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      strength: "wire",
      findings: [{ file: "money-2.proto", line: 4, column: 10, rule: "FIELD_WIRE_COMPATIBLE_TYPE", of: "new" }],
      counts: { file: 1, package: 1, "wire-json": 1, wire: 1 },
    });
  });
  test("a rule that is excepted breaks nothing", () => {
    expect(run("breaking", "old", "new", "--except", "FIELD_SAME_TYPE").status).toBe(0);
  });
  test("a folder and the same folder in a revision of git", () => {
    const { status, stdout } = run("breaking", "now", "--against", "HEAD");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^HEAD:now\/shop\/v1\/order\.proto:5:10 FIELD_NO_DELETE: .* \(old version\)$/m);
  });
});

test.each([
  [["lint", "bad.proto"], "bad.proto:1:9: "],
  [["lint"], "Give at least one .proto file"],
  [["lint", "--only", "NO_SUCH_RULE", "old"], "There is no rule NO_SUCH_RULE"],
  [["lint", "."], "bad.proto:1:9: "],
  [["breaking", "old", "bad.proto"], "Compare two files or two folders"],
  [["breaking", "bad.proto", "bad.proto"], "bad.proto:1:9: "],
  [["breaking", "old"], "Give an old and a new version"],
  [["breaking", "old", "new", "--strength", "strong"], "Allowed choices are file, package, wire-json, wire."],
  [["breaking", "now", "--against", "--output=x"], "revision"],
  [["breaking", "now", "--against", "nowhere"], 'There is no revision "nowhere"'],
])("%j: status 2, and the reason", (args, why) => {
  const { status, stderr } = run(...args);
  expect(stderr).toContain(why);
  expect(status).toBe(2);
});
