import { describe, expect, test } from "vitest";
import { loadContract } from "../index.ts";
import { LINT_RULES, lintContract } from "./index.ts";
import { isVersion, lowerSnakeCase, pascalCase, upperSnakeCase } from "./words.ts";

/** Which rules a contract breaks is in `vectors/rpc`; here is what findings say. */

function messages(text: string): readonly string[] {
  const loaded = loadContract(["shop/v1/shop.proto"], () => `syntax = "proto3";\npackage shop.v1;\n${text}`);
  if (loaded.is === "problems") throw new Error(loaded.problems[0]?.message);
  const standard = LINT_RULES.filter(({ group }) => group === "standard");
  return lintContract(loaded.contract, standard).map(({ message }) => message);
}

test("a finding says what to do", () => {
  expect(messages("message shop_order {}")).toEqual(['The name of the message "shop_order" is not in PascalCase: call it "ShopOrder".']);
  expect(messages("enum HTTPState {\n  OPEN = 0;\n}")).toEqual([
    'The name of the value "OPEN" does not begin with "HTTP_STATE_": values share the scope around their enum.',
    'The name of the value "OPEN" does not end with "_UNSPECIFIED": zero is what a reader sees in a field that nobody set.',
  ]);
});

test("an import is used by a feature of a language, and by an extension in a value with braces", () => {
  const files: Readonly<Record<string, string>> = {
    "l.proto":
      'edition = "2023"; package l; import "google/protobuf/descriptor.proto"; message Language { bool fast = 1; } extend google.protobuf.FeatureSet { Language language = 9990; }',
    "shop.proto": 'edition = "2023"; package shop; import "l.proto"; option features.(l.language).fast = true;',
    "braces.proto": 'edition = "2023"; package shop; import "l.proto"; option features = { [l.language]: { fast: true } };',
    "unused.proto": 'edition = "2023"; package shop; import "l.proto";',
  };
  const loaded = loadContract(["shop.proto", "braces.proto", "unused.proto"], (path) => files[path]);
  if (loaded.is === "problems") throw new Error(loaded.problems[0]?.message);
  const rules = LINT_RULES.filter(({ name }) => name === "IMPORT_USED");
  expect(lintContract(loaded.contract, rules).map(({ file }) => file)).toEqual(["unused.proto"]);
});

test("names of rules are unique", () => {
  const names = LINT_RULES.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

describe("names in another style", () => {
  test.each([
    ["shop_order", "ShopOrder", "shop_order", "SHOP_ORDER"],
    ["shopOrder", "ShopOrder", "shop_order", "SHOP_ORDER"],
    ["SHOP_ORDER", "SHOPORDER", "shop_order", "SHOP_ORDER"],
    ["HTTPState", "HTTPState", "http_state", "HTTP_STATE"],
    ["line2Item", "Line2Item", "line2_item", "LINE2_ITEM"],
    ["_a__b_", "AB", "a_b", "A_B"],
  ])("%s", (name, pascal, lower, upper) => {
    expect([pascalCase(name), lowerSnakeCase(name), upperSnakeCase(name)]).toEqual([pascal, lower, upper]);
  });

  test.each([
    ["v1", true],
    ["v1p1beta2", true],
    ["v1testing", true],
    ["v0", false],
    ["v1p", false],
    ["1", false],
  ])("%s is a version: %s", (part, is) => expect(isVersion(part)).toBe(is));
});
