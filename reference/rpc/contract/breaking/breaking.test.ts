import { describe, expect, test } from "vitest";
import { loadContract, problemText } from "../index.ts";
import type { Contract } from "../model.ts";
import { breakages } from "./index.ts";

/** Which rules break is in `vectors/rpc`; here is where findings are, and what they say. */

type Files = Readonly<Record<string, string>>;
function contractOf(files: Files, roots: readonly string[] = Object.keys(files)): Contract {
  const loaded = loadContract(roots, (path) => files[path]);
  if (loaded.is === "contract") return loaded.contract;
  throw new Error(loaded.problems.map(problemText).join("\n"));
}
const shop = (...lines: string[]): Files => ({ "shop.proto": ['syntax = "proto3";', "package shop.v1;", ...lines].join("\n") });
const found = (old: Files, now: Files) =>
  breakages(contractOf(old), contractOf(now)).map(({ file, line, column, rule, of }) => `${of} ${file}:${line}:${column} ${rule}`);

describe("a finding", () => {
  test("has the place of the element in the new contract", () => {
    expect(found(shop("message A {", "  string id = 1;", "}"), shop("", "message A {", "    string key = 1;", "}"))).toEqual([
      "new shop.proto:5:12 FIELD_SAME_NAME",
      "new shop.proto:5:12 FIELD_SAME_JSON_NAME",
    ]);
  });

  test("has the place in the old contract if the element is gone", () => {
    expect(found(shop("message A {}", "message B {}"), shop("message B {}"))).toEqual([
      "old shop.proto:3:9 MESSAGE_NO_DELETE",
      "old shop.proto:3:9 PACKAGE_MESSAGE_NO_DELETE",
    ]);
  });

  test("is at the option that has changed, or at the beginning of the file without one", () => {
    const [set, unset] = [shop('option java_package = "a";'), shop()];
    expect(found(set, shop('option java_package = "b";'))).toEqual(["new shop.proto:3:8 FILE_SAME_JAVA_PACKAGE"]);
    expect(found(set, unset)).toEqual(["new shop.proto:1:1 FILE_SAME_JAVA_PACKAGE"]);
  });

  test("says what has changed and what to do instead", () => {
    const [first] = breakages(
      contractOf(shop("message A {", "  reserved 7;", "  int32 n = 2;", "}")),
      contractOf(shop("message A {", "  reserved 7;", "}")),
    ).filter(({ rule }) => rule === "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED");
    expect(first?.message).toBe(
      'The field "n" (2) of shop.v1.A is deleted, and its number is not reserved: add `reserved 2;`. Another field of that number would read old messages wrongly.',
    );
    expect(first?.strengths).toEqual(["wire-json", "wire"]);
  });
});

describe("files", () => {
  const money = 'syntax = "proto3";\npackage shop.v1;\nmessage Money {\n  int64 units = 1;\n}';
  const order = 'syntax = "proto3";\npackage shop.v1;\nimport "money.proto";\nmessage Order {\n  Money total = 1;\n}';

  test("two names of one file are compared", () => {
    const [old, now] = [contractOf({ "old.proto": money }), contractOf({ "new.proto": money.replace("int64", "string") })];
    const rules = breakages(old, now, (path) => (path === "old.proto" ? "new.proto" : path)).map(({ rule }) => rule);
    expect(rules).toContain("FIELD_SAME_TYPE");
    expect(rules).not.toContain("FILE_NO_DELETE");
  });

  test("imported files are compared if both versions have them", () => {
    const old = contractOf({ "money.proto": money, "order.proto": order }, ["order.proto"]);
    const changed = contractOf({ "money.proto": money.replace("int64", "string"), "order.proto": order }, ["order.proto"]);
    expect(breakages(old, changed).map(({ file, rule }) => `${file} ${rule}`)).toContain("money.proto FIELD_WIRE_COMPATIBLE_TYPE");
  });

  test("an imported file that is no longer needed is not a deleted file", () => {
    const old = contractOf({ "money.proto": money, "order.proto": order }, ["order.proto"]);
    const own = order.replace('import "money.proto";\n', "").replace("Money total = 1;", "reserved 1;");
    expect(breakages(old, contractOf({ "order.proto": own })).map(({ rule }) => rule)).toEqual([
      "FIELD_NO_DELETE",
      "FIELD_NO_DELETE_UNLESS_NAME_RESERVED",
    ]);
  });
});
